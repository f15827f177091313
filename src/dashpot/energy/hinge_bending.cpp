#include "dashpot/energy/hinge_bending.hpp"

#include <fmt/format.h>

#include <cmath>

#include "dashpot/core/error.hpp"

namespace dashpot {
namespace {

std::vector<int> checked_hinge_nodes(const std::string& body, const std::vector<Bend>& bends,
                                     const std::vector<Vec3>& X) {
  std::vector<int> nodes;
  std::vector<Problem> problems;
  for (std::size_t e = 0; e < bends.size() && problems.size() < 10; ++e) {
    const std::string place = fmt::format("{}: hinge {}", body, e);
    for (const int node : bends[e].nodes) {
      if (node < 0 || at(node) >= X.size())
        problems.push_back({place, fmt::format("node {}", node),
                            fmt::format("nodes from 0 to {}", static_cast<long>(X.size()) - 1), ""});
      nodes.push_back(node);
    }
    if (!(bends[e].weight >= 0) || !std::isfinite(bends[e].weight))
      problems.push_back({place, fmt::format("stiffness {:.6g}", bends[e].weight), "a finite stiffness >= 0", ""});
  }
  if (!problems.empty()) throw Error(problems);
  return nodes;
}

}  // namespace

HingeBending::HingeBending(std::string body, const std::vector<Bend>& bends, const std::vector<Vec3>& X,
                           int first_block, RestBend rest)
    : body_(std::move(body)),
      batch_(std::make_shared<HingeBatch>(checked_hinge_nodes(body_, bends, X), X, first_block)),
      rest_(X, first_block) {
  packs_.assign(at(8 * batch_->num_packs()), 0.0);
  for (int i = 0; i < num_elements(); ++i) {
    const Bend& bend = bends[at(batch_->original(i))];
    const Vec3 &x0 = X[at(bend.nodes[0])], &x1 = X[at(bend.nodes[1])];
    packs_[pack_of(i)] = bend.weight * (x1 - x0).squaredNorm();
    if (rest == RestBend::as_mesh)
      packs_[pack_of(i) + 4] = dihedral_angle(x0, x1, X[at(bend.nodes[2])], X[at(bend.nodes[3])]);
  }
}

Moduli HingeBending::moduli() const {
  Moduli result;
  result.kind = Moduli::Kind::hinge;
  result.of_element.resize(at(num_elements()));
  for (int i = 0; i < num_elements(); ++i) result.of_element[at(batch_->original(i))] = packs_[pack_of(i)];
  return result;
}

std::shared_ptr<EnergyTerm> HingeBending::remade(const double* values, const Replacements&) const {
  if (!parameter_.changes(values)) return nullptr;
  auto successor = std::make_shared<HingeBending>(*this);
  successor->parameter_ = parameter_.with(values);
  for (int i = 0; i < num_elements(); ++i)
    successor->packs_[pack_of(i)] *= successor->parameter_.ratio(parameter_, batch_->original(i));
  return successor;
}

}  // namespace dashpot
