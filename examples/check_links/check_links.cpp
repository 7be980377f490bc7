// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Follows the links from a page to the other pages of a folder, in Markdown or HTML, and names those that lead nowhere.
//
// What to learn: a search through a graph, where each node is to be visited once. parallel_for_each with a feeder is
// for work that is found while one works: the function of a page adds the pages that it links to. Which of them were
// seen before says a set that all threads insert into at once. Teff has no containers of its own: this set is oneTBB's,
// whose containers are good company for any runtime, and boost::concurrent_flat_set (Boost 1.83) does as well. What one
// needs of it is an insert() that says whether the element is new, so that of two pages with the same link only one
// adds it. A set with a std::mutex around it would do, too, if to read a page took much longer than to insert.
#include "../arguments.hpp"

#include <teff/parallel_for_each.hpp>
#include <teff/reducer.hpp>

#include <oneapi/tbb/concurrent_unordered_set.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace {

namespace fs = std::filesystem;

// Where a link begins, and what ends it.
struct form {
    std::string_view before;
    char end;
};
constexpr form forms[] = {{"](", ')'}, {"href=\"", '"'}, {"src=\"", '"'}};

bool is_page(const fs::path& file) {
    const std::string kind = file.extension().string();
    return kind == ".md" || kind == ".html" || kind == ".htm";
}

// Calls take(target) for each link to a file, without what follows a '#' or '?' in it. Links to other computers, and to
// places in the same page, are left out.
template <class Take>
void each_link(std::string_view line, Take&& take) {
    for (const form& each : forms) {
        for (std::size_t at = 0; (at = line.find(each.before, at)) != line.npos;) {
            const std::string_view left = line.substr(0, at);
            const bool is_code = std::count(left.begin(), left.end(), '`') % 2 != 0;
            at += each.before.size();
            const std::string_view link = line.substr(at, line.find(each.end, at) - at);
            const std::string_view target = link.substr(0, link.find_first_of("#? "));
            if (!is_code && !target.empty() && target.front() != '/' && target.find(':') == target.npos)
                take(target);
        }
    }
}

struct joined {
    std::vector<std::string> operator()(std::vector<std::string> left, const std::vector<std::string>& right) const {
        left.insert(left.end(), right.begin(), right.end());
        return left;
    }
};

class search {
public:
    void follow(fs::path first) {
        seen_.insert(first.string());
        const std::vector<fs::path> begin{std::move(first)};
        teff::parallel_for_each(begin, [this](const fs::path& page, teff::feeder<fs::path>& more) {
            read(page, more);
        });
    }
    long pages() const { return pages_.get(); }
    long links() const { return links_.get(); }
    // In the order of their names, which does not depend on the threads.
    std::vector<std::string> broken() const {
        std::vector<std::string> all = broken_.get();
        std::sort(all.begin(), all.end());
        return all;
    }

private:
    // Any thread, several pages at once.
    void read(const fs::path& page, teff::feeder<fs::path>& more) {
        *pages_ += 1;
        const auto take = [&](std::string_view target) {
            *links_ += 1;
            fs::path to = (page.parent_path() / target).lexically_normal();
            std::error_code error;
            if (!fs::exists(to, error))
                broken_->push_back(page.string() + ": " + std::string(target));
            else if (is_page(to) && seen_.insert(to.string()).second)
                more.add(std::move(to));
        };
        std::ifstream file(page);
        const bool is_markdown = page.extension() == ".md";
        bool is_code = false;
        for (std::string line; std::getline(file, line);) {
            if (is_markdown && line.starts_with("```"))
                is_code = !is_code;
            else if (!is_code && !(is_markdown && line.starts_with("    ")))
                each_link(line, take);
        }
    }

    oneapi::tbb::concurrent_unordered_set<std::string> seen_;
    teff::reducer<long> pages_;
    teff::reducer<long> links_;
    teff::reducer<std::vector<std::string>, joined> broken_;
};

}  // namespace

int main(int argc, char** argv) {
    arguments given(argc, argv, "check_links PAGE");
    const std::string first = given.text("");
    if (first.empty())
        given.complain("the PAGE is missing");
    given.end();
    if (std::ifstream file(first); !file || fs::is_directory(first)) {
        std::fprintf(stderr, "check_links: %s: it cannot be read\n", first.c_str());
        return 1;
    }

    search links;
    links.follow(fs::path(first).lexically_normal());
    const std::vector<std::string> broken = links.broken();
    for (const std::string& each : broken)
        std::printf("%s\n", each.c_str());
    std::printf("%ld pages, %ld links, %zu of them broken\n", links.pages(), links.links(), broken.size());
    return broken.empty() ? 0 : 1;
}
