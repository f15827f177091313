#include "dashpot/energy/springs.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/core/parallel.hpp"
#include "dashpot/core/types.hpp"
#include "dashpot/math/best_spin.hpp"

namespace dashpot {
namespace {

void check(const std::vector<Spring>& springs, std::size_t num_nodes, const std::string& body) {
  std::vector<Problem> problems;
  const auto in_range = [&](int node) { return node >= 0 && at(node) < num_nodes; };
  for (std::size_t e = 0; e < springs.size() && problems.size() < 10; ++e) {
    const Spring& s = springs[e];
    const std::string place = fmt::format("{}: spring {}", body, e);
    if (!in_range(s.a) || !in_range(s.b) || s.a == s.b)
      problems.push_back({place, fmt::format("nodes {} and {}", s.a, s.b),
                          fmt::format("two different nodes below {}", num_nodes), ""});
    if (!(s.stiffness >= 0) || !std::isfinite(s.stiffness))
      problems.push_back({place, fmt::format("stiffness = {:.6g} N/m", s.stiffness), "stiffness >= 0", ""});
    if (!(s.rest_length >= 0) || !std::isfinite(s.rest_length))
      problems.push_back({place, fmt::format("rest length = {:.6g} m", s.rest_length), "rest length >= 0", ""});
  }
  if (!problems.empty()) throw Error(problems);
}

/// Fewer springs are visited once each, by one thread; more from both of their ends, by several.
constexpr int one_thread_springs = 4096;

/// Shorter than this a spring has no direction.
bool has_direction(double length, const Spring& s) { return length > 1e-12 * s.rest_length && length > 0; }

}  // namespace

Springs::Springs(std::string body, std::vector<Spring> springs, const std::vector<Vec3>& X, int first_block)
    : body_(std::move(body)), springs_(std::move(springs)), X_(X), first_block_(first_block) {
  check(springs_, X.size(), body_);
  start_.assign(X.size() + 1, 0);
  for (const Spring& s : springs_) ++start_[at(s.a) + 1], ++start_[at(s.b) + 1];
  for (std::size_t i = 0; i < X.size(); ++i) start_[i + 1] += start_[i];
  ends_.resize(2 * springs_.size());
  std::vector<int> next(start_.begin(), start_.end() - 1);
  for (int e = 0; e < num_elements(); ++e) {
    const Spring& s = springs_[at(e)];
    ends_[at(next[at(s.a)]++)] = {e, s.b, -1};
    ends_[at(next[at(s.b)]++)] = {e, s.a, -1};
  }
}

std::vector<Spring> Springs::along_edges(const std::vector<int>& edges, const std::vector<Vec3>& X, double stiffness) {
  std::vector<Spring> springs;
  for (std::size_t k = 0; k + 1 < edges.size(); k += 2)
    springs.push_back({edges[k], edges[k + 1], stiffness, (X[at(edges[k + 1])] - X[at(edges[k])]).norm()});
  return springs;
}

void Springs::couple(PatternBuilder& pattern) const {
  for (const Spring& s : springs_) {
    const int blocks[2] = {s.a + first_block_, s.b + first_block_};
    pattern.add_group(blocks, 2);
  }
}

void Springs::bind(const BlockPattern& pattern) {
  diagonal_.resize(X_.size());
  for (int i = 0; i < static_cast<int>(X_.size()); ++i) {
    diagonal_[at(i)] = pattern.diagonal_slot(i + first_block_);
    for (int k = start_[at(i)]; k < start_[at(i) + 1]; ++k)
      ends_[at(k)].slot = pattern.slot(i + first_block_, ends_[at(k)].other + first_block_);
  }
}

double Springs::visit(const Vec3* rest, const double* q, double* gradient, BlockMatrix* K, const double* element_scale,
                      double scale, Lateral lateral) const {
  const auto position = [&](int node) -> Vec3 {
    return rest != nullptr ? rest[node] : Vec3(Vec3::Map(q + 3 * (node + first_block_)));
  };
  return parallel_sum(static_cast<int>(X_.size()), 1024, [&](int begin, int end) {
    double energy = 0;
    for (int i = begin; i < end; ++i) {
      Vec3 pull = Vec3::Zero();
      Mat3 row = Mat3::Zero();
      for (int k = start_[at(i)]; k < start_[at(i) + 1]; ++k) {
        const End& far_end = ends_[at(k)];
        const Spring& s = springs_[at(far_end.spring)];
        const Vec3 d = position(far_end.other) - position(i);
        const double length = d.norm(), tension = s.stiffness * (length - s.rest_length);
        const bool directed = has_direction(length, s);
        const Vec3 n = directed ? Vec3(d / length) : Vec3(Vec3::Zero());
        pull += tension * n;
        if (s.a == i) energy += 0.5 * tension * (length - s.rest_length);  // each spring once
        if (K == nullptr) continue;
        double across = directed ? 1 - s.rest_length / length : 1;
        if (lateral == Lateral::clamped) across = std::max(across, 0.0);
        if (lateral == Lateral::none && directed) across = 0;
        const double k_e = scale * s.stiffness * (element_scale != nullptr ? element_scale[far_end.spring] : 1.0);
        const Mat3 block = k_e * ((1 - across) * n * n.transpose() + across * Mat3::Identity());
        row += block;
        Mat3::Map(K->block(far_end.slot)) -= block;
      }
      if (gradient != nullptr) Vec3::Map(gradient + 3 * (i + first_block_)) -= pull;
      if (K != nullptr) Mat3::Map(K->block(diagonal_[at(i)])) += row;
    }
    return energy;
  });
}

double Springs::evaluate(const EnergyRequest& request) const {
  return visit(nullptr, request.q.data(), request.gradient != nullptr ? request.gradient->data() : nullptr,
               request.hessian, nullptr, request.hessian_scale,
               request.projection == Projection::none ? Lateral::exact : Lateral::clamped);
}

void Springs::add_stiffness(const Vector& q, StiffnessPart part, const std::vector<double>& element_scale,
                            BlockMatrix& K) const {
  const bool at_rest = part == StiffnessPart::rest;
  visit(at_rest ? X_.data() : nullptr, q.data(), nullptr, &K, element_scale.data(), 1,
        part == StiffnessPart::gauss_newton ? Lateral::none : Lateral::clamped);
}

void Springs::add_laplacian(const std::vector<double>& element_scale, std::vector<double>& of_slot) const {
  for (std::size_t i = 0; i < X_.size(); ++i)
    for (int k = start_[i]; k < start_[i + 1]; ++k) {
      const End& end = ends_[at(k)];
      const double weight = element_scale[at(end.spring)] * springs_[at(end.spring)].stiffness;
      of_slot[at(diagonal_[i])] += weight;
      of_slot[at(end.slot)] -= weight;
    }
}

template <class OfEnd>
void Springs::add_to_nodes(Vector& f, const Vector& q, const OfEnd& of_end) const {
  parallel_for(static_cast<int>(X_.size()), 1024, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const Vec3 x = q.segment<3>(3 * (i + first_block_));
      Vec3 sum = Vec3::Zero();
      for (int k = start_[at(i)]; k < start_[at(i) + 1]; ++k) {
        const End& far_end = ends_[at(k)];
        sum += of_end(Vec3(q.segment<3>(3 * (far_end.other + first_block_)) - x), far_end, i);
      }
      f.segment<3>(3 * (i + first_block_)) += sum;
    }
  });
}

