#pragma once
// A field sampled on a body-centerd cubic lattice: two interleaved cubic grids of spacing a, black points at
// (a/2)(2i, 2j, 2k) and red points at (a/2)(2i+1, 2j+1, 2k+1). Half coordinates H are these integers. Long edges
// (length a) join points of one color along an axis, short edges (a sqrt(3)/2) join a black point to its eight red
// neighbors.
//
// Storage is sparse: blocks of 4 x 4 x 4 cells (128 points). The field is 1-Lipschitz, so its value at the center of a
// cube tells whether the whole cube is outside (no block), inside (a block without sampling) or must be sampled. Cubes
// are taken with a margin of one edge: an edge that leaves a block which is not sampled is never cut. Each block knows
// the part of the field that matters in it (local_field.hpp), edges that leave it included.

#include <array>
#include <cstdint>
#include <vector>

#include "dashpot/core/types.hpp"
#include "dashpot/shape/local_field.hpp"

namespace dashpot {

using HalfCoordinates = std::array<int, 3>;

struct LatticeLimits {
  double max_blocks = 100000;  ///< sampled or inside; 64 cells, up to 768 tets each
  double max_table = 1.6e7;    ///< blocks in the bounding box
  double max_visits = 1e9;     ///< of primitives, while sampling: some ten seconds
};

class Lattice {
 public:
  /// Samples `field` over the box [low, high] with spacing a [m]. dashpot::Error when a limit is passed.
  Lattice(const LocalField& field, const Vec3& low, const Vec3& high, double a, const LatticeLimits& limits);

  double spacing() const { return a_; }
  int num_blocks() const { return static_cast<int>(blocks_.size()); }
  int num_points() const { return 128 * num_blocks(); }
  /// Whether the points of a block were sampled; else the block lies inside with all its neighbors.
  bool is_sampled(int block) const { return blocks_[static_cast<std::size_t>(block)].is_sampled; }

  /// Number of a point, -1 when it belongs to no block (it and its neighbors are outside).
  int point(const HalfCoordinates& H) const;
  HalfCoordinates coordinates(int point) const;
  Vec3 position(const HalfCoordinates& H) const { return 0.5 * a_ * Vec3(H[0], H[1], H[2]); }
  /// f at a point; only its sign is meant in a block that is not sampled.
  double value(int point) const { return values_[static_cast<std::size_t>(point)]; }
  /// The field at and around a point of a sampled block, as far as the ends of its edges.
  const LocalField& field_at(int point) const { return blocks_[static_cast<std::size_t>(point / 128)].field; }

 private:
  struct Block {
    std::array<int, 3> corner;  ///< in blocks, from the corner of the table
    bool is_sampled;
    LocalField field;
  };
  struct Cube {
    std::array<int, 3> corner;
    int size;  ///< in blocks, a power of two
    LocalField field;
    double value = 0;  ///< of the field at its center
  };
  void find_blocks(const LocalField& field, const LatticeLimits& limits);
  bool is_beyond(const Cube& cube) const;
  double reach(const Cube& cube) const;
  void look_at(Cube& cube) const;
  void sample();

  double a_;
  std::array<int, 3> first_{}, size_{};  ///< first cell and number of blocks of the table
  std::vector<std::int32_t> table_;
  std::vector<Block> blocks_;
  std::vector<double> values_;
};

}  // namespace dashpot
