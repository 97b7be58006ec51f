// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace onetrip {

/// How a marcher takes its steps: several in a pass over the array, or one kernel a step.
enum class march_path : std::uint8_t { tiles, stepping };

/// How an array is cut into tiles. 0 leaves a number to the marcher, which takes it from a table by the array's size
/// and the device.
struct march_tuning {
  march_path path = march_path::tiles;
  int lane_points = 0; ///< points of a tile's lane: with CUDA, a halo of `depth` at either end of the tile included, 8,
                       ///< 16 or 32 (float: 64), of 32 lanes; on CPUs, halo excluded, any, of 128 bytes' lanes
  int depth = 0;       ///< the most steps of a pass
};

} // namespace onetrip
