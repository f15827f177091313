// Strain-rate damping of solids, sheets, strands and springs.
#include "dashpot/dissipation/strain_rate.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <memory>
#include <numbers>

#include "dashpot/energy/stvk_membrane.hpp"
#include "dashpot/scene/assembly/body_assembly.hpp"
#include "dashpot/scene/assembly/sheet_stiffness.hpp"
#include "dashpot/scene/format/registry.hpp"
#include "dashpot/scene/format/settings.hpp"
#include "dashpot/scene/format/with_location.hpp"

namespace dashpot {
namespace {

using Terms = std::vector<std::unique_ptr<DissipationTerm>>;
constexpr double infinity = std::numeric_limits<double>::infinity();

bool is_bend(const ModuliSource& source) {
  const Moduli::Kind kind = source.moduli().kind;
  return kind == Moduli::Kind::hinge || (kind == Moduli::Kind::line && source.shared_batch()->nodes_per_element() != 2);
}
bool is_solid(Moduli::Kind kind) { return kind == Moduli::Kind::lame || kind == Moduli::Kind::solid; }

/// The pieces a body has, in words, for messages.
std::string pieces_of(const BodyAssembly& body) {
  if (body.num_tets() > 0) return "a solid";
  return body.mesh().group(ElementKind::triangle) != nullptr ? "a sheet" : "a body of strands or springs";
}

StrainRateOptions options_from(const Settings& settings) {
  StrainRateOptions options;
  options.metric = settings.text("metric") == "corotational" ? StrainMetric::corotational : StrainMetric::green;
  const std::string& tangent = settings.text("tangent");
  options.tangent = tangent == "symmetric"  ? RateTangent::symmetric
                    : tangent == "velocity" ? RateTangent::velocity
                                            : RateTangent::exact;
  options.power = {settings.number("exponent"), settings.number("reference_rate")};
  if (settings.has("curve")) {
    std::vector<std::pair<double, double>> points;
    for (const Settings& point : settings.sections("curve"))
      points.emplace_back(point.number("rate"), point.number("factor"));
    options.curve = with_location(settings.place("curve"), [&] {
      return std::make_shared<math::Curve>(math::Curve::monotone(points, math::Extrapolation::constant));
    });
  }
  return options;
}

std::string describe(const StrainRateOptions& options) {
  const char* metric = options.metric == StrainMetric::green ? "Green" : "corotational";
  if (options.curve != nullptr) return fmt::format(", {} strain, factor of the rate as drawn", metric);
  if (options.power.exponent == 1) return fmt::format(", {} strain", metric);
  return fmt::format(", {} strain, at {} to the power {:g} of the rate", metric,
                     describe_quantity(options.power.reference_rate, Quantity::rate), options.power.exponent - 1);
}

// --- in proportion to the stiffness, or by viscosities

void check_strain_rate(const Settings& settings, std::vector<Problem>& problems) {
  const auto given = [&](const char* name) { return settings.has(name) ? 1 : 0; };
  const int ways = given("beta") + given("zeta") + given("viscosity");
  if (ways != 1)
    problems.push_back({settings.place(), ways == 0 ? "no amount of damping" : "several amounts of damping",
                        "one of \"beta\", \"zeta\" and \"viscosity\"",
                        "for example \"zeta\": [{\"f\": \"3 Hz\", \"zeta\": 0.02}]"});
  if (given("second_viscosity") + given("bulk_viscosity") == 2)
    problems.push_back({settings.place("bulk_viscosity"), "bulk and second viscosity", "one of the two",
                        "bulk = second + 2/3 viscosity"});
  if (!settings.has("viscosity"))
    for (const char* name : {"second_viscosity", "bulk_viscosity", "bending_viscosity"})
      if (settings.has(name))
        problems.push_back({settings.place(name), "given without \"viscosity\"", "it goes with a viscosity", ""});
  if (settings.has("viscosity") && settings.has("bend_beta"))
    problems.push_back({settings.place("bend_beta"), "given with \"viscosity\"", "\"bending_viscosity\"", ""});
  if (settings.has("curve") && settings.number("exponent") != 1)
    problems.push_back({settings.place("curve"), "a curve and an exponent", "one of the two", ""});
  if (settings.has("zeta"))
    for (const Settings& point : settings.sections("zeta"))
      if (point.has("f") == point.has("mode"))
        problems.push_back({point.place(), point.has("f") ? "both f and mode" : "neither f nor mode",
                            "a frequency \"f\" or a number \"mode\""});
}

/// beta = 2 zeta / omega.
double beta_from_zeta(const Settings& settings, BodyAssembly& body) {
  const Settings point = settings.sections("zeta").front();
  const double f = point.has("f") ? point.number("f") : body.mode(point.integer("mode")).frequency;
  return point.number("zeta") / (std::numbers::pi * f);
}

/// beta times the moduli of everything the body is made of.
Terms make_proportional(const Settings& settings, BodyAssembly& body, const StrainRateOptions& options) {
  const bool from_zeta = settings.has("zeta");
  const double beta = from_zeta ? beta_from_zeta(settings, body) : settings.number("beta");
  const double bend = settings.has("bend_beta") ? settings.number("bend_beta") : beta;
  const BodyAssembly::Variants variants = body.variants(settings);
  Terms terms;
  bool has_bends = false;
  for (const ModuliSource* source : body.moduli_sources()) {
    const bool bends = is_bend(*source);
    StrainRateOptions own = options;
    if (bends && source->moduli().kind == Moduli::Kind::line) own.blend = settings.number("blend");
    PartwiseValue amount(bends ? bend : beta);
    if (!from_zeta && is_solid(source->moduli().kind))
      amount = variants.value("beta", source->shared_batch()->num_elements());
    terms.push_back(make_strain_rate_like(body.name(), *source, std::move(amount), own,
                                          bends ? "strain_rate_bending" : "strain_rate",
                                          bends && settings.has("bend_beta") ? "bend_beta" : "beta"));
    has_bends = has_bends || bends;
  }
  if (terms.empty())
    throw Error(Problem{settings.place(),
                        fmt::format("strain_rate damping of '{}', which has nothing elastic", body.name()),
                        "a body with a material or springs", ""});
  body.note(fmt::format(
      "strain_rate, beta {}{}{}", describe_quantity(beta, Quantity::time),
      has_bends && bend != beta ? fmt::format(" ({} in bending)", describe_quantity(bend, Quantity::time)) : "",
      describe(options)));
  return terms;
}

/// A viscous sheet of thickness h: D = h (lambda tr I + 2 mu) in the plane.
void plane_viscosity(double mu, double lambda, double h, double D[6]) {
  D[0] = D[3] = h * (lambda + 2 * mu);
  D[1] = h * lambda;
  D[2] = D[4] = 0;
  D[5] = h * mu;
}

/// Membrane and bends of a sheet, found among what the body is made of.
struct SheetParts {
  const ModuliSource *membrane = nullptr, *bends = nullptr;
  double thickness = 0;  ///< [m]
};
SheetParts sheet_parts(const Settings& settings, const BodyAssembly& body, const char* model) {
  SheetParts parts;
  for (const ModuliSource* source : body.moduli_sources()) {
    if (source->moduli().kind == Moduli::Kind::sheet) parts.membrane = source;
    if (is_bend(*source)) parts.bends = source;
  }
  if (parts.membrane == nullptr)
    throw Error(Problem{settings.place(),
                        fmt::format("{} by viscosities of '{}', {}", model, body.name(), pieces_of(body)),
                        "a solid or a sheet", "give \"beta\" or \"zeta\""});
  parts.thickness = body.spec().material->settings.number("thickness");
  return parts;
}

/// Hinges or bends with a viscosity [J s] in place of their bending stiffness [J].
std::unique_ptr<StrainRateDamping> make_bending(const BodyAssembly& body, const ModuliSource& bends, double viscosity,
                                                const StrainRateOptions& options) {
  const double stiffness = sheet_bending_stiffness(body.spec().material->settings);
  return std::make_unique<StrainRateDamping>(
      "strain_rate_bending", body.name(), bends.shared_batch(), bends.moduli().kind,
      std::vector<RateParameter>{{"bending_viscosity", Quantity::bending_viscosity, PartwiseValue(viscosity)}},
      [stiffness](int, const double* values, const double* moduli, double* out) {
        out[0] = values[0] * moduli[0] / stiffness;
      },
      options, &bends);
}

Terms make_by_viscosities(const Settings& settings, BodyAssembly& body, const StrainRateOptions& options) {
  const BodyAssembly::Variants variants = body.variants(settings);
  const bool by_bulk = settings.has("bulk_viscosity");
  const char* second = by_bulk ? "bulk_viscosity" : "second_viscosity";
  body.note(fmt::format("strain_rate, viscosity {}, {} {}{}{}",
                        describe_quantity(settings.number("viscosity"), Quantity::viscosity),
                        by_bulk ? "bulk viscosity" : "second viscosity",
                        describe_quantity(settings.has(second) ? settings.number(second) : 0, Quantity::viscosity),
                        describe(options), variants.settings.size() > 1 ? ", other amounts in regions" : ""));
  const bool solid = body.num_tets() > 0;
  const int count = solid ? body.num_tets() : 0;
  RateParameter mu{"viscosity", Quantity::viscosity, variants.value("viscosity", count)},
      lambda{second, Quantity::viscosity, variants.value(second, count), by_bulk ? 0 : -infinity};
  const auto lame = [by_bulk](const double* values) { return by_bulk ? values[1] - 2.0 / 3 * values[0] : values[1]; };
  Terms terms;
  if (solid) {
    terms.push_back(std::make_unique<StrainRateDamping>(
        "strain_rate", body.name(), body.batch(), Moduli::Kind::lame, std::vector<RateParameter>{mu, lambda},
        [lame](int, const double* values, const double*, double* out) { out[0] = lame(values), out[1] = values[0]; },
        options));
    return terms;
  }
  const SheetParts parts = sheet_parts(settings, body, "strain_rate");
  mu.value = PartwiseValue(settings.number("viscosity"));
  lambda.value = PartwiseValue(settings.has(second) ? settings.number(second) : 0);
  terms.push_back(std::make_unique<StrainRateDamping>(
      "strain_rate", body.name(), parts.membrane->shared_batch(), Moduli::Kind::sheet,
      std::vector<RateParameter>{mu, lambda},
      [lame, h = parts.thickness](int, const double* values, const double*, double* out) {
        plane_viscosity(values[0], lame(values), h, out);
      },
      options));
  if (parts.bends != nullptr && settings.has("bending_viscosity"))
    terms.push_back(make_bending(body, *parts.bends, settings.number("bending_viscosity"), options));
  return terms;
}

Terms make_strain_rate_terms(const Settings& settings, BodyAssembly& body) {
  const StrainRateOptions options = options_from(settings);
  return with_location(settings.place(), [&] {
    return settings.has("viscosity") ? make_by_viscosities(settings, body, options)
                                     : make_proportional(settings, body, options);
  });
}

// --- with directions of their own

Terms make_woven(const Settings& settings, BodyAssembly& body) {
  const StrainRateOptions options = options_from(settings);
  return with_location(settings.place(), [&] {
    const SheetParts parts = sheet_parts(settings, body, "woven_strain_rate");
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
      terms.push_back(make_bending(body, *parts.bends, settings.number("bend"), options));
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
  const StrainRateOptions options = options_from(settings);
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
        std::vector<RateParameter>{
            {"viscosity", Quantity::viscosity, variants.value("viscosity", count)},
            {"second_viscosity", Quantity::viscosity, variants.value("second_viscosity", count), -infinity},
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
  const StrainRateOptions options = options_from(settings);
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

// --- parameters

Parameter viscosity(const char* name, const char* symbol, const char* meaning) {
  return parameter::real(name, symbol, Quantity::viscosity, meaning).at_least(0);
}

/// What all strain-rate models share, after their own.
std::vector<Parameter> with_options(std::vector<Parameter> parameters) {
  parameters.push_back(
      parameter::choice("metric", {"green", "corotational"},
                        "which strain: Green's, whose damping goes with the square of the stretch, or corotational, "
                        "whose does not")
          .or_else("\"green\""));
  parameters.push_back(
      parameter::real("exponent", "n", Quantity::number,
                      "of the stress over the rate: below 1 it thins, above 1 it thickens as the body moves faster")
          .above(0)
          .at_most(10)
          .or_else("1"));
  parameters.push_back(parameter::real("reference_rate", "r_0", Quantity::rate,
                                       "with an exponent: strain rate at which the viscosity is the one given")
                           .above(0)
                           .or_else("\"1 /s\""));
  parameters.push_back(
      parameter::list(
          "curve",
          parameter::object_type(
              {parameter::real("rate", "r", Quantity::rate, "strain rate").at_least(0),
               parameter::real("factor", "a", Quantity::number, "of the viscosity at this rate").at_least(0)}),
          "in place of an exponent: the factor over the strain rate, drawn")
          .sized(2, 100)
          .may_be_absent());
  parameters.push_back(
      parameter::choice(
          "tangent", {"exact", "symmetric", "velocity"},
          "derivative with respect to positions that Newton uses. exact: fewest iterations, a matrix that is not "
          "symmetric; symmetric: without negative stresses, for Cholesky or CG; velocity: none")
          .or_else("\"exact\""));
  return parameters;
}

}  // namespace

namespace models {

void strain_rate(Registry& registry) {
  const ValueType zeta_point = parameter::object_type(
      {parameter::real("f", "f", Quantity::frequency, "frequency where this ratio is wanted").above(0).may_be_absent(),
       parameter::integer("mode", "", "or the number of a vibration mode, from 1").at_least(1).may_be_absent(),
       parameter::real("zeta", "\u03b6", Quantity::ratio, "damping ratio").at_least(0).below(1)});
  std::vector<Parameter> amounts = {
      parameter::real("beta", "\u03b2", Quantity::time,
                      "times the moduli of what the body is made of; at rest as rayleigh's \u03b2")
          .at_least(0)
          .by_region()
          .may_be_absent(),
      parameter::list("zeta", zeta_point, "or the damping ratio of a frequency or mode: \u03b2 = \u03b6/(\u03c0 f)")
          .sized(1, 1)
          .may_be_absent(),
      parameter::real("bend_beta", "\u03b2_b", Quantity::time, "of bends of sheets and strands; left out: \u03b2")
          .at_least(0)
          .may_be_absent(),
      viscosity("viscosity", "\u03bc_d", "or the shear viscosity, of solids and sheets")
          .by_region()
          .may_be_absent()
          .known_as({"mu", "mu_d", "eta"}),
      parameter::real("second_viscosity", "\u03bb_d", Quantity::viscosity,
                      "against change of volume, at least \u22122/3 of the viscosity")
          .by_region()
          .may_be_absent()
          .known_as({"lambda", "lambda_d"}),
      viscosity("bulk_viscosity", "\u03ba_d", "the same said as \u03bb_d + 2/3 \u03bc_d: of pure change of volume")
          .by_region()
          .may_be_absent(),
      parameter::real("bending_viscosity", "k_d", Quantity::bending_viscosity,
                      "of sheets given by viscosities: moment per length and rate of curvature; left out: none")
          .at_least(0)
          .may_be_absent()};
  std::vector<Parameter> all = with_options(std::move(amounts));
  all.push_back(parameter::real("blend", "", Quantity::angle,
                                "bends of strands below this angle are damped in every direction, which brakes "
                                "rotation a little; 0: never")
                    .at_least(0)
                    .at_most(0.1)
                    .or_else("0"));
  all.push_back(parameter::regions("other amounts for parts of a solid"));
  registry.add(
      {Category::damping,
       "strain_rate",
       "viscosity in the rate of the strain: resists the change of shape alone, free under rigid motion",
       "SanchezBanderasOtaduy2018",
       std::move(all),
       DampingFactory(make_strain_rate_terms),
       "",
       check_strain_rate,
       {R"({"model": "strain_rate", "beta": "4 ms"})",
        R"({"model": "strain_rate", "zeta": [{"f": "3 Hz", "zeta": 0.05}]})",
        R"({"model": "strain_rate", "viscosity": "300 Pa s"})",
        R"({"model": "strain_rate", "viscosity": "300 Pa s", "second_viscosity": "-100 Pa s"})",
        R"({"model": "strain_rate", "viscosity": "300 Pa s", "bulk_viscosity": "200 Pa s", "metric": "corotational"})",
        R"({"model": "strain_rate", "viscosity": "300 Pa s", "metric": "corotational", "exponent": 0.6, "reference_rate": "2 /s"})",
        R"({"model": "strain_rate", "viscosity": "300 Pa s", "curve": [{"rate": "0 /s", "factor": 1}, {"rate": "20 /s", "factor": 0.6}, {"rate": "500 /s", "factor": 0.3}]})",
        R"({"model": "strain_rate", "viscosity": "300 Pa s", "tangent": "symmetric"})"}});
  std::vector<Parameter> fiber =
      with_options({viscosity("viscosity", "\u03bc_d", "shear viscosity in all directions").by_region(),
                    parameter::real("second_viscosity", "\u03bb_d", Quantity::viscosity, "against change of volume")
                        .by_region()
                        .or_else("\"0 Pa s\""),
                    viscosity("fiber", "\u03bc_f", "more viscosity against stretch along the fibers").by_region(),
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
  registry.add(
      {Category::damping,
       "orthotropic_strain_rate",
       "strain-rate damping of a solid with three axes of its own",
       "SanchezBanderasOtaduy2018",
       with_options({three("along", "\u03bc\u2081 \u03bc\u2082 \u03bc\u2083", "against stretch along the axes"),
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
       with_options({viscosity("warp", "", "against stretch along the warp"),
                     viscosity("weft", "", "against stretch along the weft"),
                     viscosity("shear", "", "against shear in the plane"),
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
