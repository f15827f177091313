#pragma once
// The derivative of a force by central differences, all blocks of it with few evaluations: blocks of which no row of
// the pattern holds two have one color and are moved together [CurtisPowellReid1974]. For forces that couple no more
// than the pattern does; whoever uses it must check, because a force that reaches further is not found out here.

#include <span>
#include <vector>

#include "dashpot/core/parallel.hpp"
#include "dashpot/linsolve/block_matrix.hpp"

namespace dashpot {

class ColoredJacobian {
 public:
  ColoredJacobian() = default;
  explicit ColoredJacobian(std::shared_ptr<const BlockPattern> pattern);
  bool is_ready() const { return pattern_ != nullptr; }
  int num_colors() const { return static_cast<int>(first_.size()) - 1; }
  std::span<const int> blocks_of(int color) const {
    const auto i = static_cast<std::size_t>(color);
    return std::span(blocks_).subspan(static_cast<std::size_t>(first_[i]),
                                      static_cast<std::size_t>(first_[i + 1] - first_[i]));
  }

  /// J += scale df/dx of the blocks `touched`; `force(x, f)` adds f(x) to zeros. Entries of x are moved by +- shift.
  void add(const Vector& x, double shift, double scale, BlockRange touched,
           FunctionRef<void(const Vector& x, Vector& f)> force, BlockMatrix& J) const;

 private:
  std::shared_ptr<const BlockPattern> pattern_;
  std::vector<int> blocks_, first_;  ///< blocks by color
  std::vector<int> mirrored_;        ///< slot of block (j, i) for that of (i, j)
};

/// Slot of block (j, i) for the slot of each block (i, j); the pattern holds both.
std::vector<int> mirrored_slots(const BlockPattern& pattern);

}  // namespace dashpot
