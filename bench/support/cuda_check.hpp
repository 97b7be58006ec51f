// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime.h>

#include <stdexcept>
#include <string>

namespace bench {

/// Throws where a CUDA call failed.
inline void cuda_check(cudaError_t result) {
  if (result != cudaSuccess)
    throw std::runtime_error(std::string("CUDA: ") + cudaGetErrorString(result));
}

} // namespace bench
