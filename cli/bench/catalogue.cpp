// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the runners and queries them; see catalogue.hpp.
//
// The variables of OpenMP runtimes and of StarPU are not inherited. The peers are measured with their default settings
// and their own waiting policy, and a forgotten OMP_WAIT_POLICY in a shell start-up file must not decide a comparison.
#include <cli/bench/catalogue.hpp>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cli/text.hpp>

namespace teff::cli {

namespace fs = std::filesystem;

namespace {

constexpr const char* libiomp5_variable = "TEFF_BENCH_LIBIOMP5";

kernel_entry read_kernel(const nlohmann::json& description) {
    kernel_entry kernel;
    kernel.name = description.at("kernel").get<std::string>();
    kernel.takes_cutoff = description.value("cutoff", false);
    kernel.takes_input = description.value("input", false);
    kernel.kind = description.value("kind", kernel.kind);
    if (description.contains("headline")) {
        kernel.variants_differ = description.value("variants_differ", false);
        kernel.by_threads = description.value("by_threads", false);
        kernel.own_threads = description.value("own_threads", false);
        kernel.is_paced = description.value("paced", false);
        kernel.compared = description.value("compared", "");
        kernel.shown = read_presentation(description);
    }
    if (description.contains("sizes"))
        kernel.sizes = description.at("sizes").get<std::map<std::string, std::string>>();
    const nlohmann::json ratios = description.value("ratio", nlohmann::json::object());
    const nlohmann::json threads = description.value("least_threads", nlohmann::json::object());
    const auto accesses = description.value("accesses", std::vector<std::string>{});
    const auto own_threads = description.value("own_threads_in", std::vector<std::string>{});
    for (const auto& variant : description.at("variants")) {
        const auto name = variant.get<std::string>();
        const bool has_accesses =
            kernel.kind == "dataflow" || std::find(accesses.begin(), accesses.end(), name) != accesses.end();
        const bool starts_threads =
            kernel.own_threads || std::find(own_threads.begin(), own_threads.end(), name) != own_threads.end();
        kernel.variants.push_back(
            {name, ratios.value(name, true), threads.value(name, 1U), has_accesses, starts_threads});
    }
    return kernel;
}

// One program serves two runtimes: `serial` without threads, and `pthread` with those of the system.
void keep_variants(runner& runner, bool with_own_threads) {
    for (kernel_entry& kernel : runner.kernels)
        std::erase_if(kernel.variants,
                      [&](const variant_entry& variant) { return variant.own_threads != with_own_threads; });
    std::erase_if(runner.kernels, [](const kernel_entry& kernel) { return kernel.variants.empty(); });
}

// Fills in the kernels; returns the reason for a failure, or an empty text. A program that has several runtimes names
// the one of each kernel, and its compiler.
std::string ask(runner& runner) {
    const child_result result = run_child(request_for(runner, {"--describe"}, describe_limit_seconds));
    const std::string name = runner.program.filename().string();
    if (result.ending != child_ending::exited || result.code != 0)
        return fmt::format("{} does not describe itself: {}", name,
                           result.errors.empty() ? "no message" : first_line(result.errors));
    try {
        for (const auto& description : nlohmann::json::parse(result.output)) {
            if (description.value("runtime", runner.runtime) == runner.runtime)
                runner.kernels.push_back(read_kernel(description));
            runner.compiler = description.value("compiler", runner.compiler);
        }
    } catch (const nlohmann::json::exception& error) {
        return fmt::format("{} does not speak the runner protocol: {}", name, error.what());
    }
    return {};
}

std::optional<fs::path> folder_with_library(const std::vector<fs::path>& folders) {
    std::error_code ignored;
    for (const fs::path& folder : folders)
        if (fs::exists(folder / "libomp.so.5", ignored))
            return fs::canonical(folder, ignored);
    return std::nullopt;
}

// Where the library of that runtime is looked for; null for a runtime that is found by the system's loader.
const std::vector<fs::path>* library_folders(const std::string& runtime, const runner_folders& folders) {
    if (runtime == "libiomp5")
        return &folders.libiomp5;
    return runtime == "teff-omp" ? &folders.teff_openmp : nullptr;
}

// The libraries that are in folders of their own. Without one of them in the environment the system's is expected.
std::vector<fs::path> libraries_in_folders(const runner_folders& folders) {
    std::vector<fs::path> libraries;
    for (const auto* places : {&folders.libiomp5, &folders.teff_openmp})
        if (const auto folder = folder_with_library(*places))
            libraries.push_back(fs::canonical(*folder / "libomp.so.5"));
    return libraries;
}

// Why no runner of this runtime was found.
std::string absence(const runtime_kind& kind, const runner_folders& folders) {
    for (const char* compiler : compiler_names)
        if (find_program(folders.runners, kind.runner_name(compiler)))
            return fmt::format("left out by --compiler; its runner is compiled by {}", compiler);
    return fmt::format("not installed; {}", kind.remedy);
}

// The program with which the user's MPI starts ranks.
std::optional<fs::path> find_mpirun() {
    const char* const path = std::getenv("PATH");
    std::vector<fs::path> folders;
    for (const std::string& folder : split_list(path == nullptr ? "" : path, ':'))
        folders.emplace_back(folder);
    const auto found = find_program(folders, "mpirun");
    return found ? found : find_program(folders, "mpiexec");
}

// A runtime whose runs have several ranks.
void add_ranks(catalogue& found, const runtime_kind& kind, const runner_folders& folders,
               const std::vector<std::string>& compilers) {
    const auto add_missing = [&](std::string reason) { found.missing.push_back({kind.name, std::move(reason)}); };
    const auto program = find_program(folders.runners, kind.runner_name(""));
    if (!program)
        return add_missing(fmt::format("not installed; {}", kind.remedy));
    const auto mpirun = find_mpirun();
    if (!mpirun)
        return add_missing("there is no mpirun and no mpiexec in PATH; run `make mpi`, or install MPI (Debian: "
                           "openmpi-bin)");
    runner candidate{*program, kind.name, {}, {}, {}, {}, {}};
    if (std::string problem = ask(candidate); !problem.empty())
        return add_missing(std::move(problem));
    if (candidate.kernels.empty())
        return add_missing(fmt::format("{} was built without it; {}", program->filename().string(), kind.remedy));
    if (std::find(compilers.begin(), compilers.end(), candidate.compiler) == compilers.end())
        return add_missing(
            fmt::format("left out by --compiler; its runner is compiled by {}", candidate.compiler));
    candidate.mpirun = *mpirun;
    // Open MPI 4 and 5. Ranks may share processors, since a comparison may have more of them; a rank has the
    // processors of this command; and root may start them, as in containers, where processes may not read each other's
    // memory. Another MPI reads none of these.
    candidate.environment = {{"OMPI_MCA_rmaps_base_oversubscribe", "1"},
                             {"OMPI_MCA_hwloc_base_binding_policy", "none"},
                             {"PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe"},
                             {"PRTE_MCA_hwloc_default_binding_policy", "none"},
                             {"OMPI_ALLOW_RUN_AS_ROOT", "1"},
                             {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
                             {"OMPI_MCA_btl_vader_single_copy_mechanism", "none"}};
    found.runners.push_back(std::move(candidate));
}

void add_runtime(catalogue& found, const runtime_kind& kind, const runner_folders& folders,
                 const std::vector<std::string>& compilers) {
    runner pattern{{}, kind.name, {}, {}, {}, {}, {}};
    if (const auto* const places = library_folders(kind.name, folders); places != nullptr) {
        const auto folder = folder_with_library(*places);
        if (!folder) {
            found.missing.push_back({kind.name, fmt::format("not installed; {}", kind.remedy)});
            return;
        }
        pattern.environment.emplace_back("LD_LIBRARY_PATH", folder->string());
        pattern.library = fs::canonical(*folder / "libomp.so.5");
    } else if (std::string_view{kind.name} == "libgomp" || std::string_view{kind.name} == "libomp") {
        pattern.other_libraries = libraries_in_folders(folders);
    }
    std::string reason;
    bool any = false;
    for (const std::string& compiler : compilers) {
        const auto program = find_program(folders.runners, kind.runner_name(compiler));
        if (!program)
            continue;
        runner candidate = pattern;
        candidate.program = *program;
        candidate.compiler = compiler;
        if (std::string problem = ask(candidate); problem.empty()) {
            if (std::string_view{kind.runner_runtime} == "serial")
                keep_variants(candidate, candidate.runtime == "pthread");
            found.runners.push_back(std::move(candidate));
            any = true;
        } else {
            reason = std::move(problem);
        }
    }
    if (!any && reason.empty())
        reason = absence(kind, folders);
    if (!reason.empty())
        found.missing.push_back({kind.name, reason});
}

}  // namespace

std::optional<fs::path> find_program(const std::vector<fs::path>& folders, const std::string& name) {
    std::error_code ignored;
    for (const fs::path& folder : folders)
        if (fs::is_regular_file(folder / name, ignored))
            return fs::canonical(folder / name, ignored);
    return std::nullopt;
}

std::string runtime_kind::runner_name(const std::string& compiler) const {
    if (has_ranks())
        return "teff-mpi-bench";
    const bool is_other = compiler == "clang" && clang_runtime != nullptr;
    return fmt::format("teff-bench-{}-{}", is_other ? clang_runtime : runner_runtime, compiler);
}

std::vector<std::string> catalogue::kernel_names(const std::string& kind) const {
    std::vector<std::string> names;
    for (const runner& runner : runners)
        for (const kernel_entry& kernel : runner.kernels)
            if (kernel.kind == kind && std::find(names.begin(), names.end(), kernel.name) == names.end())
                names.push_back(kernel.name);
    return names;
}

presentations catalogue::all_presentations() const {
    presentations all;
    for (const runner& runner : runners)
        for (const kernel_entry& kernel : runner.kernels)
            if (!kernel.shown.headline.empty())
                all.emplace(kernel.name, kernel.shown);
    return all;
}

runner_folders runner_folders::beside_this_program() {
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    if (error)
        throw std::runtime_error("the folder of this program is unknown: /proc is not mounted");
    const fs::path folder = program.parent_path();
    runner_folders folders;
    folders.runners = {folder, folder / "../libexec/teff"};
    const char* named = std::getenv(libiomp5_variable);
    if (named != nullptr && *named != '\0')
        folders.libiomp5 = {named};
    else
        folders.libiomp5 = {folder / "../../peers/lib", folder / "../libexec/teff/peers/lib"};
    folders.teff_openmp = {folder / "../lib/teff", folder / ".." / TEFF_LIBRARY_FOLDER / "teff"};
    return folders;
}

catalogue find_runners(const runner_folders& folders, const std::vector<std::string>& runtimes,
                       const std::vector<std::string>& compilers) {
    catalogue found;
    for (const runtime_kind& kind : runtime_kinds)
        if (std::find(runtimes.begin(), runtimes.end(), kind.name) != runtimes.end())
            (kind.has_ranks() ? add_ranks : add_runtime)(found, kind, folders, compilers);
    return found;
}

child_request request_for(const runner& runner, std::vector<std::string> arguments, double limit_seconds) {
    child_request request;
    request.program = runner.program;
    request.arguments = std::move(arguments);
    request.environment = runner.environment;
    // The last one is a variable of this command alone; no runner reads it.
    request.removed_prefixes = {"OMP_", "GOMP_", "KMP_", "STARPU_", libiomp5_variable};
    request.limit_seconds = limit_seconds;
    return request;
}

}  // namespace teff::cli
