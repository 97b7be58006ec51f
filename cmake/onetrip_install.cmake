# SPDX-FileCopyrightText: The onetrip authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Installs the headers, the package that find_package(onetrip) finds, and the programs.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package "${CMAKE_INSTALL_LIBDIR}/cmake/onetrip")

install(TARGETS onetrip EXPORT onetripTargets FILE_SET HEADERS)
install(EXPORT onetripTargets NAMESPACE onetrip:: DESTINATION "${package}")
if(TARGET onetrip_mpi) # the component mpi
  install(TARGETS onetrip_mpi EXPORT onetripMpiTargets FILE_SET HEADERS)
  install(EXPORT onetripMpiTargets NAMESPACE onetrip:: DESTINATION "${package}")
endif()

# Plain configure_file: what configure_package_config_file adds would set PACKAGE_PREFIX_DIR in the user's scope.
configure_file(cmake/onetripConfig.cmake.in onetripConfig.cmake @ONLY)
write_basic_package_version_file(onetripConfigVersion.cmake COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/onetripConfig.cmake" "${CMAKE_CURRENT_BINARY_DIR}/onetripConfigVersion.cmake"
  DESTINATION "${package}")

install(FILES CHANGELOG.md LICENSE README.md DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/doc/onetrip")

# The programs find a shared Kokkos in the library folder beside them, also after both moved, or else where it was. CMake
# by itself forgets paths within the checkout, but a Kokkos may well be installed there.
if(APPLE)
  set(origin @loader_path)
else()
  set(origin $ORIGIN)
endif()
file(RELATIVE_PATH libraries "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_LIBDIR}")
set(paths "${origin}/${libraries}")
get_target_property(is_imported Kokkos::kokkoscore IMPORTED)
cmake_path(IS_PREFIX PROJECT_SOURCE_DIR "${Kokkos_DIR}" is_within)
if(is_imported AND is_within)
  list(APPEND paths $<TARGET_FILE_DIR:Kokkos::kokkoscore>)
endif()
foreach(program IN ITEMS fusion heat1d)
  if(TARGET ${program})
    set_property(TARGET ${program} APPEND PROPERTY INSTALL_RPATH "${paths}")
    set_property(TARGET ${program} PROPERTY INSTALL_RPATH_USE_LINK_PATH ON)
    install(TARGETS ${program})
  endif()
endforeach()

# The ledger for any Kokkos program, and the command beside it.
if(TARGET onetrip_ledger)
  install(TARGETS onetrip_ledger LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  file(RELATIVE_PATH modules "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_DATADIR}/onetrip")
  set(name "${CMAKE_SHARED_MODULE_PREFIX}onetrip_ledger${CMAKE_SHARED_MODULE_SUFFIX}")
  onetrip_configure_command("${CMAKE_CURRENT_BINARY_DIR}/installed/onetrip-ledger" "${modules}" "${libraries}/${name}")
  install(PROGRAMS "${CMAKE_CURRENT_BINARY_DIR}/installed/onetrip-ledger" TYPE BIN)
  install(DIRECTORY src/onetrip/tool/command/onetrip_ledger DESTINATION "${CMAKE_INSTALL_DATADIR}/onetrip" FILES_MATCHING PATTERN "*.py")
endif()
