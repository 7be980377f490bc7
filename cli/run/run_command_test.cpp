// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `teff run` as a whole: the built command starts real programs, with the runtime of the build. What the loader does
// with them is read from the programs' own memory maps.
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cli/bench/child_process.hpp>
#include <cli/test_support.hpp>

namespace teff::cli {
namespace {

namespace fs = std::filesystem;

using words = std::vector<std::string>;
using named_values = std::vector<std::pair<std::string, std::string>>;

child_result teff_run(const words& arguments, const named_values& variables = {}) {
    child_request request;
    request.program = TEFF_COMMAND;
    request.arguments = {"run"};
    request.arguments.insert(request.arguments.end(), arguments.begin(), arguments.end());
    request.environment = variables;
    request.removed_prefixes = {"TEFF_", "OMP_", "LD_"};
    request.limit_seconds = 60;
    return run_child(request);
}

// A folder for programs that a test makes.
class run_command : public test_in_folder {
protected:
    std::string script(const std::string& name, const std::string& text) const {
        std::ofstream(folder_ / name) << text;
        fs::permissions(folder_ / name, fs::perms::owner_all);
        return folder_ / name;
    }
};

TEST_F(run_command, a_program_has_the_runtime_and_the_variables) {
#if defined(TEFF_EMULATED)
    GTEST_SKIP() << "the shell is for another processor";
#endif
    const child_result result = teff_run({"--threads", "3", "--scheduler=fifo", "--tracker", "graph", "--", "sh", "-c",
                                     "cat /proc/$$/maps; env"},
                                    {{"LD_LIBRARY_PATH", "/nonexistent"}, {"OMP_NUM_THREADS", "7"}});
    EXPECT_EQ(result.code, 0) << result.errors;
    EXPECT_EQ(result.errors, "");
    const fs::path runtime = fs::canonical(fs::path(TEFF_COMMAND).parent_path() / "../lib/teff/libomp.so.5");
    EXPECT_TRUE(has(result.output, runtime.string() + "\n"));
    const fs::path core = fs::canonical(runtime.parent_path() / "../libteff-core.so");
    EXPECT_TRUE(has(result.output, core.string() + "\n"));
    EXPECT_TRUE(has(result.output, "LD_LIBRARY_PATH=" + runtime.parent_path().string() + ":/nonexistent\n"));
    EXPECT_TRUE(has(result.output, "TEFF_SCHEDULER=fifo\n"));
    EXPECT_TRUE(has(result.output, "TEFF_TRACKER=graph\n"));
    EXPECT_TRUE(has(result.output, "TEFF_NUM_THREADS=3\n"));
    EXPECT_TRUE(has(result.output, "OMP_NUM_THREADS=3\n"));
}

TEST_F(run_command, what_was_preloaded_stays) {
    const child_result result = teff_run({"sh", "-c", "cat /proc/$$/maps; echo preload $LD_PRELOAD"},
                                    {{"LD_PRELOAD", TEFF_SAMPLE_RUNTIME}});
    EXPECT_EQ(result.code, 0) << result.errors;
    EXPECT_TRUE(has(result.output, std::string(TEFF_SAMPLE_RUNTIME) + "\n"));
    EXPECT_TRUE(has(result.output, std::string("/lib/teff/libomp.so.5:") + TEFF_SAMPLE_RUNTIME + "\n"));
}

TEST_F(run_command, the_words_of_the_program_are_its_own) {
    const child_result result =
        teff_run({"--threads", "2", "sh", "-c", "printf '%s,' \"$@\"", "name", "--threads", "--help", "--", "a b"});
    EXPECT_EQ(result.code, 0) << result.errors;
    EXPECT_EQ(result.output, "--threads,--help,--,a b,");
}

TEST_F(run_command, the_exit_status_is_that_of_the_program) {
    for (const int status : {0, 1, 77, 255})
        EXPECT_EQ(teff_run({"--", "sh", "-c", "exit " + std::to_string(status)}).code, status);
    const child_result stopped = teff_run({"--", "sh", "-c", "kill -SEGV $$"});
    EXPECT_EQ(stopped.ending, child_ending::signalled);
    EXPECT_EQ(stopped.code, SIGSEGV);
    // As the user's shell shows it.
    const child_result shown =
        teff_run({"--", "sh", "-c", std::string(TEFF_COMMAND) + " run -- sh -c 'kill -TERM $$'; echo $?"});
    EXPECT_TRUE(has(shown.output, std::to_string(128 + SIGTERM) + "\n"));
}

TEST_F(run_command, a_program_that_is_not_started_has_a_status_of_its_own) {
    const auto refused = [](const words& arguments, int status, const std::string& reason) {
        const child_result result = teff_run(arguments);
        EXPECT_EQ(result.ending, child_ending::exited);
        EXPECT_EQ(result.code, status) << reason;
        EXPECT_EQ(result.output, "");
        EXPECT_TRUE(has(result.errors, reason));
        EXPECT_EQ(result.errors.find('\n'), result.errors.size() - 1) << result.errors;
    };
    refused({"--", "no-program-has-this-name"}, 127, "'no-program-has-this-name' is not found in the folders of PATH");
    refused({"--", folder_ / "missing"}, 127, "missing' cannot be started: No such file");
    refused({"--", folder_}, 126, "cannot be started: it is a folder");
    std::ofstream(folder_ / "data") << "data";
    refused({"--", folder_ / "data"}, 126, "data' cannot be started: Permission denied");
    refused({"--", script("lost", "#!/nonexistent/sh\n")}, 126, "its interpreter '/nonexistent/sh' does not exist");
    refused({}, 125, "no program is given");
    refused({"--threads", "2", "--"}, 125, "no program is given");
    refused({"--thread", "2", "--", "true"}, 125, "unknown option '--thread' (did you mean '--threads'?)");
    refused({"--threads"}, 125, "--threads: 1 required N missing");
    refused({"--threads", "0", "--", "true"}, 125, "--threads: '0' is not a whole number from 1 to 4096 or auto");
    refused({"--threads", "1,2", "--", "true"}, 125, "--threads: '1,2' is not a whole number");
    refused({"--scheduler", "list", "--", "true"}, 125, "--scheduler: 'list' is not one of demand, ");
    refused({"--scheduler", "fif", "--", "true"}, 125, "did you mean fifo?");
    refused({"--tracker", "", "--", "true"}, 125, "--tracker: '' is not one of ");
}

TEST_F(run_command, text_without_an_interpreter_is_run_by_the_shell) {
    const std::string file = script("text", "echo \"$0\" \"$@\"; exit 4\n");
    const child_result result = teff_run({"--", file, "one", "two"});
    EXPECT_EQ(result.code, 4) << result.errors;
    EXPECT_EQ(result.output, file + " one two\n");
}

TEST_F(run_command, a_static_program_runs_and_is_told_of) {
    const child_result result = teff_run({"--", TEFF_SAMPLE_STATIC, "more"});
    EXPECT_EQ(result.code, 3);
    EXPECT_TRUE(has(result.errors, "teff run: the program runs without Teff: '" TEFF_SAMPLE_STATIC
                                   "' is linked statically, so that no library can be loaded into it: "));
    // It is the interpreter that counts.
    const child_result indirect = teff_run({"--", script("indirect", "#!" TEFF_SAMPLE_STATIC "\n")});
    EXPECT_EQ(indirect.code, 3);
    EXPECT_TRUE(has(indirect.errors, "linked statically"));
}

TEST_F(run_command, a_runtime_inside_the_program_is_told_of) {
    const child_result result = teff_run({"--", TEFF_SAMPLE_INSIDE});
    EXPECT_EQ(result.code, 0);
    EXPECT_TRUE(has(result.errors, "has another OpenMP runtime inside, whose functions come first"));
}

TEST_F(run_command, another_runtime_that_is_loaded_too_is_told_of_if_asked) {
    EXPECT_EQ(teff_run({"--", TEFF_SAMPLE_OTHER}).errors, "");
    const child_result result = teff_run({"--verbose", "--", TEFF_SAMPLE_OTHER, "more"});
    EXPECT_EQ(result.code, 3);
    EXPECT_TRUE(has(result.errors, "may load another libgomp-0a1b2c3d.so, too: Teff's functions come before it\n"));
    EXPECT_TRUE(has(result.errors, "/lib/teff/libomp.so.5 in LD_PRELOAD and LD_LIBRARY_PATH\n"));
}

#if defined(TEFF_SAMPLE_OPENMP)
TEST_F(run_command, the_runtime_says_that_it_is_active) {
    const words arguments = {"--threads", "3", "--scheduler", "sherwood", "--", TEFF_SAMPLE_OPENMP};
    const child_result silent = teff_run(arguments);
    EXPECT_EQ(silent.output, "3 threads\n");
    EXPECT_EQ(silent.errors, "");
    words verbose = arguments;
    verbose.insert(verbose.begin(), "--verbose");
    const child_result result = teff_run(verbose, {{"LD_PRELOAD", TEFF_SAMPLE_RUNTIME}});
    EXPECT_EQ(result.output, "3 threads\n");
    EXPECT_TRUE(has(result.errors, ", and gets Teff\n"));
    EXPECT_TRUE(has(result.errors, "/lib/teff/libomp.so.5, for libgomp.so.1, libomp.so.5 and libiomp5.so; scheduler "
                                   "sherwood, tracker embedded_hypergraph, threads 3\n"));
    EXPECT_TRUE(has(result.errors, std::string("for a function: ") + TEFF_SAMPLE_RUNTIME + "\n"));
    // What the program asks for under another name is this runtime, and not another one beside it.
    EXPECT_FALSE(has(result.errors, "libgomp.so.1\n"));
}
#endif

TEST_F(run_command, a_program_with_other_rights_is_told_of) {
    const fs::path copy = folder_ / "copy";
    fs::copy_file(TEFF_SAMPLE_OTHER, copy);
    constexpr uid_t another = 65534;
    if (::chown(copy.c_str(), another, static_cast<gid_t>(-1)) != 0)
        GTEST_SKIP() << "only root may give a file away";
    ASSERT_EQ(::chmod(folder_.c_str(), 0755), 0);
    ASSERT_EQ(::chmod(copy.c_str(), 04755), 0);
    const child_result check = teff_run({"--", copy});
    EXPECT_EQ(check.code, 0) << check.errors;
    EXPECT_TRUE(has(check.errors, "copy' runs with more rights than its user (setuid), so that the loader"));
}

// Starts the command with a pipe at its standard output, and one at its standard input that stays open.
TEST_F(run_command, signals_reach_the_program) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1}) {
        int output[2];
        int input[2];
        ASSERT_EQ(::pipe(output), 0);
        ASSERT_EQ(::pipe(input), 0);
        const pid_t child = ::fork();
        if (child == 0) {
            ::dup2(input[0], STDIN_FILENO);
            ::dup2(output[1], STDOUT_FILENO);
            ::execl(TEFF_COMMAND, "teff", "run", "--", "sh", "-c",
                    "trap 'exit 9' INT TERM HUP USR1; echo ready; read never; exit 1", nullptr);
            ::_exit(99);
        }
        ::close(output[1]);
        char ready[6];
        EXPECT_EQ(::read(output[0], ready, sizeof ready), 6);
        EXPECT_EQ(::kill(child, signal), 0);
        // The shell may get the signal just before it reads; then it handles the signal after it has read this line.
        EXPECT_EQ(::write(input[1], "\n", 1), 1);
        int status = 0;
        EXPECT_EQ(::waitpid(child, &status, 0), child);
        EXPECT_TRUE(WIFEXITED(status));
        EXPECT_EQ(WEXITSTATUS(status), 9);
        for (const int end : {output[0], input[0], input[1]})
            ::close(end);
    }
}

TEST_F(run_command, a_command_without_a_runtime_beside_it_says_so) {
    fs::create_directories(folder_ / "bin");
    fs::copy_file(TEFF_COMMAND, folder_ / "bin/teff");
    child_request request;
    request.program = folder_ / "bin/teff";
    request.arguments = {"run", "true"};
    const child_result result = run_child(request);
    EXPECT_EQ(result.code, 125);
    EXPECT_TRUE(has(result.errors, "Teff's OpenMP runtime is not in '" + (folder_ / "lib/teff'").string()));
}

}  // namespace
}  // namespace teff::cli
