// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A count of copies from outside Kokkos: a library for LD_PRELOAD that stands before the CUDA runtime's copies and says
// at the program's end, on stderr, how many there were and how many bytes they moved, by direction.

#include <cuda_runtime_api.h>

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <dlfcn.h>

namespace {

struct counts {
  std::atomic<std::size_t> number[3] = {}, bytes[3] = {};

  ~counts() {
    char const* const names[] = {"to device", "to host", "other"};
    for (int d = 0; d < 3; ++d)
      std::fprintf(stderr, "driver_copies: %zu %s, %zu bytes\n", number[d].load(), names[d], bytes[d].load());
  }
};

bool is_on_device(void const* pointer) {
  cudaPointerAttributes seen{};
  bool const known = cudaPointerGetAttributes(&seen, pointer) == cudaSuccess;
  cudaGetLastError();
  return known && (seen.type == cudaMemoryTypeDevice || seen.type == cudaMemoryTypeManaged);
}

void count(void const* to, void const* from, std::size_t bytes) {
  static counts all;
  bool const to_device = is_on_device(to), from_device = is_on_device(from);
  int const direction = to_device == from_device ? 2 : to_device ? 0 : 1;
  ++all.number[direction];
  all.bytes[direction] += bytes;
}

template <class Function>
Function* next(char const* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

} // namespace

// By the names that linkers see: nvcc defines functions of these names itself, for device code.
cudaError_t counted_copy(void* to, void const* from, std::size_t bytes, cudaMemcpyKind kind) __asm__("cudaMemcpy");
cudaError_t counted_copy(void* to, void const* from, std::size_t bytes, cudaMemcpyKind kind,
                         cudaStream_t stream) __asm__("cudaMemcpyAsync");

cudaError_t counted_copy(void* to, void const* from, std::size_t bytes, cudaMemcpyKind kind) {
  static auto* const real = next<cudaError_t(void*, void const*, std::size_t, cudaMemcpyKind)>("cudaMemcpy");
  count(to, from, bytes);
  return real(to, from, bytes, kind);
}

cudaError_t counted_copy(void* to, void const* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  static auto* const real =
      next<cudaError_t(void*, void const*, std::size_t, cudaMemcpyKind, cudaStream_t)>("cudaMemcpyAsync");
  count(to, from, bytes);
  return real(to, from, bytes, kind, stream);
}
