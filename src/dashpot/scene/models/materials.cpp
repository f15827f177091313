#include <fmt/format.h>

#include <string_view>

#include <Eigen/Geometry>
#include <memory>
#include <utility>

#include "dashpot/energy/materials.hpp"
#include "dashpot/scene/assembly/body_assembly.hpp"
#include "dashpot/scene/assembly/tet_limits.hpp"
#include "dashpot/scene/format/registry.hpp"
#include "dashpot/scene/format/settings.hpp"
#include "dashpot/scene/format/with_location.hpp"

namespace dashpot {
namespace {

Parameter young() {
  return parameter::real("young", "E", Quantity::pressure, "Young's modulus")
      .above(0)
      .by_region()
      .doubt_outside(50, 2e12, "pascals are meant by a plain number: write \"1 MPa\" for 1e6")
      .known_as({"E", "youngs_modulus", "young_modulus", "youngsModulus"});
}
Parameter poisson() {
  return parameter::real("poisson", "\u03bd", Quantity::number, "Poisson's ratio")
      .above(-1)
      .below(0.5)
      .by_region()
      .advise("use 0.49 for rubber")
      .known_as({"nu", "poisson_ratio", "poissonRatio"});
}
Parameter density() {
  return parameter::real("density", "\u03c1", Quantity::density, "mass per volume at rest")
      .above(0)
      .by_region()
      .doubt_outside(5, 25000, "kg/m3 is meant by a plain number; did you mean 1000?")
      .known_as({"rho", "mass_density"});
}
Parameter mass() {
  return parameter::choice("mass", {"consistent", "lumped"}, "mass matrix; explicit steppers need lumped")
      .or_else(R"("consistent")");
}

/// Hands the energy to the body, which needs it as its source of stiffness too; then the limits beside it.
void add_energy(const Settings& settings, BodyAssembly& body, std::unique_ptr<TetElasticity> energy) {
  body.add(std::move(energy));
  add_limits(settings, body);
}

BodyFactory isotropic_law(IsotropicLaw law) {
  return [law](const Settings& settings, BodyAssembly& body) {
    const BodyAssembly::Variants parts = body.variants(settings);
    add_energy(settings, body, with_location(settings.place(), [&] {
                 return make_isotropic_parts(body.name(), body.batch(), law, parts.value("young", body.num_tets()),
                                             parts.value("poisson", body.num_tets()));
               }));
  };
}

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
  const BodyAssembly::Variants parts = body.variants(settings);
  add_energy(
      settings, body, with_location(settings.place(), [&] {
        std::vector<SplineMaterial> materials;
        for (const Settings& part : parts.settings)
          materials.push_back(SplineMaterial::edited({part.number("young"), part.number("poisson")},
                                                     curve_points(part, "tension"), curve_points(part, "compression")));
        return make_spline(body.name(), body.batch(), materials, parts.of_tet);
      }));
}

/// Columns: the first axis, the second made perpendicular to it, and their cross product.
Mat3 material_axes(const Settings& settings) {
  const auto rows = settings.rows("axes");
  const Vec3 first = Vec3(rows[0].data()).normalized();
  const Vec3 second = Vec3(rows[1].data()) - first * first.dot(Vec3(rows[1].data()));
  Mat3 axes;
  axes << first, second.normalized(), first.cross(second.normalized());
  return axes;
}

void add_orthotropic(const Settings& settings, BodyAssembly& body) {
  const BodyAssembly::Variants parts = body.variants(settings);
  std::vector<Orthotropic> materials;
  for (const Settings& part : parts.settings) {
    const Vec3 E = part.vec3("young"), nu = part.vec3("poisson"), G = part.vec3("shear");
    materials.push_back({E[0], E[1], E[2], nu[0], nu[1], nu[2], G[0], G[1], G[2], material_axes(part)});
  }
  add_energy(settings, body, with_location(settings.place(), [&] {
               return make_orthotropic(body.name(), body.batch(), materials, parts.of_tet);
             }));
}

void check_axes(const Settings& settings, std::vector<Problem>& problems) {
  const auto rows = settings.rows("axes");
  const Vec3 first(rows[0].data()), second(rows[1].data());
  if (first.cross(second).norm() <= 1e-6 * first.norm() * second.norm())
    problems.push_back(
        {settings.place("axes"), "two parallel or zero directions", "material axes 1 and 2, not parallel"});
}

std::vector<Parameter> with_density(std::vector<Parameter> parameters) {
  parameters.push_back(density());
  parameters.push_back(mass());
  parameters.push_back(limits_parameter());
  parameters.push_back(parameter::regions("other values for parts of the body"));
  return parameters;
}

ModelCheck with_limits(ModelCheck own) {
  return [own](const Settings& settings, std::vector<Problem>& problems) {
    own(settings, problems);
    check_limits(settings, problems);
  };
}

ModelEntry spline_entry() {
  const ValueType point = parameter::object_type(
      {parameter::real("stretch", "s", Quantity::number, "length over rest length").above(0),
       parameter::real("stress", "p", Quantity::pressure, "first Piola-Kirchhoff stress at this stretch")});
  return {Category::material,
          "spline",
          "principal-stretch material whose stress over stretch is drawn as curves, tension and compression apart",
          "XuSinZhuBarbic2015",
          with_density(
              {young(), poisson(),
               parameter::list("tension", point, "points at stretches > 1; empty: straight").by_region().or_else("[]"),
               parameter::list("compression", point, "points at stretches < 1; empty: straight")
                   .by_region()
                   .or_else("[]")}),
          BodyFactory(add_spline),
          "",
          with_limits(check_spline)};
}

ModelEntry orthotropic_entry() {
  const auto three = [](const char* name, const char* symbol, Quantity quantity, const char* meaning) {
    return parameter::vector3(name, symbol, quantity, meaning).by_region();
  };
  return {Category::material,
          "orthotropic_stvk",
          "St. Venant-Kirchhoff solid with three axes of its own (wood, fibers)",
          "LiBarbic2014",
          with_density(
              {three("young", "E\u2081 E\u2082 E\u2083", Quantity::pressure, "Young's moduli along the axes").above(0),
               three("poisson", "\u03bd\u2081\u2082 \u03bd\u2082\u2083 \u03bd\u2083\u2081", Quantity::number,
                     "contraction along the second axis when pulled along the first"),
               three("shear", "G\u2081\u2082 G\u2082\u2083 G\u2083\u2081", Quantity::pressure, "shear moduli").above(0),
               parameter::list("axes", parameter::list_type(parameter::real_type(Quantity::number), 3, 3),
                               "directions 1 and 2 in the rest shape; 3 is their cross product")
                   .sized(2, 2)
                   .by_region()
                   .or_else("[[1, 0, 0], [0, 1, 0]]")}),
          BodyFactory(add_orthotropic),
          "",
          with_limits(check_axes)};
}

}  // namespace

