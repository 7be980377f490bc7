// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names with markup, quotes, control characters and broken UTF-8, through everything that the command writes: the
// record and the page of a trace, the report, pictures, results and tables. Programs that know nothing of this project
// look at the result: Python's parsers of JSON and XML, and Chromium. Without these, such tests are skipped.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cli/bench/child_process.hpp>
#include <cli/bench/headless_browser.hpp>
#include <cli/output_file.hpp>
#include <cli/report/graph/task_graph.hpp>
#include <cli/report/page/report_html.hpp>
#include <cli/report/results.hpp>
#include <cli/report/table.hpp>
#include <cli/report/trace/timeline.hpp>
#include <cli/report/trace/trace_file.hpp>
#include <cli/report/trace/trace_report.hpp>
#include <cli/shown_text.hpp>
#include <cli/simulate/simulated.hpp>
#include <cli/simulate/simulation_report.hpp>
#include <cli/test_support.hpp>

namespace teff::cli {
namespace {

namespace fs = std::filesystem;

// As a page or a picture would run it, if it came through: it sets the variable `strange`.
const std::string strange_name = "<img src=x onerror=\"strange = 1\">'\"]]>&amp;\\ <!-- <script>strange = 1</script> "
                                 "\r\n\t\x1b[2J\x01\x7f \xc2\x9b \xe2\x80\xa8 \xff\xc3 end";

// The same name as a reader of markup sees it.
const std::string strange_in_markup = "<img src=x onerror=\"strange = 1\">'\"]]>&amp;\\ <!-- <script>strange = "
                                      "1</script> \uFFFD\n\t\uFFFD[2J\uFFFD\uFFFD \uFFFD \u2028 \uFFFD\uFFFD end";

class strange_text : public test_in_folder {
protected:
    [[nodiscard]] std::string path(const std::string& name) const { return folder_ / name; }

    static child_result run(const std::string& program, const std::vector<std::string>& arguments) {
        child_request request;
        request.program = program;
        request.arguments = arguments;
        request.removed_prefixes = {"TEFF_", "OMP_", "LD_"};
        request.limit_seconds = 60;
        return run_child(request);
    }
    static child_result trace(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "trace");
        return run(TEFF_COMMAND, arguments);
    }

    static bool has_python() { return run("/usr/bin/env", {"python3", "-c", "import json, xml.etree"}).code == 0; }
    // The output of a Python program in which `name` is the file.
    static std::string python(const std::string& program, const std::string& file) {
        const std::string begin = "import sys, json, xml.etree.ElementTree as xml\nname = sys.argv[1]\n";
        const child_result result = run("/usr/bin/env", {"python3", "-c", begin + program, file});
        return result.code == 0 ? result.output : "failed: " + result.errors;
    }
    // The faults that the script finds in the page and pushes to `wrong`. An element made by the text counts, too.
    [[nodiscard]] std::string complaints(const std::string& page, const std::string& script, int scripts) const {
        std::string checked = page;
        checked.insert(checked.find("<head>") + 6,
                       "<script>const wrong = [];\naddEventListener(\"error\", event => "
                       "wrong.push(`error: ${event.message}`), true);</script>");
        checked.insert(checked.rfind("</main>"),
                       fmt::format("<script>window.addEventListener(\"load\", () => {{\n"
                                   "if (typeof strange !== \"undefined\") wrong.push(\"a name was run\");\n"
                                   "if (document.images.length) wrong.push(\"a name has become an element\");\n"
                                   "if (document.scripts.length !== {} + 2) wrong.push(`${{document.scripts.length}} "
                                   "scripts`);\n{}\n"
                                   "const said = document.createElement(\"pre\");\nsaid.id = \"verdict\";\n"
                                   "said.textContent = wrong.join(\"; \") || \"right\";\ndocument.body.append(said);\n"
                                   "}});</script>",
                                   scripts, script));
        write_file(path("page.html"), checked);
        return verdict_of(show(path("page.html"), {1000, 800, false}));
    }
};

// Neither control characters nor broken UTF-8, but for the ends of lines and tabs.
testing::AssertionResult is_harmless(const std::string& text) {
    if (terminal_lines(text) == text)
        return testing::AssertionSuccess();
    return testing::AssertionFailure() << "'" << terminal_lines(text) << "' was written with control characters";
}

// Each field that a runner, a program or a user can fill.
measurements strange_results() {
    measurements results;
    for (const char* runtime : {"teff", "libgomp"}) {
        measurement row;
        row.what.kind = "dataflow";
        row.what.kernel = row.what.size = row.what.variant = row.what.compiler = strange_name;
        row.what.runtime = runtime;
        row.what.threads = 2;
        row.runs = {{0, 1.0}, {1, 1.5}};
        row.tasks = 7;
        row.given = {{"length", 3}};
        row.found = {{{"cost_ns", 4.0}, {strange_name, 5}}, {{"cost_ns", 4.5}, {strange_name, 6}}};
        results.rows.push_back(row);
    }
    timeline seen;
    seen.span_us = 100;
    seen.threads.push_back({strange_name, {{0, 50, thread_activity::work}}, {50, 0, 0, 50}});
    results.rows.front().seen = seen;
    skip missing;
    missing.what.kind = "dataflow";
    missing.what.kernel = missing.what.runtime = missing.what.variant = missing.reason = strange_name;
    results.skipped.push_back(missing);
    return results;
}

presentations strange_presentations() {
    presentations shown;
    presentation& how = shown[strange_name];
    how.headline = "cost_ns";
    how.headline_title = strange_name;
    figure lines;
    lines.title = lines.measured_title = lines.across_title = strange_name;
    lines.measured = "cost_ns";
    lines.across = "length";
    lines.least = 0.1;
    figure boxes = lines;
    boxes.has_boxes = true;
    figure dots = lines;
    dots.has_dots = true;
    how.figures = {lines, boxes, dots};
    return shown;
}

task_graph strange_graph() {
    nlohmann::ordered_json file = nlohmann::ordered_json::parse(
        R"({"teff_dataflow_graph":1,"work_ns":1000,"span_ns":1000,"parallelism":1,"elapsed_ns":1000,"tasks_left_out":0,
"threads":["caller"],"functions":["f"],"addresses":["a"],"tasks":[{"task":1,"parent":0,"outermost":1,"function":0,
"thread":0,"outcome":"ended","begin_ns":0,"end_ns":1000,"own_ns":1000,"depth":0,"syncs_before":0,"critical_ns":1000,
"accesses":[{"object":0,"kind":"in","version":0,"generation":0}]}],"dependences":[],"critical_path":[1]})");
    for (const char* names : {"threads", "functions", "addresses"})
        file[names] = {strange_name};
    return read_task_graph(json_text(file));
}

