// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The style sheet of the report page.
//
// The colours of the runtimes are those of Okabe and Ito, which colour-blind readers can tell apart; Teff has the
// warmest one. A new runtime is grey until it gets one line for its colour.
#pragma once

namespace teff::cli {

inline constexpr const char* report_style = R"css(
:root { --ink: #1c2024; --soft: #667079; --paper: #f6f7f8; --card: #ffffff; --rule: #e2e5e9; --accent: #d55e00;
  --c-serial: #9aa1a9; --c-pthread: #5b6570; --c-teff: #d55e00; --c-teff-2: #e69f00; --c-teff-3: #8c510a;
  --c-teff-4: #f0c24b; --c-teff-5: #a50f15; --c-teff-6: #fb6a4a; --c-teff-7: #7a5195; --c-teff-8: #bc5090;
  --c-teff-9: #ef5675; --c-teff-10: #8c6d31; --c-teff-11: #bd9e39;
  --c-libgomp: #0072b2; --c-libomp: #56b4e9; --c-libiomp5: #009e73; --c-tbb: #cc79a7;
  --c-starpu: #332288; --c-boost-fiber: #117733; --c-go: #00add8; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8eaed; --soft: #9aa4ae; --paper: #15181b; --card: #1e2226; --rule: #343a40; --accent: #ff8c3a;
    --c-pthread: #aab4bd; --c-teff: #ff7f2a; --c-teff-3: #bf8a4e; --c-teff-5: #d9534f; --c-teff-7: #a98bc4;
    --c-libgomp: #4aa3df; --c-libomp: #8fd0f5; --c-libiomp5: #2fc79a; --c-tbb: #e29bc4;
    --c-starpu: #9a8ce0; --c-boost-fiber: #5fb37a; --c-go: #5dc9e2; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
main { max-width: 1240px; margin: 0 auto; padding: 32px 24px 64px; }
h1 { font-size: 28px; line-height: 1.2; margin: 0 0 4px; letter-spacing: -0.01em; }
h2 { font-size: 19px; margin: 40px 0 12px; }
h3 { font-size: 13px; font-weight: 600; color: var(--soft); margin: 0 0 8px; }
p { margin: 0 0 12px; max-width: 100ch; }
.soft { color: var(--soft); }
.notice { border-left: 4px solid var(--accent); padding: 6px 12px; font-weight: 600; }
code { font: 13px/1.5 ui-monospace, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
.card { background: var(--card); border: 1px solid var(--rule); border-radius: 10px; padding: 18px 20px; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 530px), 1fr)); gap: 16px; }
.pictures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 530px), 1fr)); gap: 16px; }
dl { margin: 0; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
.card + h3, .pair + h3 { margin-top: 20px; }
.hint { display: none; margin: 8px 0 0; max-width: none; color: var(--soft); font-size: 12.5px; text-align: right; }
.overflows > .hint { display: block; }
.graphs > .card, .timelines > .card, .pair > .card, .pictures > .card { min-width: 0; }
table { border-collapse: collapse; width: 100%; font-size: 13.5px; font-variant-numeric: tabular-nums; }
th, td { padding: 5px 12px 5px 0; text-align: left; white-space: nowrap; }
th { color: var(--soft); font-weight: 600; border-bottom: 1px solid var(--rule); }
td { border-bottom: 1px solid var(--rule); }
tr:last-child td { border-bottom: 0; }
tr.first td { border-top: 2px solid var(--rule); } .sorted tr.first td { border-top: 0; }
th button { all: unset; cursor: pointer; } th button:hover { color: var(--ink); }
th button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
th button::after { content: " \2195"; opacity: 0.45; } th[aria-sort] button { color: var(--ink); }
th[aria-sort="ascending"] button::after { content: " \2191"; opacity: 1; }
th[aria-sort="descending"] button::after { content: " \2193"; opacity: 1; }
table:not(.sorted) .again { visibility: hidden; }
.noisy { border: 1px solid var(--accent); border-radius: 4px; padding: 0 5px; font-size: 12px; font-weight: 400; }
@media print { th button::after { content: ""; } .scroll { overflow: visible; } }
tr.teff td { font-weight: 600; }
.number { text-align: right; }
.number + td:not(.number), .number + th:not(.number) { padding-left: 16px; }
.facts dl { columns: 2 420px; display: block; column-gap: 32px; }
.facts dt { float: left; clear: left; width: 132px; } .facts dd { margin-left: 132px; break-inside: avoid; }
td.wide { white-space: normal; }
details > summary { cursor: pointer; color: var(--soft); margin: 40px 0 12px; font-size: 19px; font-weight: 600; }
.key { display: inline-block; width: 10px; height: 10px; border-radius: 3px; margin-right: 7px; }
svg { display: block; width: 100%; height: auto; }
svg text { font-size: 12.5px; fill: var(--ink); font-family: inherit; }
svg .tick { fill: var(--soft); font-size: 11.5px; } svg .value { font-size: 12px; fill: var(--soft); }
svg .strong { font-weight: 700; }
.grid { stroke: var(--rule); stroke-width: 1; } .row { stroke: var(--rule); stroke-width: 1; stroke-dasharray: 1 4; }
.one { stroke: var(--soft); stroke-width: 1.2; stroke-dasharray: 4 3; }
.plain { stroke: var(--ink); } .cut { stroke: var(--card); stroke-width: 2.4; fill: none; }
.range { stroke: var(--ink); stroke-width: 1.4; opacity: 0.65; }
.series { stroke-width: 2.2; stroke-linejoin: round; } .level { stroke-width: 1.6; }
.median { stroke: var(--ink); stroke-width: 2; } .mark { stroke-width: 2; } .open { fill: var(--card); }
.timelines, .graphs { display: grid; gap: 16px; } .card + .graphs { margin-top: 16px; }
@media screen and (prefers-color-scheme: dark) { .t-work { fill: #4aa3df; } .t-sleep { fill: #3c444c; }
  .g-critical, .g-path { stroke: #ff5c74; } }
.leader { stroke-width: 1; opacity: 0.55; } .dot { stroke: var(--card); stroke-width: 1.5; } .bound { opacity: 0.35; }
)css";

// Colours for Teff's schedulers and trackers: `teff`, for the defaults, and `teff-2` and so on.
inline constexpr int scheduler_colours = 11;

// The names that have a colour in the style above, as --c-NAME.
inline constexpr const char* coloured_names[] = {"serial", "pthread", "teff",   "teff-2", "teff-3",  "teff-4",
                                                 "teff-5", "teff-6",  "teff-7", "teff-8", "teff-9",  "teff-10",
                                                 "teff-11", "libgomp", "libomp", "libiomp5", "tbb", "starpu",
                                                 "boost-fiber", "go"};

}  // namespace teff::cli