namespace models {

void materials(Registry& registry) {
  const auto add = [&](const char* name, const char* meaning, const char* reference, IsotropicLaw law) {
    registry.add({Category::material, name, meaning, reference, with_density({young(), poisson()}), isotropic_law(law),
                  "", check_limits});
  };
  add("linear", "small strain: forces linear in displacement, wrong under rotation", "BonetWood2008",
      IsotropicLaw::linear);
  add("corotational", "linear elasticity in the rotated frame of each tet", "MuellerGross2004",
      IsotropicLaw::corotational);
  add("arap", "as rigid as possible: \u03bc |F - R|\u00b2, no volume term", "Chao2010", IsotropicLaw::arap);
  add("stvk", "St. Venant-Kirchhoff: quadratic in Green strain; soft under strong compression", "BonetWood2008",
      IsotropicLaw::stvk);
  add("neo_hookean", "compressible neo-Hookean with ln J; refuses inversion", "BonetWood2008",
      IsotropicLaw::neo_hookean);
  add("stable_neo_hookean", "neo-Hookean that survives inversion", "SmithDeGoesKim2018",
      IsotropicLaw::stable_neo_hookean);
  registry.add(spline_entry());
  registry.add(orthotropic_entry());
}

}  // namespace models
}  // namespace dashpot
