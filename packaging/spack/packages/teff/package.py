# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Spack package: `spack repo add packaging/spack`, then `spack dev-build teff@0.1.0` in the tree of the sources."""

from spack.package import *


class Teff(CMakePackage):
    """A task-parallel runtime for the smallest tasks, with an OpenMP runtime for programs that are compiled already."""

    license("Apache-2.0 WITH LLVM-exception")

    version("0.1.0")

    variant("shared", default=True, description="Build a shared library")
    variant("openmp", default=True, description="Build the OpenMP runtime")
    variant("command", default=True, description="Build the command teff")
    variant("hwloc", default=False, description="Offer hwloc as a source of the machine's topology")

    depends_on("cxx", type="build")
    depends_on("cmake@3.22:", type="build")
    depends_on("pkgconfig", type="build", when="+hwloc")
    depends_on("boost@1.74: +context")
    depends_on("cli11@2.1:", when="+command")
    depends_on("fmt@9:", when="+command")
    depends_on("nlohmann-json@3.11:", when="+command")
    depends_on("hwloc@2:", when="+hwloc")

    requires("platform=linux", msg="Teff needs Linux")
    requires("target=x86_64:", "target=aarch64:", policy="one_of", msg="Teff needs x86-64 or aarch64")

    def cmake_args(self):
        return [
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define_from_variant("TEFF_BUILD_OPENMP", "openmp"),
            self.define_from_variant("TEFF_BUILD_CLI", "command"),
            self.define_from_variant("TEFF_HWLOC", "hwloc"),
            self.define("CMAKE_UNITY_BUILD", True),
            self.define("TEFF_BUILD_TESTS", False),
            self.define("TEFF_BUILD_BENCH", False),
        ]
