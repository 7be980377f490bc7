// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The contents of a file and of its folder after it was written or could not be: links, folders that others may
// write, devices, pipes, failures in the middle. Cases with another user need root, and run as that user in a child.
#include <teff/base/whole_file.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace teff {
namespace {

namespace fs = std::filesystem;

constexpr uid_t other_user = 65533, third_user = 65532;

class whole_files : public ::testing::Test {
protected:
    whole_files() {
        std::string pattern = ::testing::TempDir() + "whole_file_XXXXXX";
        EXPECT_NE(::mkdtemp(pattern.data()), nullptr);
        folder_ = pattern;
        // For the other users of the tests.
        fs::permissions(folder_, fs::perms(0755));
    }
    ~whole_files() override { fs::remove_all(folder_); }

    [[nodiscard]] std::string path(const std::string& name) const { return folder_ / name; }
    [[nodiscard]] std::string text(const std::string& name) const {
        std::ifstream stream(folder_ / name);
        return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    }
    void make(const std::string& name, const std::string& content) const { std::ofstream(folder_ / name) << content; }
    // All names in the folder, in order.
    [[nodiscard]] std::vector<std::string> names(const std::string& in = ".") const {
        std::vector<std::string> all;
        for (const auto& each : fs::directory_iterator(folder_ / in))
            all.push_back(each.path().filename());
        std::sort(all.begin(), all.end());
        return all;
    }
    [[nodiscard]] mode_t mode(const std::string& name) const {
        struct stat there{};
        ::stat(path(name).c_str(), &there);
        return there.st_mode & 0777;
    }

    // Empty, or why the text could not be written.
    static std::string write(const std::string& to, std::string_view content) {
        whole_file file;
        std::FILE* const stream = file.open(to.c_str());
        if (stream == nullptr)
            return file.problem().why;
        std::fwrite(content.data(), 1, content.size(), stream);
        return file.close() ? "" : file.problem().why;
    }
    static std::string problem(const std::string& of) {
        whole_file file;
        const file_problem found = file.find_problem(of.c_str());
        return found ? found.why : "";
    }

