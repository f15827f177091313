// Strain-rate damping of solids, sheets, strands and springs, in proportion to their moduli or by viscosities.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numbers>

#include "dashpot/analysis/damping_units.hpp"
#include "dashpot/scene/assembly/body_assembly.hpp"
#include "dashpot/scene/assembly/paint.hpp"
#include "dashpot/scene/assembly/strain_rate_settings.hpp"
#include "dashpot/scene/format/with_location.hpp"

namespace dashpot {
namespace {

using Terms = std::vector<std::unique_ptr<DissipationTerm>>;

bool is_solid(Moduli::Kind kind) { return kind == Moduli::Kind::lame || kind == Moduli::Kind::solid; }

void check_ratios(const Settings& settings, std::vector<Problem>& problems) {
  const std::vector<Settings> points = settings.sections("zeta");
  for (const Settings& point : points) {
    if (point.has("f") == point.has("mode"))
      problems.push_back({point.place(), point.has("f") ? "both f and mode" : "neither f nor mode",
                          "a frequency \"f\" or a number \"mode\"", ""});
    if (point.has("zeta") == point.has("loss_factor"))
      problems.push_back({point.place(),
                          point.has("zeta") ? "both zeta and loss_factor" : "neither zeta nor loss_factor",
                          "one of the two", "the loss factor is twice \u03b6"});
    if (point.has("motion") && point.text("motion") == "bend" && settings.has("bend_beta"))
      problems.push_back(
          {settings.place("bend_beta"), "given with a ratio of the motion \"bend\"", "one of the two", ""});
  }
  if (points.size() == 2 &&
      !(points[0].has("motion") && points[1].has("motion") && points[0].text("motion") != points[1].text("motion")))
    problems.push_back({settings.place("zeta"), "two ratios that are not of two motions",
                        "one ratio, or one of the motion \"stretch\" and one of \"bend\"",
                        "two frequencies of one motion are for \"rayleigh\" or \"structural\""});
}

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
  if (settings.has("viscosity") && settings.number("blend") > 0)
    problems.push_back({settings.place("blend"), "given with \"viscosity\"", "it goes with \"beta\" or \"zeta\"", ""});
  if (settings.has("zeta") && settings.has("regions"))
    problems.push_back({settings.place("regions"), "regions beside \"zeta\"",
                        "\"beta\" or \"viscosity\", which take regions",
                        "a ratio belongs to a motion of the whole body"});
  if (settings.has("curve") && settings.number("exponent") != 1)
    problems.push_back({settings.place("curve"), "a curve and an exponent", "one of the two", ""});
  if (settings.has("zeta")) check_ratios(settings, problems);
}

/// Coefficients of what stretches and of what bends [s].
struct Betas {
  double stretch = 0, bend = 0;
  bool are_apart = false;  ///< the bend has a parameter of its own
};

/// Throws Error where nothing bends apart from what stretches: what is asked for the bends would do nothing.
void require_bends(const std::string& place, const std::string& what, const BodyAssembly& body) {
  const auto sources = body.moduli_sources();
  if (std::any_of(sources.begin(), sources.end(), [](const ModuliSource* source) { return is_bend(*source); })) return;
  throw Error(Problem{place, fmt::format("'{}' of '{}', {}", what, body.name(), pieces_of(body)),
                      "a sheet that bends or a strand, whose bends have a coefficient of their own",
                      "leave it out: one coefficient damps all motions of this body"});
}

/// beta = 2 zeta / omega. A ratio that names no motion is that of both; of two motions, the one that is not named is
/// not damped, unless `bend_beta` is given.
Betas betas_from_ratios(const Settings& settings, BodyAssembly& body) {
  Betas betas;
  for (const Settings& point : settings.sections("zeta")) {
    const double f = point.has("f") ? point.number("f") : body.mode(point.integer("mode")).frequency;
    const double zeta =
        point.has("zeta") ? point.number("zeta") : analysis::zeta_from_loss_factor(point.number("loss_factor"));
    const double beta = zeta / (std::numbers::pi * f);
    const std::string motion = point.has("motion") ? point.text("motion") : "";
    if (motion != "bend") betas.stretch = beta;
    if (motion != "stretch") betas.bend = beta;
    if (motion.empty()) continue;
    require_bends(point.place("motion"), motion, body);
    betas.are_apart = true;
  }
  return betas;
}

Betas betas_of(const Settings& settings, BodyAssembly& body) {
  Betas betas;
  if (settings.has("zeta"))
    betas = betas_from_ratios(settings, body);
  else
    betas.stretch = betas.bend = settings.number("beta");
  if (settings.has("bend_beta")) {
    require_bends(settings.place("bend_beta"), "bend_beta", body);
    betas.bend = settings.number("bend_beta");
    betas.are_apart = true;
  }
  return betas;
}

/// Springs, which no field is painted on, keep theirs.
void paint_amount(const Paint& paint, const ModuliSource& source, const BodyAssembly& body, PartwiseValue& amount) {
  const ElementBatch& batch = *source.shared_batch();
  if (is_bend(source))
    amount.factors = paint.hinge_factors(batch, body);
  else if (source.moduli().kind != Moduli::Kind::line)
    amount.factors = paint.factors(batch.num_elements());
}

/// beta times the moduli of everything the body is made of.
Terms make_proportional(const Settings& settings, BodyAssembly& body, const StrainRateOptions& options) {
  const bool from_zeta = settings.has("zeta");
  const auto [beta, bend, are_apart] = betas_of(settings, body);
  const BodyAssembly::Variants variants = body.variants(settings);
  const Paint paint = paint_of(settings, body);
  Terms terms;
  bool has_bends = false, has_blended = false;
  for (const ModuliSource* source : body.moduli_sources()) {
    const bool bends = is_bend(*source);
    const Moduli::Kind kind = source->moduli().kind;
    StrainRateOptions own = options;
    if (bends && kind == Moduli::Kind::line) {
      own.blend = settings.number("blend");
      has_blended = true;
    }
    PartwiseValue amount(bends ? bend : beta);
    if (!from_zeta && is_solid(kind)) amount = variants.value("beta", source->shared_batch()->num_elements());
    paint_amount(paint, *source, body, amount);
    terms.push_back(make_strain_rate_like(body.name(), *source, std::move(amount), own,
                                          bends ? "strain_rate_bending" : "strain_rate",
                                          bends && are_apart ? "bend_beta" : "beta"));
    has_bends = has_bends || bends;
  }
  if (terms.empty())
    throw Error(Problem{settings.place(),
                        fmt::format("strain_rate damping of '{}', which has nothing elastic", body.name()),
                        "a body with a material or springs", ""});
  if (settings.number("blend") > 0 && !has_blended)
    throw Error(Problem{settings.place("blend"), fmt::format("blended bends of '{}', {}", body.name(), pieces_of(body)),
                        "a body whose bends have a size and no sign: strands, sheets of \"membrane\"", "leave it out"});
  body.note(fmt::format(
      "strain_rate, beta {}{}{}", describe_quantity(beta, Quantity::time),
      has_bends && bend != beta ? fmt::format(" ({} in bending)", describe_quantity(bend, Quantity::time)) : "",
      describe(options) + describe(paint, settings)));
  return terms;
}

/// A viscous sheet of thickness h: D = h (lambda tr I + 2 mu) in the plane.
void plane_viscosity(double mu, double lambda, double h, double D[6]) {
  D[0] = D[3] = h * (lambda + 2 * mu);
  D[1] = h * lambda;
  D[2] = D[4] = 0;
  D[5] = h * mu;
}

Terms make_by_viscosities(const Settings& settings, BodyAssembly& body, const StrainRateOptions& options) {
  const BodyAssembly::Variants variants = body.variants(settings);
  const bool by_bulk = settings.has("bulk_viscosity");
  const Paint paint = paint_of(settings, body);
  const char* second = by_bulk ? "bulk_viscosity" : "second_viscosity";
  body.note(fmt::format(
      "strain_rate, viscosity {}, {} {}{}{}", describe_quantity(settings.number("viscosity"), Quantity::viscosity),
      by_bulk ? "bulk viscosity" : "second viscosity",
      describe_quantity(settings.has(second) ? settings.number(second) : 0, Quantity::viscosity),
      describe(options) + describe(paint, settings), variants.settings.size() > 1 ? ", other amounts in regions" : ""));
  if (settings.has("bending_viscosity")) require_bends(settings.place("bending_viscosity"), "bending_viscosity", body);
  const bool solid = body.num_tets() > 0;
  const int count = solid ? body.num_tets() : 0;
  RateParameter mu{"viscosity", Quantity::viscosity, variants.value("viscosity", count)},
      lambda{second, Quantity::viscosity, variants.value(second, count),
             by_bulk ? 0 : -std::numeric_limits<double>::infinity()};
  const auto lame = [by_bulk](const double* values) { return by_bulk ? values[1] - 2.0 / 3 * values[0] : values[1]; };
  Terms terms;
  if (solid) {
    mu.value.factors = lambda.value.factors = paint.factors(count);
    terms.push_back(std::make_unique<StrainRateDamping>(
        "strain_rate", body.name(), body.batch(), Moduli::Kind::lame, std::vector<RateParameter>{mu, lambda},
        [lame](int, const double* values, const double*, double* out) { out[0] = lame(values), out[1] = values[0]; },
        options));
    return terms;
  }
  const SheetParts parts =
      sheet_parts(settings, body, "strain_rate by viscosities", "a solid or a sheet", "give \"beta\" or \"zeta\"");
  mu.value = PartwiseValue(settings.number("viscosity"));
  lambda.value = PartwiseValue(settings.has(second) ? settings.number(second) : 0);
  paint_amount(paint, *parts.membrane, body, mu.value);
  paint_amount(paint, *parts.membrane, body, lambda.value);
  terms.push_back(std::make_unique<StrainRateDamping>(
      "strain_rate", body.name(), parts.membrane->shared_batch(), Moduli::Kind::sheet,
      std::vector<RateParameter>{mu, lambda},
      [lame, h = parts.thickness](int, const double* values, const double*, double* out) {
        plane_viscosity(values[0], lame(values), h, out);
      },
      options));
  if (settings.has("bending_viscosity")) {
    PartwiseValue bending(settings.number("bending_viscosity"));
    paint_amount(paint, *parts.bends, body, bending);
    terms.push_back(make_bending_rate(body, *parts.bends, std::move(bending), options));
  }
  return terms;
}

Terms make_strain_rate_terms(const Settings& settings, BodyAssembly& body) {
  const StrainRateOptions options = strain_rate_options(settings);
  return with_location(settings.place(), [&] {
    return settings.has("viscosity") ? make_by_viscosities(settings, body, options)
                                     : make_proportional(settings, body, options);
  });
}

}  // namespace

