#include "woven_patch.hpp"

#include "support/noise_vector.hpp"

namespace dashpot::testing {

WovenPatch woven_patch(WovenPatchOptions options) {
  options.cloth = weave_sheet(options.sheet);
  return {options.cloth, make_woven_cloth(options)};
}

Vector shaken(const Vector& q, double place, double label, int seed) {
  Vector result = q;
  const Vector noise = testing::noise(q.size(), seed);
  for (Eigen::Index i = 0; i < q.size(); ++i) result[i] += (i % crossing_size < 3 ? place : label) * noise[i];
  return result;
}

}  // namespace dashpot::testing
