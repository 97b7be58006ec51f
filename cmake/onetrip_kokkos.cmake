# SPDX-FileCopyrightText: The onetrip authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Finds Kokkos (or builds ONETRIP_KOKKOS_SOURCE) and, where there is one, Kokkos Kernels, and says what was found.
# Sets onetrip_kokkos_kernels to the target of Kokkos Kernels, or to nothing.

set(onetrip_kokkos_versions 4.6...<6)
set(onetrip_kokkos_from "the enclosing project")
if(NOT TARGET Kokkos::kokkos)
  if(ONETRIP_KOKKOS_SOURCE)
    if(NOT EXISTS "${ONETRIP_KOKKOS_SOURCE}/CMakeLists.txt")
      message(FATAL_ERROR "ONETRIP_KOKKOS_SOURCE: no Kokkos source in '${ONETRIP_KOKKOS_SOURCE}'")
    endif()
    # An installed onetrip needs an installed Kokkos, so that Kokkos is installed with it.
    set(onetrip_unless_installed EXCLUDE_FROM_ALL)
    if(ONETRIP_INSTALL)
      set(onetrip_unless_installed "")
    endif()
    add_subdirectory("${ONETRIP_KOKKOS_SOURCE}" "${CMAKE_CURRENT_BINARY_DIR}/kokkos" ${onetrip_unless_installed} SYSTEM)
    # What an installed Kokkos would say of itself
    include("${CMAKE_CURRENT_BINARY_DIR}/kokkos/KokkosConfigCommon.cmake")
    include("${CMAKE_CURRENT_BINARY_DIR}/kokkos/KokkosConfigVersion.cmake")
    set(Kokkos_VERSION "${PACKAGE_VERSION}")
    set(onetrip_kokkos_from "${ONETRIP_KOKKOS_SOURCE}")
  else()
    find_package(Kokkos ${onetrip_kokkos_versions} QUIET)
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
if(DEFINED Kokkos_VERSION)
  list(JOIN Kokkos_DEVICES " " backends)
  message(STATUS "onetrip: Kokkos ${Kokkos_VERSION} (${backends}) from ${onetrip_kokkos_from}")
else() # built from source there, where nothing says which it is
  message(STATUS "onetrip: Kokkos from ${onetrip_kokkos_from}")
endif()

set(onetrip_kokkos_kernels "")
if(NOT ONETRIP_BUILD_APPS)
  # Only a program uses it.
elseif(ONETRIP_KOKKOS_SOURCE)
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
if(PROJECT_IS_TOP_LEVEL)
  include(CheckCXXSourceCompiles)
  unset(ONETRIP_FAST_FMA CACHE) # the flags may have changed
  set(fma_macros "defined(__FP_FAST_FMA) || defined(__FMA__) || defined(__ARM_FEATURE_FMA)") # clang has no __FP_FAST_FMA
  check_cxx_source_compiles("#if !(${fma_macros})\n#error\n#endif\nint main() {}" ONETRIP_FAST_FMA)
  if(NOT ONETRIP_FAST_FMA)
    message(WARNING "onetrip: the compiler's target has no fused multiply-add instruction, so that fma is a slow library "
      "call on the host. The presets build for this machine (-march=native).")
  endif()
endif()
