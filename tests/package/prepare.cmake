# SPDX-FileCopyrightText: The onetrip authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Installs the build into a prefix, moves that prefix, and lays out what the other tests need:
# work/moved, the prefix; work/<consumer>, a copy of each consumer with what it embeds; work/kokkos-<version>, packages of
# a Kokkos that is nothing but its version; work/hinted and work/unhinted, packages of onetrip that were built with one of
# those and with one that is gone; work/beside, such an unhinted one with a Kokkos in the same prefix.
include(CMakePackageConfigHelpers)
include("${here}/checks.cmake")

set(moved "${work}/moved")
set(package "${moved}/${libraries}/cmake/onetrip")
file(REMOVE_RECURSE "${work}/both" "${work}/first" "${moved}")
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${build}" --prefix "${work}/first" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(RENAME "${work}/first" "${moved}")

file(GLOB_RECURSE headers RELATIVE "${source}/src" "${source}/src/*.hpp")
list(FILTER headers EXCLUDE REGEX "^onetrip/tool/") # the tool's own
set(mpi_targets onetripMpiTargets.cmake)
if(NOT mpi)
  list(FILTER headers EXCLUDE REGEX "/mpi[/_]")
  set(mpi_targets "")
endif()
foreach(file IN ITEMS ${headers} onetrip/version.hpp)
  expect(EXISTS "${moved}/include/${file}")
endforeach()
foreach(file IN ITEMS CHANGELOG.md LICENSE README.md)
  expect(EXISTS "${moved}/share/doc/onetrip/${file}")
endforeach()
file(GLOB package_files RELATIVE "${package}" "${package}/*")
set(expected_files onetripConfig.cmake onetripConfigVersion.cmake ${mpi_targets} onetripTargets.cmake)
expect(package_files STREQUAL expected_files)

# Nothing there points at where it was built, but for the Kokkos it was built with.
file(GLOB_RECURSE texts "${moved}/include/onetrip/*" "${package}/*")
foreach(file IN LISTS texts)
  file(READ "${file}" text)
  if(kokkos)
    string(REPLACE "${kokkos}" "" text "${text}")
  endif()
  foreach(path IN ITEMS "${source}" "${build}" "${work}")
    string(FIND "${text}" "${path}" at)
    if(NOT at EQUAL -1)
      message(FATAL_ERROR "${file} names ${path}")
    endif()
  endforeach()
endforeach()

foreach(consumer IN ITEMS embedded fetched finding installed kokkos_beside kokkos_first mpi)
  file(MAKE_DIRECTORY "${work}/${consumer}/external")
  file(CREATE_LINK "${source}" "${work}/${consumer}/external/onetrip" SYMBOLIC)
  file(CREATE_LINK "${kokkos_source}" "${work}/${consumer}/external/kokkos" SYMBOLIC)
  file(COPY "${here}/${consumer}/" "${here}/checks.cmake" "${here}/program.cpp" DESTINATION "${work}/${consumer}")
endforeach()

foreach(version IN ITEMS 4.5.1 4.7.1 5.9.9 6.0.0)
  write_basic_package_version_file("${work}/kokkos-${version}/KokkosConfigVersion.cmake" VERSION ${version}
    COMPATIBILITY AnyNewerVersion ARCH_INDEPENDENT)
  file(WRITE "${work}/kokkos-${version}/KokkosConfig.cmake" "add_library(Kokkos::kokkos INTERFACE IMPORTED)\n")
endforeach()
file(READ "${package}/onetripConfig.cmake" config)
foreach(pair IN ITEMS hinted:kokkos-4.7.1 unhinted:gone beside/onetrip:gone)
  string(REGEX MATCH "(.*):(.*)" pair ${pair})
  file(COPY "${package}/" DESTINATION "${work}/${CMAKE_MATCH_1}")
  string(REPLACE "PATHS \"${kokkos}\"" "PATHS \"${work}/${CMAKE_MATCH_2}\"" text "${config}")
  file(WRITE "${work}/${CMAKE_MATCH_1}/onetripConfig.cmake" "${text}")
endforeach()
file(COPY "${work}/kokkos-4.7.1/" DESTINATION "${work}/beside/Kokkos")