    // Makes the folder "shared" that everybody may write, owned by `owner`, with or without the sticky bit.
    void make_shared_folder(uid_t owner, mode_t with) const {
        ASSERT_EQ(::mkdir(path("shared").c_str(), 0777), 0);
        ASSERT_EQ(::chown(path("shared").c_str(), owner, owner), 0);
        ASSERT_EQ(::chmod(path("shared").c_str(), with), 0);
    }
    // Calls body() as that user, in a child; returns whether it returned true.
    template <class Body>
    static bool is_true_as(uid_t user, Body&& body) {
        const pid_t child = ::fork();
        if (child == 0)
            ::_exit(::setgid(user) == 0 && ::setuid(user) == 0 && body() ? 0 : 1);
        int status = -1;
        ::waitpid(child, &status, 0);
        return WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }

private:
    fs::path folder_;
};

constexpr std::string_view foreign = "another user has made what is there, in a folder where others may write";
using names_of_files = std::vector<std::string>;

TEST_F(whole_files, a_new_file_has_the_permissions_that_the_umask_leaves) {
    const mode_t before = ::umask(027);
    EXPECT_EQ(write(path("a"), "text"), "");
    ::umask(before);
    EXPECT_EQ(text("a"), "text");
    EXPECT_EQ(mode("a"), 0640U);
    EXPECT_EQ(names(), names_of_files{"a"});
}

TEST_F(whole_files, a_file_is_replaced_by_a_new_one_with_its_permissions) {
    make("a", "something longer than what comes");
    fs::permissions(path("a"), fs::perms(0600));
    fs::create_hard_link(path("a"), path("other_name"));
    EXPECT_EQ(write(path("a"), "new"), "");
    EXPECT_EQ(text("a"), "new");
    EXPECT_EQ(mode("a"), 0600U);
    // The old file itself was not written.
    EXPECT_EQ(text("other_name"), "something longer than what comes");
    EXPECT_EQ(names(), (names_of_files{"a", "other_name"}));
}

TEST_F(whole_files, the_group_of_a_file_is_kept_and_no_other_one_may_read_more) {
    if (::geteuid() != 0)
        GTEST_SKIP() << "needs root: a case with another user";
    const auto make_as = [&](const char* name, mode_t with) {
        make(name, "old");
        fs::permissions(path(name), fs::perms(with));
        EXPECT_EQ(::chown(path(name).c_str(), other_user, third_user), 0);
    };
    const auto is = [&](const char* name, uid_t user, gid_t group, mode_t with) {
        struct stat there{};
        return ::stat(path(name).c_str(), &there) == 0 && there.st_uid == user && there.st_gid == group &&
               mode(name) == with && text(name) == "new";
    };
    make_as("by_root", 0640);
    EXPECT_EQ(write(path("by_root"), "new"), "");
    EXPECT_TRUE(is("by_root", other_user, third_user, 0640));
    // This user is not in the group, so the file's permissions would be those of another one.
    ASSERT_EQ(::chown(path(".").c_str(), other_user, other_user), 0);
    make_as("secret", 0660);
    make_as("open", 0664);
    EXPECT_TRUE(is_true_as(other_user,
                           [&] { return write(path("secret"), "new") == "" && write(path("open"), "new") == ""; }));
    EXPECT_TRUE(is("secret", other_user, other_user, 0600));
    EXPECT_TRUE(is("open", other_user, other_user, 0644));
}

TEST_F(whole_files, nobody_sees_a_part) {
    make("a", "old");
    whole_file file;
    std::FILE* const stream = file.open(path("a").c_str());
    ASSERT_NE(stream, nullptr);
    std::fputs("new", stream);
    std::fflush(stream);
    EXPECT_EQ(text("a"), "old");
    EXPECT_EQ(names().size(), 2U);
    file.discard();
    EXPECT_EQ(text("a"), "old");
    EXPECT_EQ(names(), names_of_files{"a"});
    // The object can be used again.
    ASSERT_NE(file.open(path("a").c_str()), nullptr);
    EXPECT_TRUE(file.close());
    EXPECT_EQ(text("a"), "");
}

TEST_F(whole_files, the_new_file_is_not_inherited_by_programs) {
    whole_file file;
    std::FILE* const stream = file.open(path("a").c_str());
    ASSERT_NE(stream, nullptr);
    EXPECT_NE(::fcntl(::fileno(stream), F_GETFD) & FD_CLOEXEC, 0);
    file.discard();
}

TEST_F(whole_files, relative_paths_and_the_longest_name) {
    const fs::path before = fs::current_path();
    fs::current_path(path("."));
    EXPECT_EQ(write("a", "1"), "");
    EXPECT_EQ(write("./b", "2"), "");
    fs::create_directory("f");
    EXPECT_EQ(write("f/../f//c", "3"), "");
    EXPECT_EQ(write(std::string(255, 'n'), "4"), "");
    EXPECT_EQ(write(std::string(256, 'n'), "5"), "File name too long");
    fs::current_path(before);
    EXPECT_EQ(text("a") + text("b") + text("f/c") + text(std::string(255, 'n')), "1234");
}

TEST_F(whole_files, what_is_no_place_for_a_file_is_told_and_left) {
    fs::create_directory(path("f"));
    make("a", "old");
    for (const auto& [name, why] : {std::pair{"f", "Is a directory"}, std::pair{"f/", "Is a directory"},
                                    std::pair{"f/..", "Is a directory"}, std::pair{"a/b", "Not a directory"},
                                    std::pair{"none/b", "No such file or directory"}}) {
        EXPECT_EQ(problem(path(name)), why) << name;
        EXPECT_EQ(write(path(name), "x"), why) << name;
    }
    EXPECT_EQ(write("", "x"), "No such file or directory");
    EXPECT_EQ(names(), (names_of_files{"a", "f"}));
    EXPECT_EQ(text("a"), "old");
}

TEST_F(whole_files, looking_for_a_problem_changes_nothing) {
    make("a", "old");
    EXPECT_EQ(problem(path("a")), "");
    EXPECT_EQ(problem(path("b")), "");
    EXPECT_EQ(text("a"), "old");
    EXPECT_EQ(names(), names_of_files{"a"});
}

TEST_F(whole_files, a_link_is_replaced_and_its_file_stays) {
    make("victim", "old");
    fs::create_symlink("victim", path("link"));
    fs::create_symlink("link", path("link_to_link"));
    fs::create_symlink("nothing", path("to_nothing"));
    fs::create_symlink("no/thing", path("to_no_folder"));
    for (const char* name : {"link_to_link", "link", "to_nothing", "to_no_folder"}) {
        EXPECT_EQ(write(path(name), name), "");
        EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(path(name)))) << name;
        EXPECT_EQ(text(name), name);
    }
    EXPECT_EQ(text("victim"), "old");
    EXPECT_FALSE(fs::exists(path("nothing")));
    fs::create_directory(path("f"));
    fs::create_symlink("f", path("to_folder"));
    EXPECT_EQ(write(path("to_folder"), "x"), "Is a directory");
    fs::create_symlink("round", path("round"));
    EXPECT_EQ(write(path("round"), "x"), "Too many levels of symbolic links");
    EXPECT_EQ(text("victim"), "old");
}