namespace models {

void strain_rate(Registry& registry) {
  const ValueType zeta_point = parameter::object_type(
      {parameter::real("f", "f", Quantity::frequency, "frequency where this ratio is wanted").above(0).may_be_absent(),
       parameter::integer("mode", "", "or the number of a vibration mode, from 1").at_least(1).may_be_absent(),
       parameter::real("zeta", "\u03b6", Quantity::ratio, "damping ratio").at_least(0).below(1).may_be_absent(),
       parameter::real("loss_factor", "\u03b7", Quantity::ratio, "or the loss factor there, 2\u03b6")
           .at_least(0)
           .below(2)
           .may_be_absent(),
       parameter::choice("motion", {"stretch", "bend"},
                         "of sheets and strands: which motion has this ratio; left out: both")
           .may_be_absent()});
  std::vector<Parameter> amounts = {
      parameter::real("beta", "\u03b2", Quantity::time,
                      "times the moduli of what the body is made of; at rest as rayleigh's \u03b2")
          .at_least(0)
          .by_region()
          .may_be_absent(),
      parameter::list("zeta", zeta_point,
                      "or the damping ratio of a frequency or mode: \u03b2 = \u03b6/(\u03c0 f); of sheets and strands "
                      "one of the stretch "
                      "and one of the bend")
          .sized(1, 2)
          .may_be_absent(),
      parameter::real("bend_beta", "\u03b2_b", Quantity::time, "of bends of sheets and strands; left out: \u03b2")
          .at_least(0)
          .may_be_absent(),
      viscosity_parameter("viscosity", "\u03bc_d", "or the shear viscosity, of solids and sheets")
          .by_region()
          .may_be_absent()
          .known_as({"mu", "mu_d", "eta"}),
      parameter::real("second_viscosity", "\u03bb_d", Quantity::viscosity,
                      "against change of volume, at least \u22122/3 of the viscosity")
          .by_region()
          .may_be_absent()
          .known_as({"lambda", "lambda_d"}),
      viscosity_parameter("bulk_viscosity", "\u03ba_d",
                          "the same said as \u03bb_d + 2/3 \u03bc_d: of pure change of volume")
          .by_region()
          .may_be_absent(),
      parameter::real("bending_viscosity", "k_d", Quantity::bending_viscosity,
                      "of sheets given by viscosities: moment per length and rate of curvature; left out: none")
          .at_least(0)
          .may_be_absent()};
  std::vector<Parameter> all = with_strain_rate_options(std::move(amounts));
  all.push_back(parameter::real("blend", "", Quantity::angle,
                                "bends of strands below this angle are damped in every direction, which brakes "
                                "rotation a little; 0: never")
                    .at_least(0)
                    .at_most(0.1)
                    .or_else("0"));
  all.push_back(painted_parameter("\u03b2 or the viscosities"));
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
        R"({"model": "strain_rate", "zeta": [{"f": "3 Hz", "loss_factor": 0.1}]})",
        R"({"model": "strain_rate", "viscosity": "300 Pa s"})",
        R"({"model": "strain_rate", "viscosity": "300 Pa s", "second_viscosity": "-100 Pa s"})",
        R"({"model": "strain_rate", "viscosity": "300 Pa s", "bulk_viscosity": "200 Pa s", "metric": "corotational"})",
        R"({"model": "strain_rate", "viscosity": "300 Pa s", "metric": "corotational", "exponent": 0.6, "reference_rate": "2 /s"})",
        R"({"model": "strain_rate", "viscosity": "300 Pa s", "curve": [{"rate": "0 /s", "factor": 1}, {"rate": "20 /s", "factor": 0.6}, {"rate": "500 /s", "factor": 0.3}]})",
        R"({"model": "strain_rate", "viscosity": "300 Pa s", "tangent": "symmetric"})"}});
}

}  // namespace models
}  // namespace dashpot
