// Puts bodies of a scene together into one System.
#include <algorithm>
#include <map>

#include "dashpot/model/placed_system.hpp"
#include "dashpot/scene/assembly/attachments.hpp"
#include "dashpot/scene/assembly/body_assembly.hpp"
#include "dashpot/scene/assembly/body_contacts.hpp"
#include "dashpot/scene/assembly/collider_assembly.hpp"
#include "dashpot/scene/assembly/scene_checks.hpp"

namespace dashpot {

const BodyAssembly* AssembledBodies::find(const BodySpec& spec) const {
  for (const BodyAssembly& body : bodies)
    if (&body.spec() == &spec) return &body;
  return nullptr;
}

AssembledBodies assemble(const SceneSpec& scene, const std::vector<const BodySpec*>& bodies, AssemblyScope scope,
                         const std::vector<ReducedPart>& parts) {
  const bool is_complete = scope == AssemblyScope::motion || scope == AssemblyScope::reduction;
  const bool touches = scope == AssemblyScope::motion || scope == AssemblyScope::balance;
  const auto is_part = [&](const BodySpec* body) {
    return std::any_of(parts.begin(), parts.end(), [&](const ReducedPart& part) { return part.body == body; });
  };
  std::map<const BodySpec*, int> first_point;
  int num_points = 0, num_dofs = 0;
  for (const bool reduced : {false, true})  // nodes come first
    for (const BodySpec* body : bodies)
      if (is_part(body) == reduced) {
        first_point[body] = num_points;
        num_points += build_mesh(*body)->num_nodes();
        if (!reduced) num_dofs = 3 * num_points;
      }
  AssembledBodies result;
  for (const BodySpec* body : bodies)
    result.bodies.emplace_back(scene, *body, *build_mesh(*body), first_point.at(body));
  const int num_nodes = num_dofs / 3;
  Vector rest(num_dofs);
  for (const ReducedPart& part : parts) num_dofs += part.system->num_dofs();
  for (const BodyAssembly& body : result.bodies)
    for (int i = 0; i < body.num_nodes() && !is_part(&body.spec()); ++i)
      rest.segment<3>(3 * (body.first_block() + i)) = body.mesh().nodes[static_cast<std::size_t>(i)];
  SystemBuilder builder(3, std::move(rest));
  builder.set_kinematics(std::make_unique<NodalKinematics>(num_nodes));
  std::vector<std::shared_ptr<ElementMass>> masses;
  for (BodyAssembly& body : result.bodies) {
    if (is_part(&body.spec())) continue;
    body.set_system_dofs(num_dofs);
    body.build_into(builder, masses, is_complete);
  }
  for (const ReducedPart& part : parts) result.parts.push_back(place_system(part.system, builder).place);
  for (const AttachmentSpec& attachment : scene.attachments) {
    const BodyAssembly* body = result.find(scene.bodies[attachment.body]);
    const BodyAssembly* to = result.find(scene.bodies[attachment.to]);
    if (body == nullptr || to == nullptr) continue;  // a body by itself: for its modes or its equilibrium
    for (Tie& tie : attachment_ties(attachment, body->mesh(), to->mesh())) {
      tie.block += body->first_point();
      for (int& master : tie.masters) master += to->first_point();
      builder.add(std::move(tie));
    }
  }
  if (touches) {
    result.contacts = add_contacts(scene, result.bodies, is_complete, builder);
    for (std::string& note : add_body_contacts(scene, result.bodies, is_complete, builder))
      result.contacts.push_back(std::move(note));
  }
  builder.set_inertia(std::make_unique<NodalInertia>(std::move(masses)));
  result.system = builder.build();
  return result;
}

}  // namespace dashpot
