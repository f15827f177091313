#include "dashpot/scene/assembly/reduced_parts.hpp"

#include <Eigen/Geometry>

#include "dashpot/reduce/moving_frame.hpp"
#include "dashpot/scene/assembly/scene_checks.hpp"
#include "dashpot/scene/format/registry.hpp"

namespace dashpot {
namespace {

std::optional<PreparedPart> prepare(const SceneSpec& spec, std::size_t index, const PrecomputeHooks& hooks) {
  const BodySpec& body = spec.bodies[index];
  const std::shared_ptr<const RigidMotion> carrier = carrier_of(spec, body);
  const SceneSpec still = carrier ? held_still(spec, index) : SceneSpec();
  const SceneSpec& assembling = carrier ? still : spec;
  AssembledBodies alone = assemble(assembling, {&assembling.bodies[index]}, AssemblyScope::reduction);
  State start = alone.system->initial_state();
  start_body(alone.bodies.front(), start);
  alone.system->prescribe(start.time, &start.q, &start.v, nullptr);
  std::optional<ReducedBody> reduced = reduce_body(body, alone.system, start, hooks);
  if (!reduced) return std::nullopt;
  PreparedPart prepared;
  prepared.part = {&body, reduced->model->system};
  prepared.reduced = std::move(*reduced);
  if (carrier) {
    prepared.part.system = in_moving_frame(*prepared.reduced.model, carrier, spec.gravity);
    prepared.reduced.start = in_moving_frame(*prepared.part.system, prepared.reduced.start);
    prepared.reduced.notes.push_back(body.name + ": rides on its moving pins; dampings see motion against them");
  }
  prepared.dampings = alone.bodies.front().notes();
  return prepared;
}

}  // namespace

bool is_one_reduced_body(const SceneSpec& spec) {
  return spec.bodies.size() == 1 && spec.bodies.front().reduced && spec.colliders.empty() && spec.contacts.empty();
}

std::optional<std::vector<PreparedPart>> prepare_parts(const SceneSpec& spec, const PrecomputeHooks& hooks) {
  std::vector<PreparedPart> parts;
  for (std::size_t index = 0; index < spec.bodies.size(); ++index) {
    if (!spec.bodies[index].reduced) continue;
    std::optional<PreparedPart> part = prepare(spec, index, hooks);
    if (!part) return std::nullopt;
    parts.push_back(std::move(*part));
  }
  return parts;
}

void start_body(BodyAssembly& body, State& state) {
  const ModelSpec& start = body.spec().start;
  const std::vector<Vec3> positions = std::get<StartFactory>(start.entry->factory)(start.settings, body);
  const Vec3 velocity = start.settings.vec3("velocity"), spin = start.settings.vec3("angular_velocity");
  Vec3 center = Vec3::Zero();
  double mass = 0;
  for (int i = 0; i < body.num_nodes(); ++i) {
    const std::size_t node = static_cast<std::size_t>(i);
    center += body.mass_row_sums()[node] * positions[node];
    mass += body.mass_row_sums()[node];
  }
  if (mass > 0) center /= mass;
  for (int i = 0; i < body.num_nodes(); ++i) {
    const Vec3& x = positions[static_cast<std::size_t>(i)];
    state.q.segment<3>(3 * (body.first_block() + i)) = x;
    state.v.segment<3>(3 * (body.first_block() + i)) = velocity + spin.cross(x - center);
  }
}

}  // namespace dashpot
