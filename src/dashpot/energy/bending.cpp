#include "dashpot/energy/bending.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dashpot/core/error.hpp"
#include "dashpot/core/types.hpp"
#include "dashpot/math/best_spin.hpp"

namespace dashpot {
namespace {

constexpr double least_share = 1e-12;  // of the size of its parts: a smaller g has no direction

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

}  // namespace

struct Bending::Task {
  const double* q;
  Vector* gradient = nullptr;
  BlockMatrix* stiffness = nullptr;
  const double* element_scale = nullptr;
  double scale = 1;
  Lateral lateral = Lateral::exact;
};

Bending::Bending(std::string body, int nodes_per_bend, std::vector<Bend> bends, const std::vector<Vec3>& X,
                 int first_block)
    : body_(std::move(body)),
      n_(nodes_per_bend),
      bends_(std::move(bends)),
      rest_(X, first_block),
      chunks_(n_, checked_nodes(body_, n_, bends_, X.size()), static_cast<int>(X.size()), first_block) {
  for (const Bend& bend : bends_) {
    double scale = 0;
    for (std::size_t a = 1; a < at(n_); ++a)
      scale += std::abs(bend.coefficients[a]) * (X[at(bend.nodes[a])] - X[at(bend.nodes[0])]).norm();
    scale_.push_back(scale);
    is_quadratic_ = is_quadratic_ && bend.rest == 0;
  }
}

Vec3 Bending::difference(const double* q, int e) const {
  const int* b = chunks_.blocks(e);
  const Vec3 x0 = Vec3::Map(q + 3 * b[0]);
  Vec3 g = Vec3::Zero();  // coefficients sum to zero: differences keep the digits of a body far from the origin
  for (int a = 1; a < n_; ++a) g += bends_[at(e)].coefficients[at(a)] * (Vec3::Map(q + 3 * b[a]) - x0);
  return g;
}

void Bending::scatter(int e, const Vec3& force, Vector& f) const {
  const int* b = chunks_.blocks(e);
  Vec3 sum = Vec3::Zero();
  for (int a = 1; a < n_; ++a) {
    const Vec3 part = bends_[at(e)].coefficients[at(a)] * force;
    f.segment<3>(3 * b[a]) += part;
    sum += part;
  }
  f.segment<3>(3 * b[0]) -= sum;
}

double Bending::size_of(const Vec3& g, int e) const {
  const double size = g.norm();
  return size > least_share * scale_[at(e)] ? size : 0;
}

double Bending::run(const Task& task) const {
  return chunks_.sum([&](int begin, int end) {
    double energy = 0;
    for (int e = begin; e < end; ++e) {
      const Bend& bend = bends_[at(e)];
      const Vec3 g = difference(task.q, e);
      const double size = size_of(g, e), beyond = g.norm() - bend.rest;
      const Vec3 n = size > 0 ? Vec3(g / size) : Vec3(Vec3::Zero());
      energy += 0.5 * bend.weight * beyond * beyond;
      if (task.gradient != nullptr)
        scatter(e, bend.rest == 0 ? Vec3(bend.weight * g) : Vec3(bend.weight * beyond * n), *task.gradient);
      if (task.stiffness == nullptr) continue;
      double across = size > 0 ? 1 - bend.rest / size : 1;
      if (task.lateral == Lateral::clamped) across = std::max(across, 0.0);
      if (task.lateral == Lateral::none && size > 0) across = 0;
      const double w = task.scale * bend.weight * (task.element_scale != nullptr ? task.element_scale[e] : 1.0);
      const Mat3 D = w * ((1 - across) * n * n.transpose() + across * Mat3::Identity());
      for (int a = 0; a < n_; ++a)
        for (int b = 0; b < n_; ++b)
          Mat3::Map(task.stiffness->block(chunks_.slots(e)[n_ * a + b])) +=
              bend.coefficients[at(a)] * bend.coefficients[at(b)] * D;
    }
    return energy;
  });
}

double Bending::evaluate(const EnergyRequest& request) const {
  if (request.hessian == nullptr) {
    double energy = 0;
    with_packs([&](BendPacks& packs) { energy = packs.evaluate(request.q, request.gradient); });
    return energy;
  }
  return run({request.q.data(), request.gradient, request.hessian, nullptr, request.hessian_scale,
              request.projection == Projection::none ? Lateral::exact : Lateral::clamped});
}

void Bending::add_stiffness(const Vector& q, StiffnessPart part, const std::vector<double>& element_scale,
                            BlockMatrix& K) const {
  run({part == StiffnessPart::rest ? rest_.data() : q.data(), nullptr, &K, element_scale.data(), 1,
       part == StiffnessPart::gauss_newton ? Lateral::none : Lateral::clamped});
}

void Bending::add_laplacian(const std::vector<double>& element_scale, std::vector<double>& of_slot) const {
  chunks_.add_to_slots(
      [&](int e, int a, int b) {
        const Bend& bend = bends_[at(e)];
        return element_scale[at(e)] * bend.weight * bend.coefficients[at(a)] * bend.coefficients[at(b)];
      },
      of_slot);
}

template <class Use>
void Bending::with_packs(const Use& use) const {
  std::unique_ptr<BendPacks> packs = packs_.take();
  if (!packs) {
    std::vector<int> blocks;
    std::vector<Vec3> places;
    std::vector<double> least_size;
    for (int e = 0; e < num_elements(); ++e) {
      blocks.insert(blocks.end(), chunks_.blocks(e), chunks_.blocks(e) + n_);
      places.emplace_back(rest_.of_block(chunks_.blocks(e)[0]));
      least_size.push_back(least_share * scale_[at(e)]);
    }
    packs = std::make_unique<BendPacks>(n_, bends_, blocks, least_size, places);
  }
  use(*packs);
  packs_.give(std::move(packs));
}

void Bending::add_spin_force(const Vector& q, const Vector& v, const std::vector<double>& element_scale,
                             Vector& f) const {
  with_packs([&](BendPacks& packs) { packs.add_spin_force(q, v, element_scale, f); });
}

void Bending::add_projection(const Vector& q, TermScratch*, Vector& f) const {
  if (is_quadratic_) return;
  with_packs([&](BendPacks& packs) { packs.add_projection(q, f); });
}

void Bending::add_spin_tangent(const Vector& q, const Vector& v, const std::vector<double>& element_scale,
                               double dv_scale, double dq_scale, BlockMatrix& tangent) const {
  chunks_.sum([&](int begin, int end) {
    for (int e = begin; e < end; ++e) {
      const Bend& bend = bends_[at(e)];
      const Vec3 g = difference(q.data(), e), rate = difference(v.data(), e);
      if (size_of(g, e) == 0) continue;
      const Mat3 block = element_scale[at(e)] * bend.weight *
                         (dv_scale * math::line_spin_dv(g) + dq_scale * math::line_spin_dq(g, rate));
      for (int a = 0; a < n_; ++a)
        for (int b = 0; b < n_; ++b)
          Mat3::Map(tangent.block(chunks_.slots(e)[n_ * a + b])) +=
              bend.coefficients[at(a)] * bend.coefficients[at(b)] * block;
    }
    return 0.0;
  });
}

std::shared_ptr<EnergyTerm> Bending::remade(const double* values, const Replacements&) const {
  if (!parameter_.changes(values)) return nullptr;
  auto successor = std::make_shared<Bending>(*this);
  successor->parameter_ = parameter_.with(values);
  for (int e = 0; e < num_elements(); ++e)
    successor->bends_[at(e)].weight *= successor->parameter_.ratio(parameter_, e);
  return successor;
}

}  // namespace dashpot
