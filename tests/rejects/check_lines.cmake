# SPDX-FileCopyrightText: The onetrip authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Builds TARGETS, whose SOURCE must fail to compile, in one of them, at each line that has "// rejected: TEXT", with a message that has TEXT;
# and where CUDA is on, at each that has "// rejected with CUDA: TEXT".
set(output "")
foreach(target IN LISTS TARGETS)
  execute_process(COMMAND "${CMAKE_COMMAND}" --build "${BINARY_DIR}" --target "${target}"
    RESULT_VARIABLE status OUTPUT_VARIABLE output_of_target ERROR_VARIABLE output_of_target)
  if(status EQUAL 0)
    message(FATAL_ERROR "${SOURCE} compiled as ${target}")
  endif()
  string(APPEND output "${output_of_target}")
endforeach()

cmake_path(GET SOURCE STEM name)
file(READ "${SOURCE}" text)
string(REPLACE ";" "\\;" text "${text}")
string(REPLACE "[" "(" text "${text}")
string(REPLACE "]" ")" text "${text}")
string(REPLACE "\n" ";" lines "${text}")
set(number 0)
set(marked 0)
foreach(line IN LISTS lines)
  math(EXPR number "${number} + 1")
  if(NOT line MATCHES "// rejected: (.*)$" AND NOT (CUDA AND line MATCHES "// rejected with CUDA: (.*)$"))
    continue()
  endif()
  math(EXPR marked "${marked} + 1")
  set(expected "${CMAKE_MATCH_1}")
  string(FIND "${output}" "${expected}" with_text)
  # "name.cpp:12:" of g++ and clang++, "line 12 of" of nvcc
  string(REGEX MATCH "${name}\\.cpp:${number}:|${name}\\.cpp\\(${number}\\)|line ${number} of" with_line "${output}")
  if(with_text EQUAL -1 OR NOT with_line)
    message(SEND_ERROR "line ${number} was not rejected with: ${expected}")
  endif()
endforeach()
if(marked EQUAL 0)
  message(FATAL_ERROR "${SOURCE} marks no line")
endif()
message(STATUS "${marked} lines rejected")
