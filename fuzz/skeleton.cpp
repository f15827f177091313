// Skeleton and track files: accepted or refused, never a crash or a hang; what is accepted moves in finite numbers.
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "dashpot/constraint/skeleton.hpp"
#include "dashpot/core/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dashpot;
  try {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto skeleton = std::make_shared<const Skeleton>(Skeleton::parse(text, "fuzz.json", "/nowhere"));
    for (const Joint& joint : skeleton->joints())
      if (joint.at.cwiseAbs().maxCoeff() > 1e3)
        return 0;  // overflow of absurd lengths is caught when the motion is used
    const std::vector<Vec3> points{{0, 0, 0}, {1, 0.5, -0.2}};
    const auto weights = skin_weights(*skeleton, points, 0.1);
    for (const auto& influences : weights) {
      double sum = 0;
      for (const auto& influence : influences) sum += influence.weight;
      if (!(std::abs(sum - 1) < 1e-9)) std::abort();
    }
    std::vector<Vec3> x, v, a;
    SkinnedPoints(skeleton, points, {}, weights).evaluate(0.3, &x, &v, &a);
  } catch (const Error&) {
  }
  return 0;
}
