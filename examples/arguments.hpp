// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command-line arguments of the examples, taken one after the other. A mistake ends the program with exit status 2
// and a message that says what is wrong and how the program is called; --help prints only the latter.
#pragma once

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>

class arguments {
public:
    // usage: what follows "usage: ", beginning with the program's name.
    arguments(int argc, char** argv, const char* usage) : next_(argv + 1), end_(argv + argc), usage_(usage) {
        if (next_ != end_ && std::string_view(*next_) == "--help") {
            std::printf("usage: %s\n", usage_);
            std::exit(0);
        }
    }

    // The next argument as a number from `least` to `most`, or `otherwise` if there is no further argument.
    long number(const char* name, long least, long most, long otherwise) {
        if (next_ == end_)
            return otherwise;
        const std::string_view given = *next_++;
        long value = 0;
        const auto [rest, error] = std::from_chars(given.data(), given.data() + given.size(), value);
        if (error != std::errc() || rest != given.data() + given.size() || value < least || value > most)
            complain(std::string(name) + " '" + std::string(given) + "' is not a number from " +
                     std::to_string(least) + " to " + std::to_string(most));
        return value;
    }

    // The next argument as it is, or `otherwise` if there is no further argument.
    std::string text(const char* otherwise) { return next_ == end_ ? otherwise : *next_++; }

    // To be called when all arguments that the program knows have been taken.
    void end() {
        if (next_ != end_)
            complain("there is an argument too many: '" + std::string(*next_) + "'");
    }

    [[noreturn]] void complain(const std::string& what) const {
        const std::string_view usage = usage_;
        const std::string program(usage.substr(0, usage.find(' ')));
        std::fprintf(stderr, "%s: %s\nusage: %s\n", program.c_str(), what.c_str(), usage_);
        std::exit(2);
    }

private:
    char** next_;
    char** end_;
    const char* usage_;
};
