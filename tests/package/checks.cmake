# SPDX-FileCopyrightText: The onetrip authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# expect(CONDITION...): stops where the condition, as of if(), does not hold.
macro(expect)
  if(NOT (${ARGV}))
    message(FATAL_ERROR "expected: ${ARGV}")
  endif()
endmacro()

# expect_no_new_variable(BEFORE AFTER PATTERN): of two lists by get_cmake_property(... VARIABLES), the second has no names
# more than the first but that of the first and those that match PATTERN.
function(expect_no_new_variable before after pattern)
  list(REMOVE_ITEM after ${before} before)
  list(FILTER after EXCLUDE REGEX "${pattern}")
  if(after)
    message(FATAL_ERROR "these variables leaked: ${after}")
  endif()
endfunction()
