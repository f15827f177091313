#pragma once
// Colliders of a scene on their way into a System: which nodes can touch them, how stiff the contact is, what is lost.
//
// Stiffness, where the scene gives none. Nodes with a surface (tets, triangles): pressure per overlap
//     k = max(10 E / L,  1000 m g / L^3)   [Pa/m],   L: largest extent of the body, m: its mass
// so that the contact is ten times stiffer than the body across its size, and the overlap under its own weight, spread
// over L^2, is at most L/1000. Nodes without (points, edges): m_i g / 1 mm or 10 times the springs that end there,
// whichever is larger [N/m]. The onset is L/500.

#include <string>
#include <vector>

#include "dashpot/record/recording.hpp"
#include "dashpot/record/run.hpp"
#include "dashpot/scene/assembly/body_assembly.hpp"

namespace dashpot {

/// Adds penalty, and with `with_losses` friction and damping, of every collider to the System. Returns one line each.
std::vector<std::string> add_contacts(const SceneSpec& scene, const std::vector<BodyAssembly>& bodies, bool with_losses,
                                      SystemBuilder& builder);

/// Largest Young's modulus the scene names for a body [Pa]; 0: none.
double modulus_of(const BodySpec& body);

/// Nodes of a body that can touch: those of its surface, and those that belong to no solid.
std::vector<int> contact_nodes(const Mesh& mesh);

bool touches(const ColliderSpec& collider, const std::string& body);

/// Longest step in which a body should meet a collider with an explicit stepper [s]: sqrt(2 m_i / k_i). Up to there a
/// bounce changes the energy of a node by a few percent on average; from there on it gives more than it took (a third
/// more at 1.6, three times as much at 2 sqrt(m_i / k_i)), and beyond 2 sqrt(m_i / k_i) nodes in contact are unstable.
/// Friction and impact damping set no limit.
double explicit_step_limit(const BodyAssembly& body, const ColliderSpec& collider);

/// (omega_contact h)^2 = k L^2 h^2 / m of a body whose whole size L presses on the collider, h the time step: how well
/// steps resolve an impact. 0: the body has no surface.
double impact_stiffness(const BodyAssembly& body, const ColliderSpec& collider);

/// Shows the colliders in pictures: planes as grounds, others as surfaces whose points follow the `num_points` of the
/// System in every frame.
void add_scenery(const SceneSpec& scene, int num_points, RunSettings& run, Recording& recording);

}  // namespace dashpot
