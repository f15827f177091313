#pragma once
// The parts registry() is put together from, one source file each.

#include <vector>

#include "dashpot/scene/registry.hpp"

namespace dashpot {

std::vector<Parameter> scene_format();
/// A member of scene_format().
Parameter fit_section();
void add_meshes(Registry& registry);
void add_materials(Registry& registry);
void add_sheets(Registry& registry);
void add_dampings(Registry& registry);
void add_example_dampings(Registry& registry);
void add_modal_damping(Registry& registry);
void add_laplacian_dampings(Registry& registry);
void add_viscous_dampings(Registry& registry);
void add_cluster_damping(Registry& registry);
void add_pairwise_dampings(Registry& registry);
void add_steppers(Registry& registry);
void add_loads(Registry& registry);
void add_starts(Registry& registry);
void add_selections(Registry& registry);
void add_motions(Registry& registry);
void add_colliders(Registry& registry);

}  // namespace dashpot
