#include <fmt/format.h>

#include <algorithm>

#include "dashpot/modes/system_modes.hpp"
#include "dashpot/scene/body_assembly.hpp"

namespace dashpot {

BodyAssembly::Mode BodyAssembly::mode(int number) const {
  const AssembledBodies alone = assemble(*scene_, {spec_}, Purpose::modes);
  ModesOptions options;
  options.num_modes = number;
  const ModesResult modes = system_modes(*alone.system, alone.system->initial_state(), options);
  const int index = modes.num_rigid + number - 1;
  if (index >= modes.size() || modes.frequencies[index] <= 0)
    throw Error(Problem{
        "", fmt::format("mode {} of \"{}\"", number, name()),
        fmt::format("one of its {} vibration modes about a stable rest shape", modes.size() - modes.num_rigid)});
  Mode mode;
  mode.frequency = modes.frequencies[index];
  double largest = 0;
  for (int i = 0; i < num_nodes(); ++i) {
    mode.shape.push_back(modes.shapes.col(index).segment<3>(3 * i));
    largest = std::max(largest, mode.shape.back().norm());
  }
  if (largest > 0)
    for (Vec3& displacement : mode.shape) displacement /= largest;
  return mode;
}

}  // namespace dashpot