TEST_F(whole_files, a_link_to_a_folder_is_followed) {
    fs::create_directories(path("f/g"));
    fs::create_symlink("f/g", path("relative"));
    fs::create_symlink(path("relative"), path("absolute"));
    EXPECT_EQ(write(path("absolute/a"), "1"), "");
    EXPECT_EQ(write(path("relative/../b"), "2"), "");
    EXPECT_EQ(text("f/g/a"), "1");
    EXPECT_EQ(text("f/b"), "2");
}

TEST_F(whole_files, a_failure_in_the_middle_leaves_the_old_file) {
    make("a", "old");
    const pid_t child = ::fork();
    if (child == 0) {
        std::signal(SIGXFSZ, SIG_IGN);
        const rlimit most{10'000, 10'000};
        ::setrlimit(RLIMIT_FSIZE, &most);
        ::_exit(write(path("a"), std::string(100'000, 'x')) == "File too large" ? 0 : 1);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(text("a"), "old");
    EXPECT_EQ(names(), names_of_files{"a"});
}

TEST_F(whole_files, devices_are_written_and_stay) {
    struct stat before{}, after{};
    ASSERT_EQ(::stat("/dev/null", &before), 0);
    EXPECT_EQ(write("/dev/null", "x"), "");
    EXPECT_EQ(problem("/dev/null"), "");
    ASSERT_EQ(::stat("/dev/null", &after), 0);
    EXPECT_TRUE(S_ISCHR(after.st_mode));
    EXPECT_EQ(before.st_ino, after.st_ino);
    EXPECT_EQ(problem("/dev/full"), "No space left on device");
    EXPECT_EQ(write("/dev/full", "x"), "No space left on device");
    // Also by a link of one's own.
    fs::create_symlink("/dev/full", path("link"));
    EXPECT_EQ(problem(path("link")), "No space left on device");
    EXPECT_TRUE(fs::is_symlink(path("link")));
}

TEST_F(whole_files, a_pipe_gets_all_at_once_and_no_end_before) {
    ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
    std::string read;
    // Opening it for reading waits for a writer, and it is read up to the first end.
    std::thread reader([&] { read = text("pipe"); });
    EXPECT_EQ(problem(path("pipe")), "");
    EXPECT_EQ(write(path("pipe"), "through a pipe"), "");
    reader.join();
    EXPECT_EQ(read, "through a pipe");
    EXPECT_TRUE(fs::is_fifo(path("pipe")));
}

TEST_F(whole_files, a_descriptor_is_written_at_the_end_of_its_file) {
    make("a", "before\n");
    const int descriptor = ::open(path("a").c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    const std::string name = "/dev/fd/" + std::to_string(descriptor);
    EXPECT_EQ(problem(name), "");
    EXPECT_EQ(write(name, "record\n"), "");
    ASSERT_EQ(::write(descriptor, "after\n", 6), 6);
    fs::create_symlink(name, path("link"));
    EXPECT_EQ(write(path("link"), "again\n"), "");
    ::close(descriptor);
    EXPECT_EQ(text("a"), "before\nrecord\nafter\nagain\n");
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    EXPECT_EQ(write("/proc/self/fd/" + std::to_string(ends[1]), "piped"), "");
    char got[6]{};
    EXPECT_EQ(::read(ends[0], got, sizeof got), 5);
    EXPECT_STREQ(got, "piped");
    // One that nobody reads any more does not make the writer wait.
    ::close(ends[0]);
    const auto before = std::signal(SIGPIPE, SIG_IGN);
    EXPECT_EQ(write("/proc/self/fd/" + std::to_string(ends[1]), "x"), "Broken pipe");
    std::signal(SIGPIPE, before);
    ::close(ends[1]);
}

TEST_F(whole_files, a_folder_or_a_file_that_may_not_be_written_is_left) {
    if (::geteuid() != 0)
        GTEST_SKIP() << "needs root: a case with another user";
    make("protected", "old");
    fs::permissions(path("protected"), fs::perms(0444));
    ASSERT_EQ(::chown(path(".").c_str(), other_user, other_user), 0);
    ASSERT_EQ(::chown(path("protected").c_str(), other_user, other_user), 0);
    EXPECT_TRUE(is_true_as(other_user, [&] { return write(path("protected"), "x") == "Permission denied"; }));
    EXPECT_TRUE(is_true_as(third_user, [&] {
        return write(path("new"), "x") == "Permission denied" && problem(path("new")) == "Permission denied";
    }));
    EXPECT_EQ(text("protected"), "old");
    EXPECT_EQ(names(), names_of_files{"protected"});
}

TEST_F(whole_files, in_a_shared_folder_what_another_user_has_made_is_refused) {
    if (::geteuid() != 0)
        GTEST_SKIP() << "needs root: a case with another user";
    make("victim", "old");
    fs::permissions(path("victim"), fs::perms(0666));
    make_shared_folder(0, 01777);
    EXPECT_TRUE(is_true_as(other_user, [&] {
        return ::symlink(path("victim").c_str(), path("shared/link").c_str()) == 0 &&
               ::symlink(path(".").c_str(), path("shared/folder").c_str()) == 0 &&
               ::symlink("/dev/null", path("shared/device").c_str()) == 0 &&
               ::mkfifo(path("shared/pipe").c_str(), 0666) == 0 && write(path("shared/file"), "theirs") == "";
    }));
    ::chmod(path("shared/pipe").c_str(), 0666);
    for (const uid_t user : {uid_t{0}, third_user})
        EXPECT_TRUE(is_true_as(user, [&] {
            for (const char* name : {"shared/link", "shared/folder/victim", "shared/device", "shared/pipe",
                                     "shared/file"})
                if (write(path(name), "x") != foreign || problem(path(name)) != foreign) {
                    std::fprintf(stderr, "%s: %s\n", name, write(path(name), "x").c_str());
                    return false;
                }
            return true;
        }));
    EXPECT_EQ(text("victim"), "old");
    EXPECT_EQ(text("shared/file"), "theirs");
    EXPECT_EQ(names("shared"), (names_of_files{"device", "file", "folder", "link", "pipe"}));
    // The user's own links and files are as elsewhere, and so are those of the folder's owner.
    EXPECT_TRUE(is_true_as(other_user, [&] {
        return write(path("shared/link"), "new") == "" && write(path("shared/file"), "again") == "";
    }));
    EXPECT_EQ(text("victim"), "old");
    EXPECT_EQ(text("shared/link") + text("shared/file"), "newagain");
    fs::create_symlink("/dev/null", path("shared/of_owner"));
    EXPECT_TRUE(is_true_as(third_user, [&] { return write(path("shared/of_owner"), "x") == ""; }));
}

TEST_F(whole_files, a_folder_that_is_shared_or_sticky_alone_is_as_both) {
    if (::geteuid() != 0)
        GTEST_SKIP() << "needs root: a case with another user";
    make("victim", "old");
    for (const mode_t with : {mode_t{0777}, mode_t{01770}}) {
        make_shared_folder(third_user, with);
        ASSERT_EQ(::symlink(path("victim").c_str(), path("shared/link").c_str()), 0);
        ASSERT_EQ(::lchown(path("shared/link").c_str(), other_user, other_user), 0);
        EXPECT_EQ(write(path("shared/link"), "x"), foreign);
        fs::remove_all(path("shared"));
    }
    // A folder that only its owner may write is the owner's business.
    make_shared_folder(other_user, 0755);
    ASSERT_EQ(::symlink(path("victim").c_str(), path("shared/link").c_str()), 0);
    ASSERT_EQ(::lchown(path("shared/link").c_str(), third_user, third_user), 0);
    EXPECT_EQ(write(path("shared/link"), "new"), "");
    EXPECT_EQ(text("shared/link"), "new");
    EXPECT_EQ(text("victim"), "old");
}

}  // namespace
}  // namespace teff
