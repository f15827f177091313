// Materials of thin bodies: sheets of triangles and strands of edges.
#include <fmt/format.h>

#include <memory>
#include <numbers>
#include <utility>

#include "dashpot/energy/bending.hpp"
#include "dashpot/energy/springs.hpp"
#include "dashpot/energy/triangle_membrane.hpp"
#include "dashpot/scene/assembly/body_assembly.hpp"
#include "dashpot/scene/assembly/sheet_material.hpp"
#include "dashpot/scene/format/registry.hpp"
#include "dashpot/scene/format/settings.hpp"
#include "dashpot/scene/format/with_location.hpp"

namespace dashpot {
namespace {

RestBend rest_bend(const Settings& settings) {
  return settings.text("rest_bend") == "straight" ? RestBend::straight : RestBend::as_mesh;
}

void add_membrane(const Settings& settings, BodyAssembly& body) {
  const ElementGroup& triangles = *body.mesh().group(ElementKind::triangle);
  const std::size_t count = static_cast<std::size_t>(triangles.size());
  const double E = settings.number("young"), nu = settings.number("poisson"), h = settings.number("thickness");
  MembraneMaterial material{E / (2 * (1 + nu)), h};
  if (settings.has("strain_limit")) {
    const Settings limit = settings.section("strain_limit");
    material.limit_modulus = limit.number("young") / (2 * (1 + nu));
    material.least_stretch = limit.number("least");
    material.most_stretch = limit.number("most");
  }
  with_location(settings.place(), [&] {
    auto membrane =
        std::make_unique<TriangleMembrane>(body.name(), triangles.nodes, body.mesh().nodes, body.first_block(),
                                           std::vector<MembraneMaterial>{material}, std::vector<int>(count, 0));
    membrane->set_parameter({"young", Quantity::pressure, PartwiseValue(E)});
    body.add(std::move(membrane));
    const double k = sheet_bending_stiffness(settings);
    std::vector<Bend> bends =
        hinges(triangles.nodes, body.mesh().nodes, std::vector<double>(count, k), rest_bend(settings));
    if (k > 0 && !bends.empty()) {
      auto bending = std::make_unique<Bending>(body.name(), 4, std::move(bends), body.mesh().nodes, body.first_block());
      // Where it is not given, it follows Young's modulus.
      bending->set_parameter(settings.has("bending")
                                 ? ProportionalParameter("bending", Quantity::energy, PartwiseValue(k))
                                 : ProportionalParameter("young", Quantity::pressure, PartwiseValue(E)));
      body.add(std::move(bending));
    }
  });
}

void add_strand(const Settings& settings, BodyAssembly& body) {
  const std::vector<int>& edges = body.mesh().group(ElementKind::edge)->nodes;
  const std::vector<Vec3>& X = body.mesh().nodes;
  const double E = settings.number("young"), d = settings.number("diameter");
  const double section = std::numbers::pi / 4 * d * d;
  with_location(settings.place(), [&] {
    std::vector<Spring> springs = Springs::along_edges(edges, X, 1);
    for (Spring& spring : springs) spring.stiffness = E * section / spring.rest_length;
    auto stretch = std::make_unique<Springs>(body.name(), std::move(springs), X, body.first_block());
    stretch->set_parameter({"young", Quantity::pressure, PartwiseValue(E)});
    body.add(std::move(stretch));
    std::vector<Bend> bends = strand_bends(edges, X, E * section * d * d / 16, rest_bend(settings));
    if (bends.empty()) return;
    auto bending = std::make_unique<Bending>(body.name(), 3, std::move(bends), X, body.first_block());
    bending->set_parameter({"young", Quantity::pressure, PartwiseValue(E)});
    body.add(std::move(bending));
  });
}

Parameter young(const char* meaning) {
  return parameter::real("young", "E", Quantity::pressure, meaning)
      .above(0)
      .doubt_outside(50, 2e12, "pascals are meant by a plain number: write \"1 MPa\" for 1e6")
      .known_as({"E", "youngs_modulus", "young_modulus"});
}

}  // namespace

namespace models {

void sheets(Registry& registry) {
  registry.add(
      {Category::material, "membrane", "sheet of triangles: as rigid as possible in its plane, with bending stiffness",
       "Bergou2006",
       with_thin_body_parameters(
           {young("Young's modulus"),
            parameter::real(
                "poisson", "\u03bd", Quantity::number,
                "Poisson's ratio: \u03bc = E/(2(1 + \u03bd)) in the plane, where nothing contracts sideways")
                .above(-1)
                .below(0.5)
                .or_else("0")
                .known_as({"nu", "poisson_ratio"}),
            sheet_thickness(),
            parameter::real(
                "bending", "k_b", Quantity::energy,
                "bending stiffness, energy per area k_b/2 \u03ba\u00b2; left out: E h\u00b3/(12(1 - \u03bd\u00b2))")
                .at_least(0)
                .may_be_absent(),
            parameter::object(
                "strain_limit",
                {parameter::real("least", "", Quantity::number, "length over rest length below which it resists")
                     .at_least(0)
                     .at_most(1)
                     .or_else("0"),
                 parameter::real("most", "", Quantity::number, "length over rest length above which it resists")
                     .at_least(1),
                 parameter::real("young", "E'", Quantity::pressure, "modulus of what is beyond, added to its own")
                     .above(0)},
                "further stiffness of much stretched or squeezed triangles")
                .may_be_absent()}),
       BodyFactory(add_membrane)});
  registry.add(
      {Category::material, "strand",
       "elastic strands (hair, threads) along the edges of a mesh: round, with bending stiffness, without twist",
       "BonetWood2008",
       with_thin_body_parameters(
           {young("Young's modulus"), parameter::real("diameter", "d", Quantity::length, "diameter of the strand")
                                          .above(0)
                                          .doubt_outside(1e-6, 0.1,
                                                         "meters are meant by a plain number: write "
                                                         "\"0.1 mm\"")}),
       BodyFactory(add_strand)});
}

}  // namespace models
}  // namespace dashpot
