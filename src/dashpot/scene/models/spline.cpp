// A solid whose stress is drawn as curves.
#include <fmt/format.h>

#include <string_view>

#include "dashpot/energy/materials.hpp"
#include "dashpot/scene/assembly/body_assembly.hpp"
#include "dashpot/scene/assembly/tet_material.hpp"
#include "dashpot/scene/format/registry.hpp"
#include "dashpot/scene/format/settings.hpp"

namespace dashpot {
namespace {

SplineMaterial::Points curve_points(const Settings& settings, const char* name) {
  SplineMaterial::Points points;
  for (const Settings& point : settings.sections(name))
    points.emplace_back(point.number("stretch"), point.number("stress"));
  return points;
}

/// Stretches of each curve must increase, on their own side of rest.
void check_spline(const Settings& settings, std::vector<Problem>& problems) {
  for (const char* name : {"tension", "compression"}) {
    const bool tension = std::string_view(name) == "tension";
    double previous = tension ? 1 : 0;
    for (const Settings& point : settings.sections(name)) {
      const double stretch = point.number("stretch");
      if (!(stretch > previous) || (!tension && stretch >= 1))
        problems.push_back({point.place("stretch"), fmt::format("stretch {:g}", stretch),
                            tension
                                ? fmt::format("more than {:g}: points of tension increase from 1", previous)
                                : fmt::format("between {:g} and 1: points of compression increase towards 1", previous),
                            "Sort the points by stretch"});
      previous = stretch;
    }
  }
}

void add_spline(const Settings& settings, BodyAssembly& body) {
  const BodyAssembly::Variants variants = body.variants(settings);
  const int n = body.num_tets();
  const auto curve = [&](const char* name) {
    return variants.partwise(name, n, [&](const Settings& part) { return curve_points(part, name); });
  };
  const SplineParts parts{variants.value("young", n), variants.value("poisson", n), curve("tension"),
                          curve("compression")};
  tet_material::add_energy(settings, body, make_spline_parts(body.name(), body.batch(), parts));
}

}  // namespace

namespace models {

void spline(Registry& registry) {
  const ValueType point = parameter::object_type(
      {parameter::real("stretch", "s", Quantity::number, "length over rest length").above(0),
       parameter::real("stress", "p", Quantity::pressure, "first Piola-Kirchhoff stress at this stretch")});
  registry.add(
      {Category::material,
       "spline",
       "principal-stretch material whose stress over stretch is drawn as curves, tension and compression apart",
       "XuSinZhuBarbic2015",
       tet_material::with_density(
           {tet_material::young(), tet_material::poisson(),
            parameter::list("tension", point, "points at stretches > 1; empty: straight").by_region().or_else("[]"),
            parameter::list("compression", point, "points at stretches < 1; empty: straight")
                .by_region()
                .or_else("[]")}),
       BodyFactory(add_spline),
       "",
       tet_material::with_limits(check_spline),
       {R"({"model": "spline", "young": "1 MPa", "poisson": 0.3, "density": 1000,
            "tension": [{"stretch": 1.5, "stress": "1 MPa"}]})"}});
}

}  // namespace models
}  // namespace dashpot
