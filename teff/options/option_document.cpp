// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes docs/options.md from the option table: one table of all options, and one for each option that is a choice.
#include <teff/options/option_table.hpp>

#include <teff/base/bounded_text.hpp>

#include <string_view>

namespace teff {
namespace {

// The page is the same for all builds; builds with a sanitizer have no `gc` (reclaim/names.hpp).
bool is_in_every_build(const named_choice& each) noexcept { return std::string_view(each.name) != "gc"; }

constexpr const char* remark_on_gc =
    "\nThere is also `gc`, which leaves everything to the Boehm collector. Its library `libgc.so.1` (Debian:\n"
    "`libgc1`) must be installed for that; it is loaded when `gc` is first used.\n";

constexpr const char* opening =
    "# Options\n"
    "\n"
    "This page is generated from the option table (`teff/options/option_rows.hpp`); a test compares the two. To\n"
    "write it anew, build the target `teff_option_document` and run that program with this file as its output.\n"
    "\n"
    "An option takes its value from, in rising precedence, its built-in default, its environment variable, the flag\n"
    "of the command (`--` and the name with dashes for underscores), and the API. A value in a variable that cannot\n"
    "be used never stops a program: one warning on stderr names the variable, the value and what is used instead.\n"
    "From a flag or the API it is an error. Only a number above the largest allowed one is cut down to it, with a\n"
    "warning, wherever it comes from. A `TEFF_` variable that is no option is warned of, with the name that was\n"
    "probably meant; those that begin with `TEFF_BENCH_` belong to the benchmarks. In a program that\n"
    "runs with more rights than its user (AT_SECURE, as one that is set-user-ID), the variables do not count, so\n"
    "it writes none of the files below.\n"
    "\n"
    "A file that an option names (`trace`, `dataflow_graph`), and each one that the command writes, is written as\n"
    "a whole: a new file beside it takes its place when all is written. If something fails, what was there stays,\n"
    "and one message says why. The new file has the permissions of the one that it replaces, or those that the\n"
    "umask leaves; a file that you may not write is not replaced. A link is replaced, too, and the file that it\n"
    "leads to stays as it is. Folders may be links. A device, a pipe, or a descriptor such as `/dev/stdout` is\n"
    "written directly, also by a link. In a folder that is sticky, as `/tmp` is, or that all may write, what is\n"
    "there is replaced, written or followed only if you or the folder's owner have made it; what is of another\n"
    "user is refused with a message.\n"
    "\n"
    "Where schedulers are named, no other one reads the option.\n"
    "\n"
    "| option | variable | values | default | schedulers | meaning |\n"
    "|---|---|---|---|---|---|\n";

void add_schedulers(bounded_text& line, const option_row& each) noexcept {
    const char* separator = "";
    for (const scheduler_traits& scheduler : schedulers()) {
        if (!scheduler.reads(each.name))
            continue;
        line.add(separator).add(scheduler.name);
        separator = ", ";
    }
}

void add_values(bounded_text& line, const option_row& each) noexcept {
    switch (each.type) {
    case option_type::integer:
        line.add(each.minimum).add(" to ").add(each.maximum);
        if (!each.choices.empty())
            line.add(", or a name, see below");
        return;
    case option_type::choice: line.add("a name, see below"); return;
    case option_type::text: line.add("`").add(each.form).add("`"); return;
    }
}

bool write_row(std::FILE* output, const option_row& each) noexcept {
    char storage[1024];
    bounded_text line(storage);
    line.add("| `").add(each.name).add("` | `").add(each.variable).add("` | ");
    add_values(line, each);
    line.add(" | `").add(each.usual.text).add("` | ");
    add_schedulers(line, each);
    line.add(" | ").add(each.sentence).add(" |\n");
    return std::fputs(storage, output) >= 0;
}

bool write_choices(std::FILE* output, const option_row& each) noexcept {
    bool written = std::fprintf(output, "\n## The names for `%s`\n\n| name | meaning |\n|---|---|\n", each.name) >= 0;
    for (const named_choice& choice : each.choices)
        if (is_in_every_build(choice))
            written = written && std::fprintf(output, "| `%s` | %s |\n", choice.name, choice.sentence) >= 0;
    if (each.id == "reclaimer")
        written = written && std::fputs(remark_on_gc, output) >= 0;
    return written;
}

}  // namespace

bool write_option_document(std::FILE* output) noexcept {
    bool written = std::fputs(opening, output) >= 0;
    for (const option_row& each : option_table())
        written = written && write_row(output, each);
    for (const option_row& each : option_table())
        if (!each.choices.empty())
            written = written && write_choices(output, each);
    return written;
}

}  // namespace teff
