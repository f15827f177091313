#include "dashpot/energy/bending.hpp"

#include <fmt/format.h>

#include <cmath>

#include "dashpot/core/error.hpp"
#include "dashpot/core/types.hpp"

namespace dashpot {
namespace {

std::vector<int> checked_nodes(const std::string& body, int n, const std::vector<Bend>& bends, std::size_t num_nodes) {
  std::vector<Problem> problems;
  std::vector<int> nodes;
  for (std::size_t e = 0; e < bends.size() && problems.size() < 10; ++e) {
    const Bend& bend = bends[e];
    const std::string place = fmt::format("{}: bend {}", body, e);
    bool finite = bend.weight >= 0 && std::isfinite(bend.weight) && bend.rest >= 0 && std::isfinite(bend.rest);
    for (std::size_t a = 0; a < at(n); ++a) {
      nodes.push_back(bend.nodes[a]);
      finite = finite && std::isfinite(bend.coefficients[a]);
      if (bend.nodes[a] < 0 || at(bend.nodes[a]) >= num_nodes)
        problems.push_back(
            {place, fmt::format("node {}", bend.nodes[a]), fmt::format("a node below {}", num_nodes), ""});
    }
    if (!finite)
      problems.push_back({place, fmt::format("weight {:.6g}, rest {:.6g}", bend.weight, bend.rest),
                          "finite coefficients, weight and rest >= 0", "look for elements without length or area"});
  }
  if (!problems.empty()) throw Error(problems);
  return nodes;
}

std::vector<double> coefficients_of(int n, const std::vector<Bend>& bends) {
  std::vector<double> values;
  for (const Bend& bend : bends) values.insert(values.end(), bend.coefficients.begin(), bend.coefficients.begin() + n);
  return values;
}

std::vector<double> of_bends(const std::vector<Bend>& bends, double Bend::*value) {
  std::vector<double> values;
  for (const Bend& bend : bends) values.push_back(bend.*value);
  return values;
}

}  // namespace

Bending::Bending(std::string body, int nodes_per_bend, const std::vector<Bend>& bends, const std::vector<Vec3>& X,
                 int first_block)
    : LineElasticity(body,
                     std::make_shared<LineBatch>(nodes_per_bend, checked_nodes(body, nodes_per_bend, bends, X.size()),
                                                 coefficients_of(nodes_per_bend, bends), X, first_block),
                     of_bends(bends, &Bend::weight), of_bends(bends, &Bend::rest), X, first_block) {}

std::shared_ptr<EnergyTerm> Bending::remade(const double* values, const Replacements&) const {
  if (!changes(values)) return nullptr;
  auto successor = std::make_shared<Bending>(*this);
  successor->set_values(values);
  return successor;
}

}  // namespace dashpot
