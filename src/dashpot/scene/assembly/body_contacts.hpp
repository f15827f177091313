#pragma once
// Bodies of a scene that touch each other, on their way into a System.
//
// Where the scene gives no numbers. D = volume / surface of a solid (a third of a ball's radius, half a plate's
// thickness), the smaller of the two:
//     thickness kept between them   D/25; bodies without a volume (cloth, chains, points) need one given
//     stiffness  k = max(4 E / D, weight of the lighter body / (D^2 . D/25))  [Pa/m],  E: the softer modulus
//     onset      as wide as the thickness
// Cloth on cloth, and cloth named twice, follows cloth_contacts.hpp instead.

#include <string>
#include <vector>

#include "dashpot/scene/assembly/body_assembly.hpp"

namespace dashpot {

/// Adds the penalty and, with `with_losses`, the friction of every contact of the scene between these bodies. Returns
/// one line for people about each.
std::vector<std::string> add_body_contacts(const SceneSpec& scene, const std::vector<BodyAssembly>& bodies,
                                           bool with_losses, SystemBuilder& builder);
/// Whether cloth that touches itself or other cloth is apart at the start.
void check_cloth_starts(const SceneSpec& scene, const std::vector<BodyAssembly>& bodies,
                        const std::shared_ptr<const Kinematics>& kinematics, const Vector& q,
                        std::vector<Problem>& problems);

}  // namespace dashpot
