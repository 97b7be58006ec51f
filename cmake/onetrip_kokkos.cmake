# SPDX-FileCopyrightText: The onetrip authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Finds Kokkos (or builds ONETRIP_KOKKOS_SOURCE) and, where there is one, Kokkos Kernels, and says what was found.
# Sets onetrip_kokkos_kernels to the target of Kokkos Kernels, or to nothing.

set(onetrip_kokkos_from "the enclosing project")
if(NOT TARGET Kokkos::kokkos)
  if(ONETRIP_KOKKOS_SOURCE)
    if(NOT EXISTS "${ONETRIP_KOKKOS_SOURCE}/CMakeLists.txt")
      message(FATAL_ERROR "ONETRIP_KOKKOS_SOURCE: no Kokkos source in '${ONETRIP_KOKKOS_SOURCE}'")
    endif()
    add_subdirectory("${ONETRIP_KOKKOS_SOURCE}" "${CMAKE_CURRENT_BINARY_DIR}/kokkos" EXCLUDE_FROM_ALL SYSTEM)
    # What an installed Kokkos would say of itself
    include("${CMAKE_CURRENT_BINARY_DIR}/kokkos/KokkosConfigCommon.cmake")
    include("${CMAKE_CURRENT_BINARY_DIR}/kokkos/KokkosConfigVersion.cmake")
    set(Kokkos_VERSION "${PACKAGE_VERSION}")
    set(onetrip_kokkos_from "${ONETRIP_KOKKOS_SOURCE}")
  else()
    find_package(Kokkos 4.6...<6 QUIET)
    if(NOT Kokkos_FOUND)
      message(FATAL_ERROR
        "onetrip: no Kokkos from 4.6 up to, not including, 6 was found. Name an installed one (-DKokkos_ROOT=DIR, or a "
        "Spack view or module on CMAKE_PREFIX_PATH) or an unpacked one (-DONETRIP_KOKKOS_SOURCE=DIR).")
    endif()
    set(onetrip_kokkos_from "${Kokkos_DIR}")
  endif()
endif()
if(DEFINED Kokkos_VERSION AND (Kokkos_VERSION VERSION_LESS 4.6 OR Kokkos_VERSION VERSION_GREATER_EQUAL 6))
  message(FATAL_ERROR "onetrip: needs Kokkos from 4.6 up to, not including, 6; ${onetrip_kokkos_from} has ${Kokkos_VERSION}")
endif()
list(JOIN Kokkos_DEVICES " " backends)
message(STATUS "onetrip: Kokkos ${Kokkos_VERSION} (${backends}) from ${onetrip_kokkos_from}")

set(onetrip_kokkos_kernels "")
if(ONETRIP_KOKKOS_SOURCE)
  message(STATUS "onetrip: Kokkos Kernels off (an installed one has an installed Kokkos; here Kokkos is built from source)")
elseif(ONETRIP_ENABLE_KOKKOS_KERNELS)
  find_package(KokkosKernels QUIET)
  # Debian's package exports KokkosKernels::all_libs, others Kokkos::kokkoskernels
  foreach(candidate IN ITEMS Kokkos::kokkoskernels KokkosKernels::all_libs)
    if(NOT onetrip_kokkos_kernels AND TARGET ${candidate})
      set(onetrip_kokkos_kernels ${candidate})
    endif()
  endforeach()
  if(onetrip_kokkos_kernels)
    message(STATUS "onetrip: Kokkos Kernels on (${onetrip_kokkos_kernels} from ${KokkosKernels_DIR})")
  else()
    message(STATUS "onetrip: Kokkos Kernels off (not found; name it with -DKokkosKernels_ROOT=DIR)")
  endif()
else()
  message(STATUS "onetrip: Kokkos Kernels off (ONETRIP_ENABLE_KOKKOS_KERNELS is OFF)")
endif()

# Without hardware FMA in the target, std::fma is a library call, 17 times slower in a heat loop.
include(CheckCXXSourceCompiles)
unset(ONETRIP_FAST_FMA CACHE) # the flags may have changed
set(fma_macros "defined(__FP_FAST_FMA) || defined(__FMA__) || defined(__ARM_FEATURE_FMA)") # clang has no __FP_FAST_FMA
check_cxx_source_compiles("#if !(${fma_macros})\n#error\n#endif\nint main() {}" ONETRIP_FAST_FMA)
if(NOT ONETRIP_FAST_FMA AND PROJECT_IS_TOP_LEVEL)
  message(WARNING "onetrip: the compiler's target has no fused multiply-add instruction, so that fma is a slow library "
    "call on the host. The presets build for this machine (-march=native).")
endif()
