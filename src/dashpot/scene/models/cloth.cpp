// Cloth: St. Venant-Kirchhoff in its plane, bending by the angles between its triangles.
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <memory>
#include <utility>

#include "dashpot/core/error.hpp"
#include "dashpot/energy/hinge_bending.hpp"
#include "dashpot/energy/stvk_membrane.hpp"
#include "dashpot/scene/assembly/body_assembly.hpp"
#include "dashpot/scene/assembly/sheet_material.hpp"
#include "dashpot/scene/format/registry.hpp"
#include "dashpot/scene/format/settings.hpp"
#include "dashpot/scene/format/with_location.hpp"

namespace dashpot {
namespace {

/// Triangles without area cannot say how they are stretched.
void check_areas(const BodyAssembly& body, const std::vector<int>& triangles) {
  std::vector<Problem> problems;
  for (std::size_t e = 0; 3 * e + 2 < triangles.size() && problems.size() < 10; ++e) {
    const auto x = [&](std::size_t a) { return body.mesh().nodes[static_cast<std::size_t>(triangles[3 * e + a])]; };
    const Vec3 a = x(1) - x(0), b = x(2) - x(0);
    if (!(a.cross(b).norm() > 1e-12 * a.norm() * b.norm()))
      problems.push_back({fmt::format("{}: triangle {}", body.name(), e), "no area at rest",
                          "three nodes that are not on one line", "repair the mesh"});
  }
  if (!problems.empty()) throw Error(problems);
}

/// Hinges of the mesh with the stiffness that `of_hinge` says, from the direction across the edge in which they bend.
template <class OfDirection>
void add_bending(const Settings& settings, BodyAssembly& body, const OfDirection& of_direction,
                 ProportionalParameter parameter) {
  const std::vector<int>& triangles = body.mesh().group(ElementKind::triangle)->nodes;
  const std::vector<Vec3>& X = body.mesh().nodes;
  std::vector<Bend> bends = hinges(triangles, X, std::vector<double>(triangles.size() / 3, 1.0));
  bool any = false;
  for (Bend& bend : bends) {
    const auto x = [&](std::size_t a) { return X[static_cast<std::size_t>(bend.nodes[a])]; };
    const Vec3 edge = (x(1) - x(0)).normalized(), wing = x(2) - x(0);
    bend.weight *= of_direction((wing - edge * edge.dot(wing)).normalized());
    any = any || bend.weight > 0;
  }
  if (!any) return;
  const RestBend rest = settings.text("rest_bend") == "straight" ? RestBend::straight : RestBend::as_mesh;
  auto bending = std::make_unique<HingeBending>(body.name(), bends, X, body.first_block(), rest);
  bending->set_parameter(std::move(parameter));
  body.add(std::move(bending));
}

void add_cloth(const Settings& settings, BodyAssembly& body) {
  const std::vector<int>& triangles = body.mesh().group(ElementKind::triangle)->nodes;
  const double E = settings.number("young"), nu = settings.number("poisson"), h = settings.number("thickness");
  with_location(settings.place(), [&] {
    check_areas(body, triangles);
    const auto stiffnesses = [count = triangles.size() / 3, h](const double* values) {
      return std::vector<SheetStiffness>(count, isotropic_sheet(values[0], values[1], h));
    };
    const double values[2] = {E, nu};
    auto membrane = std::make_unique<StvkMembrane>(
        body.name(), std::make_shared<TriangleBatch>(body.mesh().nodes, triangles, body.first_block()),
        stiffnesses(values), body.mesh().nodes, body.first_block());
    membrane->set_parameters({{"young", Quantity::pressure, {E}, 0, std::numeric_limits<double>::infinity(), true},
                              {"poisson", Quantity::number, {nu}, -1, 0.5, true}},
                             stiffnesses);
    body.add(std::move(membrane));
    // Where it is not given, bending follows Young's modulus.
    const double k = sheet_bending_stiffness(settings);
    add_bending(
        settings, body, [k](const Vec3&) { return k; },
        settings.has("bending") ? ProportionalParameter("bending", Quantity::energy, PartwiseValue(k))
                                : ProportionalParameter("young", Quantity::pressure, PartwiseValue(E)));
  });
}

void add_woven(const Settings& settings, BodyAssembly& body) {
  const std::vector<int>& triangles = body.mesh().group(ElementKind::triangle)->nodes;
  const std::vector<Vec3>& X = body.mesh().nodes;
  const double h = settings.number("thickness");
  const Vec3 warp = settings.vec3("warp_direction").normalized();
  with_location(settings.place(), [&] {
    check_areas(body, triangles);
    std::vector<double> angles;
    for (std::size_t e = 0; 3 * e + 2 < triangles.size(); ++e) {
      const auto x = [&](std::size_t a) { return X[static_cast<std::size_t>(triangles[3 * e + a])]; };
      angles.push_back(angle_in_triangle(warp, x(0), x(1), x(2)));
    }
    const auto stiffnesses = [angles, h](const double* m) {
      std::vector<SheetStiffness> all;
      for (const double angle : angles) all.push_back(turned(woven_sheet(m[0], m[1], m[2], m[3], h), angle));
      return all;
    };
    const double values[4] = {settings.number("warp"), settings.number("weft"), settings.number("shear"),
                              settings.number("poisson")};
    auto membrane =
        std::make_unique<StvkMembrane>(body.name(), std::make_shared<TriangleBatch>(X, triangles, body.first_block()),
                                       stiffnesses(values), X, body.first_block());
    constexpr double infinity = std::numeric_limits<double>::infinity();
    membrane->set_parameters({{"warp", Quantity::pressure, {values[0]}, 0, infinity, true},
                              {"weft", Quantity::pressure, {values[1]}, 0, infinity, true},
                              {"shear", Quantity::pressure, {values[2]}, 0, infinity, false},
                              {"poisson", Quantity::number, {values[3]}, -infinity, infinity, false}},
                             stiffnesses);
    body.add(std::move(membrane));
    // Bent about the weft it is the warp that bends, and the other way around; between them in proportion.
    const double k = settings.number("bending"),
                 across = settings.has("bending_weft") ? settings.number("bending_weft") : k;
    add_bending(settings, body,
                [&](const Vec3& direction) {
                  const double c = direction.dot(warp);
                  return k * c * c + across * (1 - c * c);
                },
                {});
  });
}

void check_woven(const Settings& settings, std::vector<Problem>& problems) {
  const double warp = settings.number("warp"), weft = settings.number("weft"), nu = settings.number("poisson");
  if (!(nu * nu * weft < warp))
    problems.push_back({settings.place("poisson"), fmt::format("poisson {:g}", nu),
                        fmt::format("|poisson| < {:.4g} for these moduli", std::sqrt(warp / weft)),
                        "the cloth would create energy"});
  if (!(settings.vec3("warp_direction").norm() > 0))
    problems.push_back({settings.place("warp_direction"), "a direction of length zero", "a direction", "[1, 0, 0]"});
}

Parameter modulus(const char* name, const char* symbol, const char* meaning) {
  return parameter::real(name, symbol, Quantity::pressure, meaning)
      .above(0)
      .doubt_outside(50, 2e12, "pascals are meant by a plain number: write \"1 MPa\" for 1e6");
}

std::vector<Parameter> of_sheets(std::vector<Parameter> parameters) {
  parameters.push_back(sheet_thickness());
  return with_thin_body_parameters(std::move(parameters));
}

}  // namespace

namespace models {

void cloth(Registry& registry) {
  registry.add({Category::material, "cloth",
                "sheet of triangles: St. Venant-Kirchhoff in its plane, bending by the angles between triangles",
                "Grinspun2003",
                of_sheets({modulus("young", "E", "Young's modulus").known_as({"E", "youngs_modulus", "young_modulus"}),
                           parameter::real("poisson", "\u03bd", Quantity::number, "Poisson's ratio")
                               .above(-1)
                               .below(0.5)
                               .or_else("0.3")
                               .known_as({"nu", "poisson_ratio"}),
                           parameter::real("bending", "k_b", Quantity::energy,
                                           "bending stiffness, energy per area k_b/2 \u03ba\u00b2; left out: E "
                                           "h\u00b3/(12(1 - \u03bd\u00b2))")
                               .at_least(0)
                               .may_be_absent()}),
                BodyFactory(add_cloth)});
  registry.add(
      {Category::material, "woven_cloth", "cloth with moduli of its own along warp and weft", "Grinspun2003",
       of_sheets({modulus("warp", "E\u2081", "Young's modulus along the warp"),
                  modulus("weft", "E\u2082", "Young's modulus along the weft"),
                  modulus("shear", "G", "shear modulus between them"),
                  parameter::real("poisson", "\u03bd\u2081\u2082", Quantity::number,
                                  "contraction along the weft when pulled along the warp")
                      .or_else("0"),
                  parameter::vector3("warp_direction", "", Quantity::number,
                                     "of the warp, in the rest shape; projected onto each triangle")
                      .or_else("[1, 0, 0]"),
                  parameter::real("bending", "k_b", Quantity::energy, "bending stiffness along the warp").at_least(0),
                  parameter::real("bending_weft", "", Quantity::energy, "along the weft; left out: the same")
                      .at_least(0)
                      .may_be_absent()}),
       BodyFactory(add_woven), "", check_woven});
}

}  // namespace models
}  // namespace dashpot
