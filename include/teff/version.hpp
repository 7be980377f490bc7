// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The version of these headers, as macros for `#if` and as a string. The build reads the version from this file, which
// is the only place that states it.
//
// TEFF_VERSION is one number that grows with every release: major * 10000 + minor * 100 + patch.
#pragma once

// Grows when programs have to be changed.
#define TEFF_VERSION_MAJOR 0
// Grows with new parts; while MAJOR is 0, also when programs have to be changed.
#define TEFF_VERSION_MINOR 1
// Grows with each release between.
#define TEFF_VERSION_PATCH 0
// major * 10000 + minor * 100 + patch, for `#if`.
#define TEFF_VERSION (TEFF_VERSION_MAJOR * 10000 + TEFF_VERSION_MINOR * 100 + TEFF_VERSION_PATCH)
// As a string: "major.minor.patch".
#define TEFF_VERSION_STRING "0.1.0"