TEST_F(strange_text, the_record_of_a_trace_is_json_and_its_summary_one_line_each) {
    // The program's name is in the record, too.
    const std::string program = path("<!-- <script> \x1b[31m\xff\"'&");
    fs::copy_file(TEFF_SAMPLE_TASKS, program);
    const child_result result = trace({"-o", path("a"), "--html", path("page.html"), "--", program, "strange"});
    EXPECT_EQ(result.code, 0) << result.errors;
    EXPECT_TRUE(is_harmless(result.errors));
    EXPECT_TRUE(has(result.errors, "Trace of <!-- <script> \\x1b[31m\uFFFD\"'&: "));
    const std::string text = read_file(path("a"));
    EXPECT_TRUE(is_harmless(text));
    EXPECT_EQ(text.find('<'), std::string::npos);
    const auto record = nlohmann::json::parse(text);
    EXPECT_EQ(record["otherData"]["program"], "<!-- <script> \x1b[31m\uFFFD\"'&");
    const recorded_trace seen = read_trace(text);
    for (const char* name : {"<!-- <script>", "<!-- <script>strange = 1</script>", "\"'&\\ \n\x1b[2J \u009b \u2028 end",
                             "bytes \uFFFD\uFFFD end"})
        EXPECT_NE(std::find(seen.names.begin(), seen.names.end(), name), seen.names.end()) << name;
    EXPECT_TRUE(has(read_file(path("page.html")), "Trace of &lt;!-- &lt;script&gt; \uFFFD[31m\uFFFD&quot;&#39;&amp;<"));
    if (!has_python())
        GTEST_SKIP() << "there is no python3";
    EXPECT_EQ(python("names = [each['name'] for each in json.load(open(name, encoding='utf-8'))['traceEvents']]\n"
                     "print('<!-- <script>strange = 1</script>' in names, 'bytes \\ufffd\\ufffd end' in names)",
                     path("a")),
              "True True\n");
}

TEST_F(strange_text, the_page_of_a_trace_shows_names_and_runs_none) {
    if (chromium() == nullptr)
        GTEST_SKIP() << "there is no Chromium: apt-get install chromium";
    ASSERT_EQ(trace({"--html", path("made.html"), "--", TEFF_SAMPLE_TASKS, "strange"}).code, 0);
    EXPECT_EQ(complaints(read_file(path("made.html")),
                         "for (const name of [\"\\u003c!-- \\u003cscript>strange = 1\\u003c/script>\",\n"
                         "                    \"\\u003c!-- \\u003cscript>\", \"bytes \\ufffd\\ufffd end\"])\n"
                         "  if (![...document.querySelectorAll(\".legend button\")].some(b => b.title === name))\n"
                         "    wrong.push(`no ${name}`);\n"
                         "if (!document.querySelector(\"canvas\").height || !lanes.length) wrong.push(\"no lanes\");",
                         2),
              "right");
}

