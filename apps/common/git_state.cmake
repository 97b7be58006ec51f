# SPDX-FileCopyrightText: The onetrip authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# cmake -Dsource=DIR -Doutput=FILE -P: writes the checkout's state to a header, if it has changed.
find_package(Git QUIET)
set(state "")
if(Git_FOUND)
  execute_process(COMMAND "${GIT_EXECUTABLE}" describe --always --dirty
    WORKING_DIRECTORY "${source}" OUTPUT_VARIABLE state ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
if(NOT state)
  set(state unknown)
endif()
file(CONFIGURE OUTPUT "${output}" CONTENT "#pragma once\ninline constexpr char const* git_state = \"${state}\";\n")
