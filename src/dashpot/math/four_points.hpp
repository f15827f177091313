#pragma once
// Coordinates of four points that follow each other in memory (x y z x y z ...), one point per lane. For .cpp files of
// kernels only.

#include "dashpot/math/pack.hpp"

namespace dashpot::math {

struct FourPoints {
  Pack4 x, y, z;
  /// Reads one number more than the four points have.
  explicit FourPoints(const double* p) : x(Pack4::load(p)), y(Pack4::load(p + 3)), z(Pack4::load(p + 6)) {
    Pack4 rest = Pack4::load(p + 9);
    transpose(x, y, z, rest);
  }
};

}  // namespace dashpot::math
