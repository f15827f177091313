#include "dashpot/energy/materials.hpp"

#include <cmath>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/energy/material_maker.hpp"

namespace dashpot {
namespace {

void check(const Isotropic& m, std::size_t k, std::vector<Problem>& problems) {
  const std::string place = fmt::format("material {}", k);
  if (!(m.young > 0) || !std::isfinite(m.young))
    problems.push_back({place, fmt::format("young = {:.6g} Pa", m.young), "young > 0", ""});
  if (!(m.poisson > -1) || !(m.poisson < 0.5))
    problems.push_back({place, fmt::format("poisson = {:.6g}", m.poisson), "-1 < poisson < 0.5",
                        "use 0.49 for nearly incompressible rubber"});
}

}  // namespace

std::string to_string(IsotropicLaw law) {
  switch (law) {
    case IsotropicLaw::linear:
      return "linear";
    case IsotropicLaw::corotational:
      return "corotational";
    case IsotropicLaw::arap:
      return "arap";
    case IsotropicLaw::stvk:
      return "stvk";
    case IsotropicLaw::neo_hookean:
      return "neo_hookean";
    case IsotropicLaw::stable_neo_hookean:
      return "stable_neo_hookean";
  }
  return "";
}

Isotropic Isotropic::from_lame(double lambda, double mu) {
  return {mu * (3 * lambda + 2 * mu) / (lambda + mu), 0.5 * lambda / (lambda + mu)};
}

std::vector<int> maker::checked_of_element(std::vector<int> of_element, int num_tets, std::size_t num_materials) {
  if (num_materials == 0) throw Error(Problem{"", "no material", "at least one material", ""});
  if (of_element.empty()) return std::vector<int>(static_cast<std::size_t>(num_tets), 0);
  if (static_cast<int>(of_element.size()) != num_tets)
    throw Error(Problem{"", fmt::format("materials for {} tets", of_element.size()),
                        fmt::format("one for each of {} tets", num_tets), ""});
  for (std::size_t e = 0; e < of_element.size(); ++e)
    if (of_element[e] < 0 || static_cast<std::size_t>(of_element[e]) >= num_materials)
      throw Error(Problem{fmt::format("tet {}", e), fmt::format("material index {}", of_element[e]),
                          fmt::format("0 <= index < {}", num_materials), "give every region a material"});
  return of_element;
}

std::unique_ptr<TetElasticity> make_isotropic(std::string body, std::shared_ptr<TetBatch> batch, IsotropicLaw law,
                                              const std::vector<Isotropic>& materials,
                                              const std::vector<int>& of_element) {
  std::vector<Problem> problems;
  for (std::size_t k = 0; k < materials.size(); ++k) check(materials[k], k, problems);
  if (!problems.empty()) throw Error(problems);
  maker::LameInput input{
      std::move(body), batch, {}, maker::checked_of_element(of_element, batch->num_tets(), materials.size())};
  for (const Isotropic& m : materials) input.materials.push_back({m.lambda(), m.mu()});
  switch (law) {
    case IsotropicLaw::linear:
      return maker::linear(input);
    case IsotropicLaw::corotational:
      return maker::corotational(input);
    case IsotropicLaw::arap:
      return maker::arap(input);
    case IsotropicLaw::stvk:
      return maker::stvk(input);
    case IsotropicLaw::neo_hookean:
      return maker::neo_hookean(input);
    case IsotropicLaw::stable_neo_hookean:
      return maker::stable_neo_hookean(input);
  }
  throw Error(Problem{"", "an unknown law", "one of IsotropicLaw", ""});
}

}  // namespace dashpot
