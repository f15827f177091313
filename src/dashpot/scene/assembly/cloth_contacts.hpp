#pragma once
// Cloth of a scene that touches itself or other cloth, on its way into a System.
//
// Where the scene gives no stiffness:  k = rho_A max(v^2 / h^2, 25 g / h),  v = 3 m/s, rho_A the mass per area of the
// lighter sheet [kg/m^2], h the thickness: a layer that comes at 3 m/s stops at a third of the thickness, and 25 layers
// press on each other to about half of it.

#include <string>
#include <vector>

#include "dashpot/contact/cloth_contact.hpp"
#include "dashpot/scene/assembly/body_assembly.hpp"

namespace dashpot {

/// Triangles and no tets.
bool is_cloth(const Mesh& mesh);

/// The numbers of a contact, and one line for people about it.
struct ClothCouple {
  std::shared_ptr<const contact::ClothMeeting> meeting;
  std::string note;
};
/// Of two sheets, or of one with itself (a is b). Throws Error where the numbers make no sense.
ClothCouple cloth_couple(const std::shared_ptr<const Kinematics>& kinematics, const BodyAssembly& a,
                         const BodyAssembly& b, const ContactSpec& spec, const std::vector<int>& tied_points);
void add_cloth_couple(const ClothCouple& couple, const ContactSpec& spec, bool with_losses, SystemBuilder& builder);

/// Problems with the positions at the start: sheets that cross (an error), or begin nearer than their thickness.
void check_cloth_start(const ClothCouple& couple, const ContactSpec& spec, const Vector& q,
                       std::vector<Problem>& problems);

}  // namespace dashpot
