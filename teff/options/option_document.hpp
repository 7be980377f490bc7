// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The page docs/options.md, made from the option table.
#pragma once

#include <cstdio>

namespace teff {

// Writes the page, in Markdown. False if writing failed. The text depends only on the table. A choice that only some
// builds have is mentioned in a remark, so that every build writes the same page.
[[nodiscard]] bool write_option_document(std::FILE* output) noexcept;

}  // namespace teff
