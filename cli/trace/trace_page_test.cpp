// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The page of a trace: what it is made of, and, where there is Chromium, what a reader sees: something is drawn, the
// wheel and the keys change it, the tip names what the pointer is on, and nothing sticks out of a narrow window.
#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cli/bench/headless_browser.hpp>
#include <cli/report/trace/trace_file.hpp>
#include <cli/report/trace/trace_report.hpp>
#include <cli/test_support.hpp>

namespace teff::cli {
namespace {

namespace fs = std::filesystem;

// Two threads for one millisecond: a task in a call, a wait inside of the task, and a search.
std::string page_record() {
    std::string text =
        R"({"displayTimeUnit":"ms",)"
        "\n"
        R"("otherData":{"version":"Teff 0.1.0","program":"</script>","scheduler":"demand","threads":2,"events":6,)"
        R"("dropped_events":3},)"
        "\n"
        R"("teff":{"span_ns":1000000,"threads_left_out":0,"threads":[)";
    const auto thread = [](int tid, int order, const char* name, int work_ns, int wait_ns, int search_ns) {
        return fmt::format("\n{{\"thread\":{},\"order\":{},\"name\":\"{}\",\"work_ns\":{},\"search_ns\":{},"
                           "\"pool_ns\":0,\"sleep_ns\":0,\"wait_ns\":{},\"merged\":0,\"merged_below_ns\":0,"
                           "\"steals_tried\":4,\"steals\":1,\"dropped\":0}}",
                           tid, order, name, work_ns, search_ns, wait_ns);
    };
    text += thread(2, 2, "caller", 800'000, 200'000, 0) + "," + thread(1, 4097, "worker 1", 400'000, 0, 600'000) +
            "\n]},\n\"traceEvents\":[\n{\"ph\":\"M\",\"pid\":7,\"tid\":0,\"name\":\"process_name\",\"args\":{\"name\":"
            "\"x\"}}";
    const auto slice = [](int tid, const char* category, double begin, double length, const char* name) {
        return fmt::format(",\n{{\"ph\":\"X\",\"pid\":7,\"tid\":{},\"cat\":\"{}\",\"ts\":{:.3f},\"dur\":{:.3f},"
                           "\"name\":\"{}\"}}",
                           tid, category, begin, length, name);
    };
    text += slice(2, "call", 0, 1000, "main::{lambda()#1}") + slice(2, "task", 100, 700, "first") +
            slice(2, "activity", 300, 200, "wait") + slice(1, "activity", 0, 600, "search") +
            slice(1, "task", 600, 400, "second") + slice(1, "label", 700, 100, "a </script> label") +
            ",\n{\"ph\":\"i\",\"pid\":7,\"tid\":1,\"cat\":\"steal\",\"ts\":599.000,\"s\":\"t\",\"name\":\"steal\"}"
            ",\n{\"ph\":\"C\",\"pid\":7,\"tid\":0,\"ts\":0.000,\"name\":\"running threads\",\"args\":{\"threads\":1}}"
            ",\n{\"ph\":\"C\",\"pid\":7,\"tid\":0,\"ts\":600.0,\"name\":\"running threads\",\"args\":{\"threads\":2}}";
    return text + "\n]}\n";
}

TEST(trace_file, slices_know_their_depth_and_own_time) {
    const recorded_trace seen = read_trace(page_record());
    ASSERT_EQ(seen.threads.size(), 2U);
    EXPECT_EQ(seen.threads[0].name, "caller");
    const auto& slices = seen.threads[0].slices;
    ASSERT_EQ(slices.size(), 3U);
    EXPECT_EQ(slices[0].depth, 0U);
    EXPECT_EQ(slices[2].depth, 2U);
    EXPECT_DOUBLE_EQ(slices[0].own_us, 300);
    EXPECT_DOUBLE_EQ(slices[1].own_us, 500);
    EXPECT_DOUBLE_EQ(seen.threads[1].steals_us.at(0), 599);
    ASSERT_EQ(seen.running.size(), 2U);
    EXPECT_DOUBLE_EQ(seen.running[1].second, 2);
}

TEST(trace_summary, fits_the_width_and_has_all_parts) {
    const recorded_trace seen = read_trace(page_record());
    for (const unsigned width : {70U, 80U, 200U}) {
        const std::string text = trace_summary(seen, width);
        for (std::size_t begin = 0; begin < text.size(); begin = text.find('\n', begin) + 1)
            EXPECT_LE(text.find('\n', begin) - begin, width) << text;
    }
    const std::string text = trace_summary(seen, 100);
    for (const char* part : {"Threads that run tasks, over time: 1.20 on the mean\n", "80.0 %", "20.0 %", "60.0 %",
                             "1 of 4", "first", "second", "main::{lambda()#1}", "3 events were dropped and 6 kept"})
        EXPECT_TRUE(has(text, part));
    // The worker is there from the middle on.
    EXPECT_TRUE(has(text, "\n 2 |" + std::string(58, ' ') + "#"));
}

TEST(trace_page, holds_the_record_and_cannot_be_broken_by_names) {
    const std::string page = trace_page(read_trace(page_record()));
    EXPECT_TRUE(has(page, "[100.000,700.000,1,1,1]"));
    EXPECT_TRUE(has(page, "<h1>Trace of &lt;/script&gt;</h1>"));
    // Only the script elements of the page end.
    std::size_t ends = 0;
    for (std::size_t at = page.find("</script>"); at != std::string::npos; at = page.find("</script>", at + 1))
        ++ends;
    EXPECT_EQ(ends, 2U);
}

// Runs in the page after its own script, and writes what is wrong into the element `verdict`.
constexpr const char* page_check = R"js(<script>
const wrong = [], verdict = document.createElement("pre");
window.addEventListener("error", event => wrong.push(`error: ${event.message}`));
const pixels = () => { draw(); return pen.getImageData(0, 0, canvas.width, canvas.height).data.join(); };
const whole = pixels();
if (new Set(whole.split(",")).size < 20) wrong.push("little is drawn");
const at = (type, x, y, more) => canvas.dispatchEvent(new (type === "wheel" ? WheelEvent : PointerEvent)(type,
  { clientX: canvas.getBoundingClientRect().left + x, clientY: canvas.getBoundingClientRect().top + y, bubbles: true,
    cancelable: true, ...more }));
at("pointermove", x_of(200), lanes[0].y + 1.5 * row);
if (tip.style.display !== "block" || !tip.textContent.startsWith("first\ntask, 700"))
  wrong.push(`tip: ${tip.textContent}`);
at("wheel", x_of(500), lanes[0].y, { deltaY: -400 });
if (end - begin > 500 || begin > 500 || end < 500) wrong.push(`wheel: ${begin} to ${end}`);
if (pixels() === whole) wrong.push("the wheel changes nothing");
canvas.dispatchEvent(new KeyboardEvent("keydown", { key: "0" }));
if (pixels() !== whole) wrong.push("not all is shown again");
const buttons = document.querySelectorAll(".legend button");
if (buttons.length !== 6) wrong.push(`${buttons.length} colours`);
buttons[0].click();
if (pixels() === whole || buttons[0].getAttribute("aria-pressed") !== "true") wrong.push("a click on a colour");
const over = document.documentElement.scrollWidth - innerWidth;
if (over > 0) wrong.push(`${over} pixels wider than the window`);
verdict.id = "verdict";
verdict.textContent = `${innerWidth}, ${isDark() ? "dark" : "light"}: ${wrong.join("; ") || "right"}`;
document.body.append(verdict);
</script>)js";

TEST(trace_page, is_drawn_and_answers_in_a_browser) {
    if (chromium() == nullptr)
        GTEST_SKIP() << "there is no Chromium: apt-get install chromium";
    std::string pattern = testing::TempDir() + "page_XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    const fs::path folder = pattern;
    std::string page = trace_page(read_trace(page_record()));
    page.insert(page.rfind("</main>"), page_check);
    std::ofstream(folder / "page.html") << page;
    for (const auto& [width, is_dark] : {std::pair{1200U, false}, std::pair{500U, true}}) {
        const child_result result = show(folder / "page.html", {width, 900, is_dark});
        EXPECT_TRUE(has(result.output, fmt::format("{}, {}: right</pre>", width, is_dark ? "dark" : "light")))
            << result.errors;
    }
    fs::remove_all(folder);
}

}  // namespace
}  // namespace teff::cli
