#include "dashpot/scene/assembly/strain_rate_settings.hpp"

#include <fmt/format.h>

#include "dashpot/scene/assembly/body_assembly.hpp"
#include "dashpot/scene/assembly/sheet_material.hpp"
#include "dashpot/scene/format/with_location.hpp"

namespace dashpot {

bool is_bend(const ModuliSource& source) {
  const Moduli::Kind kind = source.moduli().kind;
  return kind == Moduli::Kind::hinge || (kind == Moduli::Kind::line && source.shared_batch()->nodes_per_element() != 2);
}

std::string pieces_of(const BodyAssembly& body) {
  if (body.num_tets() > 0) return "a solid";
  return body.mesh().group(ElementKind::triangle) != nullptr ? "a sheet" : "a body of strands or springs";
}

StrainRateOptions strain_rate_options(const Settings& settings) {
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
    with_location(settings.place("curve"), [&] { return options.draw(std::move(points)); });
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

SheetParts sheet_parts(const Settings& settings, const BodyAssembly& body, const char* model, const char* expected,
                       const char* remedy) {
  SheetParts parts;
  for (const ModuliSource* source : body.moduli_sources()) {
    if (source->moduli().kind == Moduli::Kind::sheet) parts.membrane = source;
    if (is_bend(*source)) parts.bends = source;
  }
  if (parts.membrane == nullptr)
    throw Error(Problem{settings.place(), fmt::format("{} of '{}', {}", model, body.name(), pieces_of(body)), expected,
                        remedy});
  parts.thickness = body.spec().material->settings.number("thickness");
  return parts;
}

std::unique_ptr<StrainRateDamping> make_bending_rate(const BodyAssembly& body, const ModuliSource& bends,
                                                     PartwiseValue viscosity, const StrainRateOptions& options) {
  const double stiffness = sheet_bending_stiffness(body.spec().material->settings);
  return std::make_unique<StrainRateDamping>(
      "strain_rate_bending", body.name(), bends.shared_batch(), bends.moduli().kind,
      std::vector<RateParameter>{{"bending_viscosity", Quantity::bending_viscosity, std::move(viscosity)}},
      [stiffness](int, const double* values, const double* moduli, double* out) {
        out[0] = values[0] * moduli[0] / stiffness;
      },
      options, &bends);
}

Parameter viscosity_parameter(const char* name, const char* symbol, const char* meaning) {
  return parameter::real(name, symbol, Quantity::viscosity, meaning).at_least(0);
}

std::vector<Parameter> with_strain_rate_options(std::vector<Parameter> parameters) {
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

}  // namespace dashpot
