# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Conan 2 recipe of the tree that it lies in: conan create packaging/conan."""

import os
import re

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load

SOURCES = ("CMakeLists.txt", "CMakePresets.json", "LICENSE", "cmake/*", "include/*", "packaging/pkgconfig/*", "teff/*",
           "cli/*", "simulator/*", "model/*")


class Teff(ConanFile):
    name = "teff"
    description = "A task-parallel runtime for the smallest tasks"
    license = "Apache-2.0 WITH LLVM-exception"
    topics = ("parallelism", "tasks", "openmp", "scheduler")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "openmp": [True, False], "command": [True, False]}
    default_options = {"shared": True, "openmp": True, "command": False}

    def set_version(self):
        lines = load(self, os.path.join(self.recipe_folder, "..", "..", "include", "teff", "version.hpp"))
        self.version = ".".join(re.search(rf"define TEFF_VERSION_{part} (\d+)", lines).group(1)
                                for part in ("MAJOR", "MINOR", "PATCH"))

    def export_sources(self):
        root = os.path.join(self.recipe_folder, "..", "..")
        for pattern in SOURCES:
            copy(self, pattern, root, self.export_sources_folder, excludes=("build/*", "packaging/*"))

    def layout(self):
        cmake_layout(self)

    def requirements(self):
        # Only the switch between stacks is needed, as an archive, which becomes a part of the library.
        self.requires("boost/[>=1.74]", visible=False)
        if self.options.command:
            self.requires("cli11/[>=2.1]", visible=False)
            self.requires("fmt/[>=9]", visible=False)
            self.requires("nlohmann_json/[>=3.11]", visible=False)

    def validate(self):
        check_min_cppstd(self, 20)
        if self.settings.os != "Linux" or self.settings.arch not in ("x86_64", "armv8"):
            raise ConanInvalidConfiguration("Teff needs Linux on x86-64 or aarch64")

    def generate(self):
        CMakeDeps(self).generate()
        toolchain = CMakeToolchain(self)
        # Where the profile says that the system has Boost (platform_requires), CMake finds it there.
        for boost in (each for each in self.dependencies.host.values() if each.ref.name == "boost"):
            info = boost.cpp_info
            archive = f"lib{info.components['context'].libs[0]}.a"
            toolchain.cache_variables["TEFF_BOOST_CONTEXT"] = os.path.join(info.libdirs[0], archive)
            toolchain.cache_variables["TEFF_BOOST_INCLUDE"] = info.includedirs[0]
        toolchain.cache_variables["CMAKE_UNITY_BUILD"] = True
        toolchain.cache_variables["TEFF_BUILD_BENCH"] = False
        toolchain.cache_variables["TEFF_BUILD_CLI"] = bool(self.options.command)
        toolchain.cache_variables["TEFF_BUILD_OPENMP"] = bool(self.options.openmp)
        toolchain.cache_variables["TEFF_BUILD_TESTS"] = False
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()

    def package_info(self):
        # Its own CMake package says more than Conan could: Teff::teff, Teff::omp, Teff::qthread.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = [os.path.join("lib", "cmake", "Teff")]
        self.cpp_info.libs = ["teff"]
        self.cpp_info.system_libs = ["pthread"]
        if self.options.shared:
            self.cpp_info.defines = ["TEFF_WITH_GC"]