// Records of before this was so.
TEST_F(strange_text, a_record_with_bytes_that_are_no_text_is_read) {
    ASSERT_EQ(trace({"-o", path("a"), "--", TEFF_SAMPLE_TASKS, "strange"}).code, 0);
    std::string text = read_file(path("a"));
    const std::string repaired_bytes = "bytes \uFFFD\uFFFD end";
    for (std::size_t at = text.find(repaired_bytes); at != std::string::npos; at = text.find(repaired_bytes))
        text.replace(at, repaired_bytes.size(), "bytes \xff\xc3 end");
    write_file(path("b"), text);
    const child_result read = trace({"--read", path("b"), "--html", path("page.html")});
    EXPECT_EQ(read.code, 0) << read.errors;
    EXPECT_TRUE(has(read_file(path("page.html")), repaired_bytes));
}

TEST_F(strange_text, a_page_that_cannot_be_made_loses_neither_the_record_nor_the_status) {
    for (const auto& [ending, status] : {std::pair{"", 0}, std::pair{"; exit 7", 7}}) {
        fs::create_directory(path("gone"));
        const child_result result =
            trace({"--html", path("gone/page.html"), "--", "sh", "-c",
                   fmt::format("{}; rm -r {}{}", TEFF_SAMPLE_TASKS, path("gone"), ending)});
        EXPECT_EQ(result.code, status) << result.errors;
        EXPECT_TRUE(has(result.errors, "teff trace: --html: '" + path("gone/page.html") +
                                           "' cannot be written: No such file or directory; name a file in a folder "
                                           "that exists\n"));
        const std::string begin = "teff trace: the record is in '";
        const std::size_t place = result.errors.find(begin);
        ASSERT_NE(place, std::string::npos) << result.errors;
        const std::size_t name = place + begin.size();
        const std::string record = result.errors.substr(name, result.errors.find('\'', name) - name);
        EXPECT_EQ(read_trace(read_file(record)).program, fs::path(TEFF_SAMPLE_TASKS).filename());
        fs::remove_all(fs::path(record).parent_path());
    }
    // With -o it is where the user wants it.
    fs::create_directory(path("gone"));
    const child_result result = trace({"-o", path("a"), "--html", path("gone/page.html"), "--", "sh", "-c",
                                       fmt::format("{}; rm -r {}", TEFF_SAMPLE_TASKS, path("gone"))});
    EXPECT_EQ(result.code, 0) << result.errors;
    EXPECT_TRUE(has(result.errors, "teff trace: the record is in '" + path("a") + "'"));
    EXPECT_FALSE(has(result.errors, "record.json"));
    EXPECT_EQ(read_trace(read_file(path("a"))).program, fs::path(TEFF_SAMPLE_TASKS).filename());
}

TEST_F(strange_text, pictures_are_xml) {
    const measurements results = strange_results();
    write_file(path("graph.svg"), task_graph_file(strange_graph(), strange_name));
    write_file(path("timeline.svg"), timeline_file(*results.rows.front().seen, strange_name));
    for (const char* name : {"graph.svg", "timeline.svg"}) {
        EXPECT_TRUE(is_harmless(terminal_lines(read_file(path(name)))));
        EXPECT_EQ(read_file(path(name)).find("<img"), std::string::npos);
    }
    if (!has_python())
        GTEST_SKIP() << "there is no python3";
    // The title is the first element, and has the text as it is.
    for (const char* name : {"graph.svg", "timeline.svg"})
        EXPECT_EQ(python("tree = xml.parse(name).getroot()\n"
                         "tags = sorted({each.tag.split('}')[1] for each in tree.iter()})\n"
                         "sys.stdout.buffer.write(tree[0].text.encode() + b'|' + ' '.join(\n"
                         "    each for each in tags if each in ('img', 'script')).encode())",
                         path(name)),
                  strange_in_markup + "|")
            << name;
}

TEST_F(strange_text, results_are_json) {
    nlohmann::ordered_json machine = {{"command", strange_name}, {strange_name, strange_name}};
    write_file(path("a"), json_text(results_json(machine, strange_results()), 1));
    const auto read = nlohmann::json::parse(read_file(path("a")));
    EXPECT_EQ(read["rows"][0]["kernel"], repaired(strange_name));
    EXPECT_EQ(read["skipped"][0]["reason"], repaired(strange_name));
    if (!has_python())
        GTEST_SKIP() << "there is no python3";
    EXPECT_EQ(python("file = json.load(open(name, encoding='utf-8'))\n"
                     "sys.stdout.buffer.write(file['rows'][1]['kernel'].encode())",
                     path("a")),
              repaired(strange_name));
}

