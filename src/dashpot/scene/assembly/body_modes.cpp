#include <fmt/format.h>

#include <algorithm>

#include "dashpot/modes/system_modes.hpp"
#include "dashpot/scene/assembly/body_assembly.hpp"

namespace dashpot {

const ModesResult& BodyAssembly::modes(int count) {
  if (modes_ && modes_->size() - modes_->num_rigid >= count) return *modes_;
  const AssembledBodies alone = assemble(*scene_, {spec_}, AssemblyScope::modes);
  ModesOptions options;
  // Examples and dampings ask for one mode after the other: look ahead, or each costs a search of its own.
  options.num_modes = modes_ ? std::max(count, 2 * (modes_->size() - modes_->num_rigid)) : count;
  int num_free = 0;
  for (const std::uint8_t is_free : alone.system->is_free()) num_free += is_free;
  options.num_modes = std::max(count, std::min(options.num_modes, num_free - 6));
  modes_ = std::make_shared<const ModesResult>(system_modes(*alone.system, alone.system->initial_state(), options));
  return *modes_;
}

BodyAssembly::Mode BodyAssembly::mode(int number) {
  const ModesResult& modes = this->modes(number);
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
