#include "dashpot/energy/materials.hpp"

#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/energy/material_maker.hpp"
#include "dashpot/energy/young_poisson.hpp"

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

maker::Combinations maker::combinations(int num_elements, const std::vector<const std::vector<int>*>& parts) {
  Combinations result;
  std::map<std::vector<int>, int> known;
  std::vector<int> key(parts.size());
  for (int e = 0; e < num_elements; ++e) {
    for (std::size_t p = 0; p < parts.size(); ++p)
      key[p] = parts[p]->empty() ? 0 : (*parts[p])[static_cast<std::size_t>(e)];
    const auto [at, is_new] = known.try_emplace(key, static_cast<int>(result.element.size()));
    if (is_new) result.element.push_back(e);
    result.of_element.push_back(at->second);
  }
  return result;
}

std::function<Moduli()> maker::lame_moduli(const PartwiseValue& young, const PartwiseValue& poisson, int num_tets,
                                           bool resists_volume) {
  return [young, poisson, num_tets, resists_volume] {
    Moduli moduli{Moduli::Kind::lame, {}, {}};
    for (int e = 0; e < num_tets; ++e) {
      const Isotropic m{young.of(e), poisson.of(e)};
      moduli.of_element.insert(moduli.of_element.end(), {resists_volume ? m.lambda() : 0.0, m.mu()});
    }
    return moduli;
  };
}

std::unique_ptr<TetElasticity> make_isotropic_parts(std::string body, std::shared_ptr<TetBatch> batch,
                                                    const IsotropicLaw& law, const PartwiseValue& young,
                                                    const PartwiseValue& poisson) {
  const int num_tets = batch->num_tets();
  const maker::Combinations parts = maker::combinations(num_tets, {&young.of_element, &poisson.of_element});
  maker::LameInput input{body, batch, {}, parts.of_element};
  std::vector<Problem> problems;
  for (std::size_t k = 0; k < parts.element.size(); ++k) {
    const Isotropic m{young.of(parts.element[k]), poisson.of(parts.element[k])};
    check(m, k, problems);
    input.materials.push_back({m.lambda(), m.mu()});
  }
  if (!problems.empty()) throw Error(problems);
  std::unique_ptr<TetElasticity> energy = law.make(input);
  const YoungPoisson moduli{young, poisson};
  const auto remake = [body = std::move(body), batch, law, moduli](const double* values) {
    const YoungPoisson others = moduli.with(values);
    return make_isotropic_parts(body, batch, law, others.young, others.poisson);
  };
  energy->set_parameters(moduli, remake);
  energy->set_moduli(maker::lame_moduli(young, poisson, num_tets, law.resists_volume));
  return energy;
}

std::unique_ptr<TetElasticity> make_isotropic(std::string body, std::shared_ptr<TetBatch> batch,
                                              const IsotropicLaw& law, const std::vector<Isotropic>& materials,
                                              const std::vector<int>& of_element) {
  std::vector<Problem> problems;
  for (std::size_t k = 0; k < materials.size(); ++k) check(materials[k], k, problems);
  if (!problems.empty()) throw Error(problems);
  PartwiseValue young, poisson;
  young.values.clear();
  young.names.clear();
  const std::vector<int> checked = maker::checked_of_element(of_element, batch->num_tets(), materials.size());
  poisson = young;
  for (std::size_t k = 0; k < materials.size(); ++k) {
    for (PartwiseValue* value : {&young, &poisson})
      value->names.push_back(k == 0 ? "" : fmt::format("materials/{}/", k));
    young.values.push_back(materials[k].young);
    poisson.values.push_back(materials[k].poisson);
  }
  young.of_element = poisson.of_element = checked;
  return make_isotropic_parts(std::move(body), std::move(batch), law, young, poisson);
}

}  // namespace dashpot
