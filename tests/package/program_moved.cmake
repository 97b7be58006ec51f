# SPDX-FileCopyrightText: The onetrip authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# An installed and moved program runs from another folder with an empty environment. A shared Kokkos (named by kokkos) that
# lies in the library folder beside it is taken before any other.
include("${here}/checks.cmake")
separate_arguments(arguments)
execute_process(COMMAND env -i "${program}" ${arguments} WORKING_DIRECTORY / COMMAND_ERROR_IS_FATAL ANY)

if(kokkos)
  file(COPY "${kokkos}" DESTINATION "${libraries}" FOLLOW_SYMLINK_CHAIN)
  execute_process(COMMAND env -i LD_TRACE_LOADED_OBJECTS=1 "${program}" WORKING_DIRECTORY / OUTPUT_VARIABLE loaded)
  cmake_path(GET kokkos FILENAME name)
  string(REGEX MATCH "${name} => ([^ ]+)" line "${loaded}")
  message("${line}")
  expect(EXISTS "${CMAKE_MATCH_1}")
  file(REAL_PATH "${CMAKE_MATCH_1}" taken)
  file(REAL_PATH "${libraries}/${name}" beside)
  expect(taken STREQUAL beside)
endif()
