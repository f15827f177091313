#pragma once
// A whole System as one body of a larger one: its coordinates are blocks of the larger System, its points follow the
// points there are. So a reduced body, a body in a moving frame or a yarn, each built as a System of its own, stands
// beside full bodies, and contact and attachments act on its points.
//
// Every term is asked in its own coordinates and its answer is put where it belongs; what a term of the part offers
// besides (capabilities) stays with the part. Parameters of its dampings and filters are parameters of the larger
// System; those of its energies and masses are not, because what refers to them would have to follow. The part must
// have no ties.

#include <memory>

#include "dashpot/model/system.hpp"

namespace dashpot {

/// Where the part went.
struct PlacedSystem {
  Place place;
  int num_blocks = 0;
  int first_point = 0;
};

/// Adds all of `part`, which the System will keep. Throws dashpot::Error for a part with ties or with losses that
/// explicit steppers take as impulses.
PlacedSystem place_system(const std::shared_ptr<const System>& part, SystemBuilder& builder);

/// Writes q, v and a of the part into a state of the whole; internal variables stay as they are.
void set_part_state(const State& part, const Place& place, State& whole);

}  // namespace dashpot