TEST_F(strange_text, the_report_shows_names_and_runs_none) {
    const nlohmann::ordered_json machine = {
        {"command", strange_name}, {strange_name, strange_name}, {"list", {"\xff"}}};
    measurements results = strange_results();
    results.rows.front().graph = drawn_task_graph(strange_graph(), strange_name);
    const std::string page = report_html(machine, results, strange_presentations());
    EXPECT_EQ(page.find("<img"), std::string::npos);
    EXPECT_EQ(page.find('\x1b'), std::string::npos);
    EXPECT_EQ(repaired(page), page);
    if (chromium() == nullptr)
        GTEST_SKIP() << "there is no Chromium: apt-get install chromium";
    EXPECT_EQ(complaints(page,
                         "const cells = [...document.querySelectorAll(\"td, code, dd, h3\")].map(e => e.textContent);\n"
                         "if (cells.filter(text => text.includes(\"<img src=x onerror=\")).length < 10)\n"
                         "  wrong.push(\"the names are not there\");",
                         1),
              "right");
}

TEST_F(strange_text, simulations_are_harmless) {
    simulations results;
    const simulation what{strange_name, strange_name, 7, strange_name, strange_name, strange_name, 2};
    nlohmann::ordered_json line = {{"tasks", 5},
                                   {"seconds", 0.5},
                                   {"ns_per_task", 1},
                                   {"near_lines_per_task", 1},
                                   {"far_lines_per_task", 0},
                                   {"share", {{strange_name, 0.5}}},
                                   {"sites", {{{"where", strange_name}, {"per_task", 1}, {"waited_ns", 1}}}}};
    results.rows.push_back(read_simulated_row(what, json_text(line)));
    results.skipped.push_back({what, strange_name});
    simulate_settings settings;
    settings.threads = {2};
    const auto rows = by_program(results.rows)[0];
    for (const std::string& text : {simulation_table(rows, std::nullopt), line_table(rows, std::nullopt),
                                    skipped_list(results.skipped)}) {
        EXPECT_TRUE(is_harmless(text));
        EXPECT_TRUE(has(text, "<img src=x"));
        EXPECT_TRUE(has(text, "\\r\\n\\t\\x1b[2J"));
    }
    const std::string page = simulation_page(settings, results, strange_name);
    EXPECT_EQ(page.find("<img"), std::string::npos);
    EXPECT_EQ(page.find('\x1b'), std::string::npos);
    EXPECT_EQ(repaired(page), page);
    const auto read = nlohmann::json::parse(json_text(simulations_json(settings, results), 1));
    EXPECT_EQ(read["rows"][0]["kernel"], repaired(strange_name));
    EXPECT_EQ(read["skipped"][0]["reason"], repaired(strange_name));
}

TEST_F(strange_text, tables_have_straight_harmless_lines) {
    const measurements results = strange_results();
    const std::vector<comparison> beside = compare(results.rows);
    for (const std::string& table :
         {main_table(results.rows, beside), micro_tables(results.rows, beside, strange_presentations()),
          peer_table(results.rows, beside), task_graph_table(strange_graph())}) {
        EXPECT_TRUE(is_harmless(table));
        EXPECT_TRUE(has(table, "<img src=x"));
        EXPECT_TRUE(has(table, "\\r\\n\\t\\x1b[2J\\x01\\x7f \\u009b \\u2028 \uFFFD\uFFFD end"));
    }
    const std::string all = main_table(results.rows, beside);
    // The rule is as wide as the widest line.
    std::vector<std::size_t> widths;
    for (std::size_t begin = 0; begin < all.size(); begin = all.find('\n', begin) + 1)
        widths.push_back(columns_of(std::string_view(all).substr(begin, all.find('\n', begin) - begin)));
    EXPECT_EQ(*std::max_element(widths.begin(), widths.end()), widths.at(1));
}

// Messages and results of the whole command, also where it only repeats its own words.
TEST_F(strange_text, messages_are_harmless) {
    const std::string name = path("\x1b[2J\xff.json");
    write_file(name, "no record");
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
             {"trace", "--read", name}, {"graph", name}, {"bench", "--json", name + "/x"}, {"run", name},
             {"--\x1b[31m"}, {"trace", "--html", name + "/x", "true"}}) {
        const child_result result = run(TEFF_COMMAND, words);
        EXPECT_NE(result.code, 0);
        EXPECT_TRUE(is_harmless(result.errors));
        EXPECT_TRUE(is_harmless(result.output));
        EXPECT_TRUE(has(result.errors, "\\x1b["));
    }
}

}  // namespace
}  // namespace teff::cli
