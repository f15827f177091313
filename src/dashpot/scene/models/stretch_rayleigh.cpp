// Rayleigh damping whose coefficients follow the strain.
#include <fmt/format.h>

#include "dashpot/dissipation/stretch_rayleigh.hpp"
#include "dashpot/scene/assembly/body_assembly.hpp"
#include "dashpot/scene/format/registry.hpp"
#include "dashpot/scene/format/settings.hpp"
#include "dashpot/scene/format/with_location.hpp"

namespace dashpot {
namespace {

void check_stretch_rayleigh(const Settings& settings, std::vector<Problem>& problems) {
  for (const char* name : {"alpha_curve", "beta_curve"}) {
    const std::size_t count = settings.numbers(name).size();
    if (count > 0 && count < 4)
      problems.push_back({settings.place(name), fmt::format("{} weights", count), "none, or at least 4", ""});
  }
  for (const char* name : {"alpha_kernels", "beta_kernels"})
    if (const std::size_t count = settings.numbers(name).size(), centers = settings.rows("kernel_centers").size();
        count > 0 && count != centers)
      problems.push_back({settings.place(name), fmt::format("{} weights", count),
                          fmt::format("none, or one of each of {} kernel_centers", centers), ""});
  const std::vector<double> range = settings.numbers("curve_range");
  if (!(range[0] < range[1]))
    problems.push_back({settings.place("curve_range"), fmt::format("[{:g}, {:g}]", range[0], range[1]),
                        "first knot below the last", ""});
}

StretchCoefficient coefficient_of(const Settings& settings, const BodyAssembly::Variants& variants,
                                  const std::string& name, int num_elements) {
  StretchCoefficient result;
  result.nominal = variants.value(name.c_str(), num_elements);
  result.scale = settings.number(name + "_scale");
  result.weights = settings.numbers(name + "_curve");
  const std::vector<double> range = settings.numbers("curve_range");
  result.knots = {range[0], range[1], static_cast<int>(result.weights.size())};
  result.kernels.weights = settings.numbers(name + "_kernels");
  if (result.kernels.weights.empty()) return result;
  const std::string& kind = settings.text("kernel");
  result.kernels.kind = kind == "gaussian"       ? math::RadialKernel::gaussian
                        : kind == "multiquadric" ? math::RadialKernel::multiquadric
                                                 : math::RadialKernel::distance;
  result.kernels.width = settings.number("kernel_width");
  for (const std::vector<double>& c : settings.rows("kernel_centers"))
    result.kernels.centers.push_back({c[0], c[1], c[2]});
  return result;
}

std::unique_ptr<DissipationTerm> make_stretch_rayleigh(const Settings& settings, BodyAssembly& body) {
  if (body.batch() == nullptr)
    throw Error(Problem{settings.place(), fmt::format("'{}' has no tets", body.name()),
                        "a solid, whose elements have three stretches", "use rayleigh or strain_rate"});
  const BodyAssembly::Variants variants = body.variants(settings);
  const StretchRayleighSources sources{body.batch(), &body.mass_source(), &body.nominal_stiffness_source()};
  StretchCoefficient alpha = coefficient_of(settings, variants, "alpha", sources.mass->num_elements()),
                     beta = coefficient_of(settings, variants, "beta", sources.stiffness->num_elements());
  const auto describe = [](const StretchCoefficient& c, Quantity quantity) {
    const std::size_t count = c.weights.size() + c.kernels.weights.size();
    return describe_quantity(c.nominal.values.front(), quantity) +
           (count == 0 ? "" : fmt::format(" and {} weights over stretch", count));
  };
  body.note(fmt::format("stretch_rayleigh, alpha {}, beta {}, {} stiffness", describe(alpha, Quantity::rate),
                        describe(beta, Quantity::time), settings.text("stiffness")));
  const StiffnessPart part =
      settings.text("stiffness") == "gauss_newton" ? StiffnessPart::gauss_newton : StiffnessPart::projected_tangent;
  return with_location(settings.place(), [&] {
    return std::make_unique<StretchRayleigh>(body.name(), sources, std::move(alpha), std::move(beta), part);
  });
}

Parameter curve_weights(const char* name, const char* meaning) {
  return parameter::list(name, parameter::real_type(Quantity::number), meaning).or_else("[]");
}
Parameter curve_scale(const char* name, Quantity quantity, const char* fallback) {
  return parameter::real(name, "", quantity, "what the weights of the curve are multiplied by")
      .above(0)
      .or_else(fallback);
}

}  // namespace

namespace models {

void stretch_rayleigh(Registry& registry) {
  registry.add(
      {Category::damping,
       "stretch_rayleigh",
       "Rayleigh damping of the known law whose \u03b1 and \u03b2 follow the largest stretch of each element; never "
       "below zero",
       "WangEtAl2020",
       {parameter::file("law", "a law file: stands for all values of this damping that are not given here")
            .may_be_absent(),
        parameter::real("alpha", "\u03b1", Quantity::rate, "mass-proportional; also damps flight and fall")
            .at_least(0)
            .by_region()
            .or_else("0"),
        parameter::real("beta", "\u03b2", Quantity::time, "stiffness-proportional")
            .at_least(0)
            .by_region()
            .or_else("0"),
        curve_weights("alpha_curve",
                      "added to \u03b1 over the largest stretch: weights of a cubic B-spline, none or at least 4"),
        curve_scale("alpha_scale", Quantity::rate, "1"), curve_weights("beta_curve", "added to \u03b2 likewise"),
        curve_scale("beta_scale", Quantity::time, "0.01"),
        parameter::list("curve_range", parameter::real_type(Quantity::number),
                        "first and last knot of both curves, which are constant beyond")
            .sized(2, 2)
            .or_else("[1, 1.3]"),
        curve_weights("alpha_kernels", "added to \u03b1: weights of radial functions of all three stretches"),
        curve_weights("beta_kernels", "added to \u03b2 likewise"),
        parameter::list("kernel_centers", parameter::list_type(parameter::real_type(Quantity::number), 3, 3),
                        "the three stretches, in descending order, where each radial function has its center")
            .or_else("[]"),
        parameter::real("kernel_width", "w", Quantity::number, "width of the radial functions").above(0).or_else("0.1"),
        parameter::choice("kernel", {"gaussian", "multiquadric", "distance"}, "kind of the radial functions")
            .or_else(R"("gaussian")"),
        parameter::choice("stiffness", {"projected_tangent", "gauss_newton"},
                          "which K of the known law, at the start of the step: projected tangent, or the part blind to "
                          "rigid motion")
            .or_else(R"("gauss_newton")"),
        parameter::regions("other amounts for parts of the body")},
       one_damping(make_stretch_rayleigh),
       "",
       check_stretch_rayleigh,
       {R"({"model": "stretch_rayleigh", "beta": "3 ms",
            "beta_curve": [0.1, 0.3, 0.2, 0.9, 1.5, -0.5, 0.2, 0.8]})",
        R"({"model": "stretch_rayleigh", "beta": "3 ms", "stiffness": "projected_tangent",
            "beta_curve": [0.1, 0.3, 0.2, 0.9], "curve_range": [0.9, 1.2]})",
        R"({"model": "stretch_rayleigh", "alpha": "0.5 /s",
            "alpha_curve": [0.2, 0.4, 0.1, -0.9], "alpha_scale": "2 /s"})",
        R"({"model": "stretch_rayleigh", "beta": "1 ms", "beta_kernels": [0.4, 0.3],
            "kernel_centers": [[1.05, 1, 0.95], [1.2, 1, 0.9]]})"}});
}

}  // namespace models
}  // namespace dashpot
