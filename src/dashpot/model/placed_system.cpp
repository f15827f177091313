#include "dashpot/model/placed_system.hpp"

#include "dashpot/core/error.hpp"
#include "dashpot/model/placed_terms.hpp"

namespace dashpot {

PlacedSystem place_system(const std::shared_ptr<const System>& part, SystemBuilder& builder) {
  if (!part->ties().empty())
    throw Error(Problem{"", "a body with attachments inside a larger System", "attachments of the larger System", ""});
  const DofLayout& layout = part->pattern()->layout();
  PlacedSystem placed{builder.append(layout, part->rest()), layout.num_blocks(), 0};
  const PartBlocks where(part, placed.place);
  builder.keep(part);
  placed.first_point = builder.join(placed.place, std::make_unique<PlacedInertia>(where), {part, &part->kinematics()});
  for (const auto& term : part->energies()) builder.add(std::make_unique<PlacedEnergy>(where, term));
  for (std::size_t j = 0; j < part->dissipations().size(); ++j) {
    const std::shared_ptr<const DissipationTerm>& term = part->dissipations()[j];
    if (term->capabilities().impulsive != nullptr)
      throw Error(Problem{"", term->model() + " inside a body of a larger System", "contact of the larger System", ""});
    builder.add(std::make_unique<PlacedDamping>(where, term), part->dissipation_place(j));
  }
  for (std::size_t j = 0; j < part->filters().size(); ++j)
    builder.add(std::make_unique<PlacedFilter>(where, part->filters()[j]), part->filter_place(j));
  for (const auto& guard : part->guards()) builder.add(std::make_unique<PlacedGuard>(where, guard));
  for (const auto& load : part->loads()) builder.add(std::make_unique<PlacedLoad>(where, load));
  for (const auto& constraint : part->constraints()) builder.add(std::make_unique<PlacedConstraint>(where, constraint));
  return placed;
}

void set_part_state(const State& part, const Place& place, State& whole) {
  whole.q.segment(place.first_dof, part.q.size()) = part.q;
  whole.v.segment(place.first_dof, part.v.size()) = part.v;
  whole.a.segment(place.first_dof, part.a.size()) = part.a;
}

}  // namespace dashpot
