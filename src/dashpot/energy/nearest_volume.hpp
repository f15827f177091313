#pragma once
// The stretches p nearest to given ones s with a given product d >= 0: minimum of |s - p|^2 over p_0 p_1 p_2 = d
// [Bouaziz2014, sec. 5.1]. s as of math/svd3.hpp: s_0 >= s_1 >= |s_2|.
//
// Lagrange's condition p_i = s_i + m / p_i is a quadratic equation for each p_i, so all follow from p_2 = t:
//
//     m = t (t - s_2),    p_i = (s_i + sqrt(s_i^2 + 4 m))/2,  i = 0, 1,    and one equation for t:  t p_0 p_1 = d.
//
// To enlarge (s_0 s_1 s_2 < d; collapsed and inverted tets too) the left side rises from t = max(s_2, 0) on: one
// solution. To shrink, t < s_2, there may be two minima once d is below about s_0 s_1 s_2 / 7: all stretches smaller,
// or mostly the smallest one. The nearer one is taken; where they change places dp/ds does not exist.

#include "dashpot/core/types.hpp"

namespace dashpot {

struct NearestVolume {
  Vec3 p;
  Mat3 dp_ds;  ///< symmetric
};

NearestVolume nearest_volume(const Vec3& s, double d);

}  // namespace dashpot