void Springs::add_spin_force(const Vector& q, const Vector& v, const std::vector<double>& element_scale,
                             Vector& f) const {
  const auto of_spring = [&](int e) -> Vec3 {
    const Spring& s = springs_[at(e)];
    const int a = 3 * (s.a + first_block_), b = 3 * (s.b + first_block_);
    const Vec3 d = q.segment<3>(b) - q.segment<3>(a), rate = v.segment<3>(b) - v.segment<3>(a);
    const double square = d.squaredNorm(), least = 1e-12 * s.rest_length;  // as has_direction()
    if (!(square > least * least && square > 0)) return Vec3::Zero();
    return element_scale[at(e)] * s.stiffness * (rate - d.dot(rate) / square * d);
  };
  if (num_elements() < one_thread_springs) {
    for (int e = 0; e < num_elements(); ++e) {
      const Vec3 force = of_spring(e);
      f.segment<3>(3 * (springs_[at(e)].b + first_block_)) += force;
      f.segment<3>(3 * (springs_[at(e)].a + first_block_)) -= force;
    }
    return;
  }
  add_to_nodes(f, q, [&](const Vec3&, const End& end, int i) -> Vec3 {
    return springs_[at(end.spring)].b == i ? of_spring(end.spring) : Vec3(-of_spring(end.spring));
  });
}

void Springs::add_projection(const Vector& q, TermScratch*, Vector& f) const {
  add_to_nodes(f, q, [&](const Vec3& d, const End& end, int) -> Vec3 {
    const Spring& s = springs_[at(end.spring)];
    const double length = d.norm();
    return -s.stiffness * (has_direction(length, s) ? s.rest_length / length : 1.0) * d;
  });
}

void Springs::add_spin_tangent(const Vector& q, const Vector& v, const std::vector<double>& element_scale,
                               double dv_scale, double dq_scale, BlockMatrix& tangent) const {
  const auto part = [&](const Vector& x, int node) -> Vec3 { return x.segment<3>(3 * (node + first_block_)); };
  for (int i = 0; i < static_cast<int>(X_.size()); ++i)
    for (int k = start_[at(i)]; k < start_[at(i) + 1]; ++k) {
      const End& end = ends_[at(k)];
      const Spring& s = springs_[at(end.spring)];
      const Vec3 d = part(q, end.other) - part(q, i), rate = part(v, end.other) - part(v, i);
      if (!has_direction(d.norm(), s)) continue;
      const Mat3 block = element_scale[at(end.spring)] * s.stiffness *
                         (dv_scale * math::line_spin_dv(d) + dq_scale * math::line_spin_dq(d, rate));
      Mat3::Map(tangent.block(diagonal_[at(i)])) += block;
      Mat3::Map(tangent.block(end.slot)) -= block;
    }
}

std::shared_ptr<EnergyTerm> Springs::remade(const double* values, const Replacements&) const {
  if (!parameter_.changes(values)) return nullptr;
  auto successor = std::make_shared<Springs>(*this);
  successor->parameter_ = parameter_.with(values);
  for (int e = 0; e < num_elements(); ++e)
    successor->springs_[at(e)].stiffness *= successor->parameter_.ratio(parameter_, e);
  return successor;
}

}  // namespace dashpot
