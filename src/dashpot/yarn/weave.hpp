#pragma once
// Builds woven cloth: which yarns there are, where they cross, and which one lies above.

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "dashpot/linsolve/block_chains.hpp"
#include "dashpot/yarn/yarn_topology.hpp"

namespace dashpot {

/// Which warp yarns a weft passes under, a pattern that repeats: above(i, j) says whether warp i is above weft j.
///   plain   above every other one
///   twill   over `over`, under `under`, moved on by one from weft to weft
///   satin   above all but one of `repeat`, that one moved on by `step` from weft to weft
struct WeavePattern {
  enum class Kind { plain, twill, satin } kind = Kind::plain;
  int over = 2, under = 2;   ///< of twill
  int repeat = 5, step = 2;  ///< of satin: without a common divisor, step from 2 to repeat - 2
  bool above(int warp, int weft) const;
  /// Throws Error for patterns that no loom could make.
  void check() const;
};

/// A woven cloth at rest. Block i of `rest` is crossing i: (x, u, v), labels from the first crossing of each yarn on.
struct WovenCloth {
  std::vector<Yarn> yarns;
  Vector rest;
  std::vector<std::uint8_t> warp_is_upper;  ///< of each crossing; up is the side of warp x weft
  std::vector<std::array<int, 2>> places;   ///< of each crossing: its warp and its weft on the loom
  int num_crossings() const { return static_cast<int>(warp_is_upper.size()); }
  /// Dofs of labels at the ends of yarns: the mass matrix would let a yarn slide out of its last crossing for nothing.
  std::vector<int> end_labels() const;
  /// What a solver should know of it.
  std::shared_ptr<const BlockChains> chains() const;
};

/// A flat piece: warp yarn i lies at `spacing.warp` i along x, weft yarn j at `spacing.weft` j along y.
struct WeaveSheet {
  WeavePattern pattern;
  int warp_yarns = 0, weft_yarns = 0;
  PerFamily spacing;  ///< of the yarns of a family [m]
  /// Where a crossing lies in space, from its place in the sheet [m]; empty: (x, y, 0). Labels are lengths in the
  /// sheet.
  std::function<Vec3(double x, double y)> place;
  /// Which crossings there are, from their place in the sheet: a panel with an outline; empty: all. Yarns that leave
  /// the panel and come back are two yarns. Pieces of yarn with one crossing alone are cut off.
  std::function<bool(double x, double y)> is_inside;
  /// Along each weft the last warp is followed by the first: weft yarns are rings, the sheet is a tube about the warp.
  bool weft_rings = false;
};

/// Throws Error where fewer than two yarns of a family, spacings that are not positive, or no cloth remain.
WovenCloth weave_sheet(const WeaveSheet& sheet);

}  // namespace dashpot
