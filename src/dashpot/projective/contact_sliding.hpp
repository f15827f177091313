#pragma once
// What bounds of contact stiffness must not hold: rigid motion along the surfaces that are touched. A bound b on the
// diagonal acts in all directions, a contact's stiffness K only along its normal; few iterations would leave a block on
// ice glued to its guess. The excess E = B - K >= 0 is therefore taken out of the rigid motions Z (three
// translations, three rotations) of every free part that touches something:
//
//     B' = B - E Z (Z^T E Z)^-1 Z^T E,      B' Z = K Z,      K <= B' <= B
//
// (a Schur complement, so that the iterations still contract): exact for rigid sliding, rolling and spinning, and of
// low rank, so that the scalar factor stays. Bounds of friction remain. The largest parts only, see max_parts.

#include <vector>

#include "dashpot/linsolve/block_matrix.hpp"
#include "dashpot/linsolve/dynamic_blocks.hpp"
#include "dashpot/linsolve/low_rank_part.hpp"
#include "dashpot/model/system.hpp"

namespace dashpot {

class ContactSliding {
 public:
  static constexpr std::size_t max_parts = 8;  ///< six columns each

  void attach(const System& system);
  /// Chooses the parts by their bounds, sets Z at q and keeps K Z.
  void begin(const Vector& q, const std::vector<double>& bound, const BlockMatrix& stiffness,
             const DynamicBlocks& couplings);
  /// Makes -E Z (Z^T E Z)^-1 Z^T E for E = bound - friction_bound - K.
  void finish(const std::vector<double>& bound, const std::vector<double>& friction_bound);
  /// Takes nothing out of the bounds until they are made again.
  void hold() { part_ = {}; }
  /// Null where nothing touches.
  const LowRank* part() const { return part_.U.empty() ? nullptr : &part_; }

 private:
  std::vector<std::vector<int>> parts_;
  Matrix rigid_, stiffness_rigid_;  ///< Z and K Z
  LowRank part_;
};

}  // namespace dashpot
