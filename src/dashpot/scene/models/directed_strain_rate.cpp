// Strain-rate damping with directions of its own: fibers and axes of solids, warp and weft of sheets.
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <memory>

#include "dashpot/energy/stvk_membrane.hpp"
#include "dashpot/scene/assembly/body_assembly.hpp"
#include "dashpot/scene/assembly/strain_rate_settings.hpp"
#include "dashpot/scene/format/with_location.hpp"

namespace dashpot {
namespace {

using Terms = std::vector<std::unique_ptr<DissipationTerm>>;

Terms make_woven(const Settings& settings, BodyAssembly& body) {
  const StrainRateOptions options = strain_rate_options(settings);
  return with_location(settings.place(), [&] {
    const SheetParts parts = sheet_parts(settings, body, "woven_strain_rate", "a sheet",
                                         "use strain_rate, fiber_strain_rate or orthotropic_strain_rate");
    const Vec3 warp = settings.vec3("warp_direction");
    std::vector<double> angles;
    const std::vector<int>& nodes = body.mesh().group(ElementKind::triangle)->nodes;
    for (std::size_t e = 0; 3 * e + 2 < nodes.size(); ++e) {
      const auto x = [&](std::size_t a) { return body.mesh().nodes[static_cast<std::size_t>(nodes[3 * e + a])]; };
      angles.push_back(angle_in_triangle(warp, x(0), x(1), x(2)));
    }
    std::vector<RateParameter> parameters;
    for (const char* name : {"warp", "weft", "shear"})
      parameters.push_back({name, Quantity::viscosity, PartwiseValue(settings.number(name))});
    Terms terms;
    terms.push_back(std::make_unique<StrainRateDamping>(
        "strain_rate", body.name(), parts.membrane->shared_batch(), Moduli::Kind::sheet, std::move(parameters),
        [angles, h = parts.thickness](int e, const double* values, const double*, double* out) {
          const SheetStiffness D =
              turned({h * values[0], 0, 0, h * values[1], 0, h * values[2]}, angles[static_cast<std::size_t>(e)]);
          std::copy(D.begin(), D.end(), out);
        },
        options));
    if (parts.bends != nullptr && settings.number("bend") > 0)
      terms.push_back(make_bending_rate(body, *parts.bends, PartwiseValue(settings.number("bend")), options));
    body.note(fmt::format("woven_strain_rate, warp {}, weft {}, shear {}, bend {}{}",
                          describe_quantity(settings.number("warp"), Quantity::viscosity),
                          describe_quantity(settings.number("weft"), Quantity::viscosity),
                          describe_quantity(settings.number("shear"), Quantity::viscosity),
                          describe_quantity(settings.number("bend"), Quantity::bending_viscosity), describe(options)));
    return terms;
  });
}

void require_solid(const Settings& settings, const BodyAssembly& body, const char* model) {
  if (body.num_tets() == 0)
    throw Error(Problem{settings.place(), fmt::format("{} damping of '{}', {}", model, body.name(), pieces_of(body)),
                        "a body of tets", "use strain_rate, or woven_strain_rate for sheets"});
}

/// out += amount (a a^T) (a a^T) for a unit vector a, in the numbers of Moduli::Kind::solid.
void add_along(const Vec3& a, double amount, double* out) {
  const double n[6] = {a[0] * a[0], a[1] * a[1], a[2] * a[2], a[0] * a[1], a[0] * a[2], a[1] * a[2]};
  for (int i = 0, entry = 0; i < 6; ++i)
    for (int k = i; k < 6; ++k) out[entry++] += amount * n[i] * n[k];
}
/// out += what resists shear between the directions a and b: the stress between them is `amount` times 2 e_ab.
void add_shear(const Vec3& a, const Vec3& b, double amount, double* out) {
  const double n[6] = {2 * a[0] * b[0],           2 * a[1] * b[1],           2 * a[2] * b[2],
                       a[0] * b[1] + a[1] * b[0], a[0] * b[2] + a[2] * b[0], a[1] * b[2] + a[2] * b[1]};
  for (int i = 0, entry = 0; i < 6; ++i)
    for (int k = i; k < 6; ++k) out[entry++] += amount * n[i] * n[k];
}
void add_isotropic(double lambda, double mu, double* out) {
  for (int i = 0, entry = 0; i < 6; ++i)
    for (int k = i; k < 6; ++k, ++entry) {
      if (i < 3 && k < 3) out[entry] += lambda;
      if (i == k) out[entry] += i < 3 ? 2 * mu : mu;
    }
}

Terms make_fiber(const Settings& settings, BodyAssembly& body) {
  require_solid(settings, body, "fiber_strain_rate");
  const StrainRateOptions options = strain_rate_options(settings);
  const BodyAssembly::Variants variants = body.variants(settings);
  const int count = body.num_tets();
  const Vec3 fiber = settings.vec3("direction").normalized();
  body.note(fmt::format("fiber_strain_rate, viscosity {}, along the fibers {} more{}",
                        describe_quantity(settings.number("viscosity"), Quantity::viscosity),
                        describe_quantity(settings.number("fiber"), Quantity::viscosity), describe(options)));
  return with_location(settings.place(), [&] {
    Terms terms;
    terms.push_back(std::make_unique<StrainRateDamping>(
        "strain_rate", body.name(), body.batch(), Moduli::Kind::solid,
        std::vector<RateParameter>{{"viscosity", Quantity::viscosity, variants.value("viscosity", count)},
                                   {"second_viscosity", Quantity::viscosity, variants.value("second_viscosity", count),
                                    -std::numeric_limits<double>::infinity()},
                                   {"fiber", Quantity::viscosity, variants.value("fiber", count)}},
        [fiber](int, const double* values, const double*, double* out) {
          std::fill(out, out + 21, 0.0);
          add_isotropic(values[1], values[0], out);
          add_along(fiber, values[2], out);
        },
        options));
    return terms;
  });
}

Terms make_orthotropic_rate(const Settings& settings, BodyAssembly& body) {
  require_solid(settings, body, "orthotropic_strain_rate");
  const StrainRateOptions options = strain_rate_options(settings);
  const auto rows = settings.rows("axes");
  const Vec3 first = Vec3(rows[0].data()).normalized(), tilted(rows[1].data());
  const Vec3 second = (tilted - first * first.dot(tilted)).normalized(), third = first.cross(second);
  const Vec3 along = settings.vec3("along"), shear = settings.vec3("shear");
  body.note(fmt::format("orthotropic_strain_rate, along its axes {}, {}, {}{}",
                        describe_quantity(along[0], Quantity::viscosity),
                        describe_quantity(along[1], Quantity::viscosity),
                        describe_quantity(along[2], Quantity::viscosity), describe(options)));
  return with_location(settings.place(), [&] {
    const char* names[6] = {"along/0", "along/1", "along/2", "shear/0", "shear/1", "shear/2"};
    std::vector<RateParameter> parameters;
    for (int k = 0; k < 6; ++k)
      parameters.push_back({names[k], Quantity::viscosity, PartwiseValue(k < 3 ? along[k] : shear[k - 3])});
    Terms terms;
    terms.push_back(std::make_unique<StrainRateDamping>(
        "strain_rate", body.name(), body.batch(), Moduli::Kind::solid, std::move(parameters),
        [first, second, third](int, const double* values, const double*, double* out) {
          std::fill(out, out + 21, 0.0);
          const Vec3 axes[3] = {first, second, third};
          for (int k = 0; k < 3; ++k) {
            add_along(axes[k], values[k], out);
            add_shear(axes[k], axes[(k + 1) % 3], values[3 + k], out);
          }
        },
        options));
    return terms;
  });
}

void check_directions(const Settings& settings, std::vector<Problem>& problems) {
  const auto rows = settings.rows("axes");
  const Vec3 first(rows[0].data()), second(rows[1].data());
  if (first.cross(second).norm() <= 1e-6 * first.norm() * second.norm())
    problems.push_back({settings.place("axes"), "two parallel or zero directions", "axes 1 and 2, not parallel"});
}
ModelCheck check_direction(const char* name) {
  return [name](const Settings& settings, std::vector<Problem>& problems) {
    if (!(settings.vec3(name).norm() > 0))
      problems.push_back({settings.place(name), "a direction of length zero", "a direction", "[1, 0, 0]"});
  };
}

}  // namespace

namespace models {

void directed_strain_rate(Registry& registry) {
  std::vector<Parameter> fiber = with_strain_rate_options(
      {viscosity_parameter("viscosity", "\u03bc_d", "shear viscosity in all directions").by_region(),
       parameter::real("second_viscosity", "\u03bb_d", Quantity::viscosity, "against change of volume")
           .by_region()
           .or_else("\"0 Pa s\""),
       viscosity_parameter("fiber", "\u03bc_f", "more viscosity against stretch along the fibers").by_region(),
       parameter::vector3("direction", "a", Quantity::number, "of the fibers, in the rest shape")});
  fiber.push_back(parameter::regions("other viscosities for parts of the body"));
  registry.add(
      {Category::damping,
       "fiber_strain_rate",
       "strain-rate damping of a solid with fibers: more against stretch along them",
       "SanchezBanderasOtaduy2018",
       std::move(fiber),
       DampingFactory(make_fiber),
       "",
       check_direction("direction"),
       {R"({"model": "fiber_strain_rate", "viscosity": "100 Pa s", "fiber": "2 kPa s", "direction": [1, 0, 0]})"}});
  const auto three = [](const char* name, const char* symbol, const char* meaning) {
    return parameter::vector3(name, symbol, Quantity::viscosity, meaning).at_least(0);
  };
  registry.add({Category::damping,
                "orthotropic_strain_rate",
                "strain-rate damping of a solid with three axes of its own",
                "SanchezBanderasOtaduy2018",
                with_strain_rate_options(
                    {three("along", "\u03bc\u2081 \u03bc\u2082 \u03bc\u2083", "against stretch along the axes"),
                     three("shear", "\u03bc\u2081\u2082 \u03bc\u2082\u2083 \u03bc\u2083\u2081",
                           "against shear between the axes"),
                     parameter::list("axes", parameter::list_type(parameter::real_type(Quantity::number), 3, 3),
                                     "directions 1 and 2 in the rest shape; 3 is their cross product")
                         .sized(2, 2)
                         .or_else("[[1, 0, 0], [0, 1, 0]]")}),
                DampingFactory(make_orthotropic_rate),
                "",
                check_directions,
                {R"({"model": "orthotropic_strain_rate", "along": ["900 Pa s", "300 Pa s", "300 Pa s"],)"
                 R"( "shear": ["100 Pa s", "50 Pa s", "100 Pa s"]})"}});
  registry.add(
      {Category::damping,
       "woven_strain_rate",
       "strain-rate damping of cloth, mode by mode: warp, weft, shear, bend",
       "SanchezBanderasOtaduy2018",
       with_strain_rate_options({viscosity_parameter("warp", "", "against stretch along the warp"),
                                 viscosity_parameter("weft", "", "against stretch along the weft"),
                                 viscosity_parameter("shear", "", "against shear in the plane"),
                                 parameter::real("bend", "k_d", Quantity::bending_viscosity,
                                                 "against bending: moment per length and rate of curvature")
                                     .at_least(0)
                                     .or_else("0"),
                                 parameter::vector3("warp_direction", "", Quantity::number,
                                                    "of the warp, in the rest shape; projected onto each triangle")
                                     .or_else("[1, 0, 0]")}),
       DampingFactory(make_woven),
       "",
       check_direction("warp_direction"),
       {R"({"model": "woven_strain_rate", "warp": "300 Pa s", "weft": "200 Pa s", "shear": "50 Pa s", "bend": "1e-6 J s"})"},
       false,
       true});
}

}  // namespace models
}  // namespace dashpot
