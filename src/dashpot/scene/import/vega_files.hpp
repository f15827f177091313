#pragma once
// The small files a VegaFEM .config names.

#include <string>
#include <vector>

#include "dashpot/core/types.hpp"

namespace dashpot {

/// A .bou file: vertex numbers from 1, separated by commas or blanks. Returns them from 0. dashpot::Error for anything
/// else.
std::vector<int> read_vega_fixed_vertices(const std::string& path, int num_nodes);

/// A constant force on a node during the time steps first .. end - 1.
struct VegaLoad {
  int node = 0;
  Vec3 force = Vec3::Zero();  ///< [N]
  int first = 0, end = 0;
};
/// A binary matrix: int32 rows = 3 num_nodes, int32 columns, doubles column by column; column k acts in time step k.
/// dashpot::Error when the size is wrong or more than 5000 loads come out.
std::vector<VegaLoad> read_vega_force_loads(const std::string& path, int num_nodes);

}  // namespace dashpot
