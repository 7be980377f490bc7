# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The port builds the tree that it lies in, three folders above; in a registry it takes a release instead, by
# vcpkg_from_github.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

vcpkg_check_features(OUT_FEATURE_OPTIONS features
    FEATURES
        command TEFF_BUILD_CLI
        openmp TEFF_BUILD_OPENMP)
vcpkg_cmake_configure(
    SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS ${features} -DCMAKE_UNITY_BUILD=ON -DTEFF_BUILD_TESTS=OFF -DTEFF_BUILD_BENCH=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME Teff CONFIG_PATH lib/cmake/Teff)
vcpkg_fixup_pkgconfig()
if("command" IN_LIST FEATURES)
    vcpkg_copy_tools(TOOL_NAMES teff AUTO_CLEAN)
endif()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
