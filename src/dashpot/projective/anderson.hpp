#pragma once
// Anderson acceleration of a fixed-point iteration d -> g(d): the next point is the combination of the last few g(d_k)
// whose change g(d_k) - d_k, combined alike, is least [Peng2018]. Where the
// change does not fall, the history is forgotten and a plain step taken: never slower than plain steps by more than the
// steps that were refused.

#include <deque>
#include <functional>

#include "dashpot/core/types.hpp"

namespace dashpot {

class Anderson {
 public:
  using InnerProduct = std::function<double(const Vector&, const Vector&)>;

  explicit Anderson(int window) : window_(window) {}
  void reset();
  /// The next point, given d and g(d); `dot` measures changes.
  Vector next(const Vector& d, const Vector& g, const InnerProduct& dot);

 private:
  int window_;
  Vector last_g_, last_change_;
  double last_size_ = 0;
  std::deque<Vector> g_steps_, change_steps_;  ///< differences of consecutive g and of consecutive changes
};

}  // namespace dashpot
