# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What belongs to the command beside the program: manual pages, made from its help, completions, and the simulator that
# `teff simulate` starts.
set(manual_folder ${CMAKE_CURRENT_BINARY_DIR}/man1)
if(NOT CMAKE_CROSSCOMPILING OR CMAKE_CROSSCOMPILING_EMULATOR)
    add_custom_command(OUTPUT ${manual_folder}/teff.1
        COMMAND ${PROJECT_SOURCE_DIR}/cmake/manual_pages.sh $<TARGET_FILE:teff_cli> ${manual_folder} ${PROJECT_VERSION}
        DEPENDS teff_cli ${PROJECT_SOURCE_DIR}/cmake/manual_pages.sh
        COMMENT "Making the manual pages from the command's help"
        VERBATIM)
    add_custom_target(teff_manual ALL DEPENDS ${manual_folder}/teff.1)
endif()
if(TEFF_INSTALL)
    install(DIRECTORY ${manual_folder} DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT command OPTIONAL)
    if(TARGET teff_simulator)
        install(TARGETS teff_simulator DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/teff COMPONENT command)
    endif()
    set(completions ${PROJECT_SOURCE_DIR}/cli/complete)
    install(FILES ${completions}/teff.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME teff
        COMPONENT command)
    install(FILES ${completions}/teff.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _teff
        COMPONENT command)
    install(FILES ${completions}/teff.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
        COMPONENT command)
endif()
