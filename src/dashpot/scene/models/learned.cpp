// A known law with corrections that are learned from motion.
#include <fmt/format.h>

#include <cmath>

#include "dashpot/energy/learned.hpp"
#include "dashpot/scene/assembly/body_assembly.hpp"
#include "dashpot/scene/assembly/tet_material.hpp"
#include "dashpot/scene/format/registry.hpp"
#include "dashpot/scene/format/settings.hpp"

namespace dashpot {
namespace {

constexpr const IsotropicLaw* nominal_laws[] = {&IsotropicLaw::corotational, &IsotropicLaw::stvk,
                                                &IsotropicLaw::neo_hookean, &IsotropicLaw::stable_neo_hookean};

WeightedCurve curve_of(const Settings& settings, const std::string& name) {
  const std::vector<double> weights = settings.numbers(name), range = settings.numbers(name + "_range");
  return {{range[0], range[1], static_cast<int>(weights.size())}, weights};
}

EnergyKernels kernels_of(const Settings& settings) {
  EnergyKernels kernels;
  if (settings.text("kernel") == "multiquadric") kernels.kind = math::RadialKernel::multiquadric;
  kernels.width = settings.number("kernel_width");
  kernels.weights = settings.numbers("kernels");
  for (const std::vector<double>& c : settings.rows("kernel_centers")) kernels.centers.push_back({c[0], c[1], c[2]});
  return kernels;
}

/// The known law is complete. A curve has no weights, or enough for one interval of a cubic B-spline; its knots lie
/// around rest.
void check_learned(const Settings& settings, std::vector<Problem>& problems) {
  for (const char* name : {"young", "poisson"})
    if (!settings.has(name))
      problems.push_back({settings.place(), fmt::format("no \"{}\"", name), "that of the known law",
                          "give it, or a \"law\" that has it"});
  const std::size_t num_kernels = settings.numbers("kernels").size(),
                    num_centers = settings.rows("kernel_centers").size();
  if (num_kernels != num_centers)
    problems.push_back({settings.place("kernels"), fmt::format("{} weights", num_kernels),
                        fmt::format("one of each of {} kernel_centers", num_centers), ""});
  for (const std::string name : {"stretch", "area", "volume"}) {
    const std::size_t count = settings.numbers(name).size();
    if (count > 0 && count < 4)
      problems.push_back({settings.place(name), fmt::format("{} weights", count), "none, or at least 4", ""});
    const std::vector<double> range = settings.numbers(name + "_range");
    if (!(range[0] > 0 && range[0] < 1 && range[1] > 1))
      problems.push_back({settings.place(name + "_range"), fmt::format("[{:g}, {:g}]", range[0], range[1]),
                          "0 < first < 1 < last: a curve goes through rest", ""});
  }
}

void add_learned(const Settings& settings, BodyAssembly& body) {
  const BodyAssembly::Variants variants = body.variants(settings);
  LearnedParts parts;
  for (const IsotropicLaw* law : nominal_laws)
    if (settings.text("nominal") == law->name) parts.nominal = *law;
  parts.moduli = {variants.value("young", body.num_tets()), variants.value("poisson", body.num_tets())};
  const std::vector<double> tail = settings.numbers("tail");
  parts.correction.scale = settings.number("scale");
  parts.correction.tail = {tail[0], tail[1]};
  parts.correction.stretch = curve_of(settings, "stretch");
  parts.correction.area = curve_of(settings, "area");
  parts.correction.volume = curve_of(settings, "volume");
  parts.correction.kernels = kernels_of(settings);
  tet_material::add_energy(settings, body, make_learned(body.name(), body.batch(), parts));
}

std::vector<Parameter> with_curves(std::vector<Parameter> all) {
  const auto add = [&](const std::string& name, const char* meaning, const char* weights, const char* range) {
    all.push_back(parameter::list(name, parameter::real_type(Quantity::number),
                                  fmt::format("{}: weights of a cubic B-spline, none or at least 4", meaning))
                      .or_else(weights));
    all.push_back(parameter::list(name + "_range", parameter::real_type(Quantity::number),
                                  "first and last knot; the curve is straight beyond")
                      .sized(2, 2)
                      .or_else(range));
  };
  add("stretch", "f of a stretch", "[0, 0, 0, 0, 0, 0, 0, 0]", "[0.65, 1.45]");
  add("area", "g of the product of two stretches", "[]", "[0.65, 1.45]");
  add("volume", "h of the volume ratio", "[0, 0, 0, 0, 0, 0]", "[0.7, 1.3]");
  all.push_back(parameter::list("kernels", parameter::real_type(Quantity::number),
                                "weights of an energy made of radial functions of all three stretches")
                    .or_else("[]"));
  all.push_back(parameter::list("kernel_centers", parameter::list_type(parameter::real_type(Quantity::number), 3, 3),
                                "the three stretches where each has its center")
                    .or_else("[]"));
  all.push_back(
      parameter::real("kernel_width", "w", Quantity::number, "width of the radial functions").above(0).or_else("0.15"));
  all.push_back(parameter::choice("kernel", {"gaussian", "multiquadric"}, "kind of the radial functions")
                    .or_else(R"("gaussian")"));
  return all;
}

}  // namespace

namespace models {

void learned(Registry& registry) {
  std::vector<std::string> laws;
  for (const IsotropicLaw* law : nominal_laws) laws.push_back(law->name);
  registry.add(
      {Category::material,
       "learned",
       "a known law and a correction, linear in its weights, that is learned from motion",
       "WangEtAl2020",
       tet_material::with_density(with_curves(
           {parameter::file("law",
                            "a law file (`dashpot learn` writes one): stands for all of its values that are not "
                            "given here")
                .may_be_absent(),
            tet_material::young().may_be_absent(), tet_material::poisson().may_be_absent(),
            parameter::choice("nominal", laws, "the known law that is corrected").or_else(R"("corotational")"),
            parameter::real("scale", "E\u2080", Quantity::pressure, "what all weights are multiplied by")
                .above(0)
                .or_else("1e4"),
            parameter::list("tail", parameter::real_type(Quantity::number),
                            "t\u2080, t\u2081: change of 2\u03bc and of \u03bb")
                .sized(2, 2)
                .or_else("[0, 0]")})),
       BodyFactory(add_learned),
       "",
       tet_material::with_limits(check_learned),
       {R"({"model": "learned", "young": "1 MPa", "poisson": 0.3, "density": 1000, "scale": "100 kPa",
            "tail": [1, -0.5], "stretch": [-1, -0.4, -0.5, 0.1, 0.2, 0.6, 0.5, 1.2],
            "area": [-0.3, -0.1, 0.05, 0.2, 0.1], "area_range": [0.6, 1.6], "volume": [-0.4, -0.3, 0, 0.2, 0.4, 0.3]})",
        R"({"model": "learned", "young": "1 MPa", "poisson": 0.4, "density": 1000, "nominal": "neo_hookean",
            "kernels": [-0.3, 0.2], "kernel_centers": [[1.1, 1, 0.95], [1.3, 0.9, 0.8]]})"}});
}

}  // namespace models
}  // namespace dashpot
