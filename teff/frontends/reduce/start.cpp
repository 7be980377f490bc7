// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the start of a reduction does out of line.
#include <teff/frontends/reduce/start.hpp>

#include <teff/strand/stack.hpp>

#include <stdexcept>
#include <string>

namespace teff::reducing {

team_options prepare(const options& call) {
    require_stack(reductions_use);
    const team_options options = resolve(call);
    prepare_workers(options.settings.slots);
    return options;
}

void throw_not_compiled(std::string_view scheduler) {
    throw std::invalid_argument("scheduler '" + std::string(scheduler) +
                                "' is not in the list that this call was compiled with; name one that is, or widen "
                                "the list");
}

}  // namespace teff::reducing
