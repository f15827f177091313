#include "dashpot/scene/assembly/cloth_contacts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "dashpot/contact/edge_crossings.hpp"
#include "dashpot/core/units.hpp"

namespace dashpot {
namespace {

constexpr double stopped_speed = 3;    // [m/s] that the thickness takes up
constexpr double carried_layers = 25;  // that lie on each other
constexpr std::size_t told_crossings = 1000;

double mass_per_area(const BodyAssembly& body, const contact::ClothSurface& surface, bool second) {
  double area = 0;
  for (std::size_t i = 0; i < surface.node_area.size(); ++i)
    if ((surface.is_second[i] != 0) == second) area += surface.node_area[i];
  return std::accumulate(body.mass_row_sums().begin(), body.mass_row_sums().end(), 0.0) / area;
}

}  // namespace

bool is_cloth(const Mesh& mesh) { return mesh.tets() == nullptr && mesh.group(ElementKind::triangle) != nullptr; }

ClothCouple cloth_couple(const std::shared_ptr<const Kinematics>& kinematics, const BodyAssembly& a,
                         const BodyAssembly& b, const ContactSpec& spec, const std::vector<int>& tied_points) {
  const bool is_itself = &a == &b;
  if (!spec.thickness || !(*spec.thickness > 0))
    throw Error(
        Problem{spec.settings.place(),
                is_itself ? fmt::format("\"{}\" has no thickness to keep from itself", a.name())
                          : fmt::format("\"{}\" and \"{}\" have no thickness to keep apart", a.name(), b.name()),
                "\"thickness\": \"3 mm\"",
                "the distance at which layers of cloth begin to press on each other; less than the mesh is fine"});
  if (spec.onset)
    throw Error(Problem{spec.settings.place("onset"), "an onset for cloth on cloth", "no \"onset\"",
                        "the pressure between layers sets in at their thickness"});
  auto meeting = std::make_shared<contact::ClothMeeting>();
  meeting->kinematics = kinematics;
  std::vector<contact::ClothSheet> sheets = {{a.name(), &a.mesh(), a.first_point()}};
  if (!is_itself) sheets.push_back({b.name(), &b.mesh(), b.first_point()});
  meeting->surface = contact::make_cloth_surface(sheets, tied_points);
  const double h = meeting->law.thickness = *spec.thickness;
  const double density =
      std::min(mass_per_area(a, meeting->surface, false),
               is_itself ? std::numeric_limits<double>::infinity() : mass_per_area(b, meeting->surface, true));
  meeting->law.stiffness = spec.stiffness ? *spec.stiffness
                                          : density * std::max(stopped_speed * stopped_speed / (h * h),
                                                               carried_layers * a.scene().gravity.norm() / h);
  const std::string losses = spec.friction > 0
                                 ? fmt::format("; friction {:.3g}, sticking points creep below {}", spec.friction,
                                               describe_quantity(spec.slip_speed, Quantity::velocity, 3))
                                 : "; lossless";
  std::string note = fmt::format("{}: touches {}, layers press from {} on with {}{}", a.name(),
                                 is_itself ? "itself" : b.name(), describe_quantity(h, Quantity::length, 3),
                                 describe_quantity(meeting->law.stiffness, Quantity::pressure_stiffness, 3), losses);
  return {std::move(meeting), std::move(note)};
}

void add_cloth_couple(const ClothCouple& couple, const ContactSpec& spec, bool with_losses, SystemBuilder& builder) {
  builder.add(std::unique_ptr<EnergyTerm>(std::make_unique<contact::ClothContact>(couple.meeting)),
              spec.settings.pointer());
  builder.add(std::unique_ptr<StepGuard>(std::make_unique<contact::ClothStepGuard>(couple.meeting)));
  if (with_losses && spec.friction > 0)
    builder.add(std::unique_ptr<DissipationTerm>(
                    std::make_unique<contact::ClothFriction>(couple.meeting, spec.friction, spec.slip_speed)),
                spec.settings.pointer());
}

void check_cloth_start(const ClothCouple& couple, const ContactSpec& spec, const Vector& q,
                       std::vector<Problem>& problems) {
  const contact::ClothSurface& surface = couple.meeting->surface;
  std::vector<Vec3> x;
  couple.meeting->positions(q, x);
  const std::string who = surface.is_pair ? surface.bodies + " cross each other" : surface.bodies + " crosses itself";
  if (const std::size_t count = contact::find_crossings(surface, x, told_crossings).size(); count > 0) {
    problems.push_back({spec.settings.place(),
                        fmt::format("{} at the start: {}{} edges go through triangles", who,
                                    count == told_crossings ? "at least " : "", count),
                        "layers that do not cross at the start",
                        "what starts crossed stays crossed: move the layers apart, or leave this contact out"});
    return;
  }
  contact::ClothNeighbors neighbors;
  neighbors.update(surface, x, couple.meeting->law.thickness);
  std::vector<contact::ClothTouch> touches;
  contact::find_touches(surface, neighbors, x, couple.meeting->law.thickness, touches);
  double nearest = couple.meeting->law.thickness;
  for (const contact::ClothTouch& touch : touches) nearest = std::min(nearest, touch.gap.gap);
  if (nearest == 0)
    problems.push_back({spec.settings.place(), fmt::format("{} at the start: two places coincide", who),
                        "layers that are apart at the start", "move them apart, or leave this contact out"});
  else if (nearest < 0.5 * couple.meeting->law.thickness)
    problems.push_back({spec.settings.place("thickness"),
                        fmt::format("{} is {} from itself at the start", surface.bodies,
                                    describe_quantity(nearest, Quantity::length, 3)),
                        fmt::format("about the thickness, {}, or more",
                                    describe_quantity(couple.meeting->law.thickness, Quantity::length, 3)),
                        "layers will spring apart; if the mesh is finer than the thickness, take less thickness",
                        Problem::Severity::warning});
}

}  // namespace dashpot
