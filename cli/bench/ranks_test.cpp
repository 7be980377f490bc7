// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `teff bench --kind mpi` with a runner that computes nothing and an mpirun that starts one process: which rows there
// are, how ranks are started, with what they are compared, and what is said if something is missing.
#include <cli/bench/bench_fixture.hpp>

namespace teff::cli {
namespace {

class bench_ranks : public bench_command {
protected:
    void SetUp() override {
        bench_command::SetUp();
        install_all();
        install_on_ranks();
        std::filesystem::create_directories(mpi_folder());
        std::filesystem::copy_file(std::filesystem::path(TEFF_SOURCE_DIR) / "cli/bench/fake_mpirun.sh",
                                   mpi_folder() / "mpirun");
        const char* const path = std::getenv("PATH");
        environment_.emplace_back("PATH", mpi_folder().string() + ":" + (path == nullptr ? "" : path));
        // Two processors, wherever the test runs.
        environment_.emplace_back("TEFF_NUM_THREADS", "2");
    }
    void install_on_ranks() const {
        std::filesystem::copy_file(std::filesystem::path(TEFF_SOURCE_DIR) / "cli/bench/fake_runner.sh",
                                   folder_ / "build/bin/teff-mpi-bench");
    }
    // With blanks, as the user's folder may have them.
    [[nodiscard]] std::filesystem::path mpi_folder() const { return folder_ / "the user's mpi"; }
    [[nodiscard]] std::string started() const { return read(mpi_folder() / "started"); }
};

// "RUNTIME RANKS THREADS SECONDS" of the rows with that size.
std::vector<std::string> rows_of(const nlohmann::json& results, const std::string& size) {
    std::vector<std::string> found;
    for (const auto& row : results["rows"])
        if (row["size"] == size && row["variant"] != "stack")
            found.push_back(row["runtime"].get<std::string>() + " " + row["ranks"].dump() + " " +
                            row["threads"].dump() + " " + row["seconds_median"].dump());
    return found;
}

TEST_F(bench_ranks, stand_beside_one_process_with_as_many_threads) {
    const child_result result = run("spread --kind mpi --ranks 1,2,4 --runs 2");
    EXPECT_EQ(result.code, 0) << result.errors;
    const auto results = json();
    const std::vector<std::string> expected = {"serial null 1 0.4",  "teff null 1 0.1",   "teff null 2 0.1",
                                               "teff-mpi 1 1 0.15",  "teff-mpi 2 1 0.15", "teff-mpi 4 1 0.15",
                                               "mpi 1 1 0.2",        "mpi 2 1 0.2",       "mpi 4 1 0.2",
                                               "libgomp null 1 0.2", "libgomp null 2 0.2"};
    EXPECT_EQ(rows_of(results, "3"), expected);
    EXPECT_EQ(rows_of(results, "4"), expected);
    EXPECT_TRUE(has(result.output, "/process"));
    EXPECT_TRUE(has(result.output, "2-101 %"));
    EXPECT_TRUE(has(result.output, "teff beside the best peer"));
    const auto* on_ranks = find(results["rows"], "teff-mpi");
    ASSERT_NE(on_ranks, nullptr);
    EXPECT_EQ((*on_ranks)["kind"], "mpi");
    EXPECT_EQ((*on_ranks)["scheduler"], "demand");
    EXPECT_EQ((*on_ranks)["peak_rank_mib_median"], 31.0);
}

TEST_F(bench_ranks, compare_four_ranks_with_the_threads_of_two_processors) {
    const child_result result = run("spread:3 --kind mpi --ranks 4 --runs 1 --runtime teff,teff-mpi,mpi");
    EXPECT_EQ(result.code, 0) << result.errors;
    // 0.15 s beside 0.1 s of one process with 2 threads, and 0.2 s of the peer.
    for (const std::string& line : split_list(result.output, '\n'))
        if (has(line, "teff-mpi") && has(line, "0.1500")) {
            EXPECT_TRUE(has(line, "1.500")) << line;
            EXPECT_TRUE(has(line, "0.750")) << line;
        }
    EXPECT_TRUE(has(result.output, "1.500"));
    EXPECT_TRUE(has(result.output, "mpi 4 ranks (gcc)"));
}

TEST_F(bench_ranks, are_started_by_mpirun) {
    ASSERT_EQ(run("spread:3 --kind mpi --ranks 2 --threads 3 --runs 1 --runtime teff-mpi,mpi --counters").code, 0);
    const std::string program = folder_ / "build/bin/teff-mpi-bench";
    const std::string rest = " oversubscribe=1 binding=none root=1,1\n";
    const std::string on_ranks = " --kernel spread --variant nowait --runtime teff-mpi --json --size 3 --threads 3";
    EXPECT_TRUE(has(started(), "mpirun 2 " + program + on_ranks + " --scheduler demand --counters" + rest))
        << started();
    // The peer has a rank for each worker.
    const std::string plain = " --kernel spread --variant nowait --runtime mpi --json --size 3 --threads 1";
    EXPECT_TRUE(has(started(), "mpirun 6 " + program + plain + " --counters" + rest)) << started();
}

TEST_F(bench_ranks, have_a_row_per_scheduler) {
    ASSERT_EQ(run("spread:3 --kind mpi --ranks 2 --runs 1 --runtime teff-mpi --scheduler demand,ompi").code, 0);
    const auto results = json();
    ASSERT_EQ(results["rows"].size(), 2U);
    EXPECT_EQ(results["rows"][1]["scheduler"], "ompi");
}

TEST_F(bench_ranks, with_a_wrong_answer_fail) {
    const child_result result = run("astray --kind mpi --ranks 2 --runs 1 --runtime teff-mpi");
    EXPECT_EQ(result.code, 1);
    EXPECT_TRUE(has(result.output, "astray 3 nowait teff-mpi gcc demand, 2 ranks, 1 thread: wrong answer: 41 instead "
                                   "of 42"))
        << result.output;
}

TEST_F(bench_ranks, without_mpirun_are_skipped) {
    std::filesystem::remove(mpi_folder() / "mpirun");
    // Folders with other programs would do as well.
    environment_.front().second = mpi_folder().string();
    const child_result result = run("spread:3 --kind mpi --ranks 2 --runs 1 --runtime teff,teff-mpi");
    EXPECT_EQ(result.code, 0) << result.errors;
    const std::string reason = "teff-mpi: there is no mpirun and no mpiexec in PATH; run `make mpi`, or install MPI";
    EXPECT_TRUE(has(result.errors, "teff bench: " + reason)) << result.errors;
    EXPECT_TRUE(has(result.output, "  " + reason));
    EXPECT_EQ(json()["rows"].size(), 1U);
}

TEST_F(bench_ranks, are_started_by_mpiexec_if_there_is_no_mpirun) {
    std::filesystem::rename(mpi_folder() / "mpirun", mpi_folder() / "mpiexec");
    environment_.front().second = mpi_folder().string();
    EXPECT_EQ(run("spread:3 --kind mpi --ranks 2 --runs 1 --runtime teff-mpi").code, 0);
    EXPECT_EQ(json()["rows"].size(), 1U);
}

TEST_F(bench_ranks, without_their_runner_are_skipped) {
    std::filesystem::remove(folder_ / "build/bin/teff-mpi-bench");
    const child_result result = run("spread:3 --kind mpi --ranks 2 --runs 1");
    EXPECT_EQ(result.code, 0) << result.errors;
    EXPECT_TRUE(has(result.output, "  teff-mpi: not installed; run `make mpi`"));
    EXPECT_TRUE(has(result.output, "  mpi: not installed; run `make mpi`"));
}

TEST_F(bench_ranks, are_refused_where_they_mean_nothing) {
    const struct {
        std::string words, expected;
    } cases[] = {
        {"good --ranks 2", "--ranks '2': kernels of kind reduce run in one process; add --kind mpi, or leave --ranks "
                           "out"},
        {"--kind mpi --ranks 0", "--ranks '0': not a positive whole number; use a list of numbers from 1 to 4096"},
        {"--kind mpi --ranks ,", "--ranks ',': the list is empty"},
        {"--kind mpi --hardware-counters", "--hardware-counters: the processor's counters are those of one process"},
        {"--kind mpi --timeline lines", "--timeline 'lines': a timeline is that of one process"},
        {"good --kind mpi", "kernel 'good': it is of kind reduce; add --kind reduce"},
        {"spread --kind mpi --size huge", "--size 'huge': it is neither quick nor paper"},
        {"spread:many --kind mpi", "spread:many: the kernel refuses it"},
    };
    for (const auto& [words, expected] : cases) {
        const child_result result = run(words + " --runs 1");
        EXPECT_EQ(result.code, 2) << words;
        EXPECT_TRUE(has(result.errors, expected)) << result.errors;
    }
}

}  // namespace
}  // namespace teff::cli
