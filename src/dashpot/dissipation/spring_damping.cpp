#include "dashpot/dissipation/spring_damping.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/dissipation/frozen_masses.hpp"

namespace dashpot {
namespace {

void require(bool holds, const std::string& body, const std::string& found, const std::string& expected) {
  if (!holds) throw Error(Problem{fmt::format("spring damping of '{}'", body), found, expected, ""});
}

}  // namespace

SpringDamping::SpringDamping(std::string body, EdgeGraph graph, int first_block, SpringDampingOptions options)
    : body_(std::move(body)), graph_(std::move(graph)), first_block_(first_block), options_(options) {
  require(options_.iterations >= 1, body_, fmt::format("{} iterations", options_.iterations), "at least 1");
}

SpringDamping SpringDamping::with_coefficient(std::string body, EdgeGraph graph, int first_block, double c,
                                              SpringDampingOptions options) {
  require(std::isfinite(c) && c >= 0, body, fmt::format("coefficient = {} kg/s", c), "a coefficient >= 0");
  SpringDamping result(std::move(body), std::move(graph), first_block, options);
  result.coefficient_ = c;
  result.lambda_ = result.graph_.lambda_max();
  return result;
}

SpringDamping SpringDamping::with_gamma_per_step(std::string body, EdgeGraph graph, int first_block, double gamma,
                                                 SpringDampingOptions options) {
  require(gamma >= 0 && gamma <= 1, body, fmt::format("gamma = {}", gamma), "0 <= gamma <= 1");
  SpringDamping result(std::move(body), std::move(graph), first_block, options);
  const double bound = result.graph_.edge_bound();
  result.gamma_ = gamma;
  result.per_step_ = bound > 0 ? gamma / bound : 0;
  return result;
}

DissipationTraits SpringDamping::traits() const {
  DissipationTraits traits;
  traits.keeps_linear_momentum = true;
  traits.objective = traits.keeps_angular_momentum = options_.project;
  return traits;
}

double SpringDamping::longest_step() const {
  const double rate = per_step_ >= 0 ? 0 : coefficient_ * lambda_;
  return rate > 0 ? 2 / rate : std::numeric_limits<double>::infinity();
}

std::string SpringDamping::refusal_reason(double dt) const {
  if (dt < longest_step()) return {};
  return fmt::format(
      "spring damping of '{}' with coefficient {:.4g} kg/s would add energy: {:.4g} kg/s is the bound at this dt "
      "(2/(dt lambda_max), lambda_max = {:.6g} /kg); take a smaller coefficient, dt < {:.4g} s, or gamma_per_step",
      body_, coefficient_, 2 / (dt * lambda_), lambda_, longest_step());
}

// An edge reads 8 bytes of the graph, 96 of its ends and updates 48 of f; ends are mostly in cache, as meshes are
// ordered.
void SpringDamping::add_edge_forces(const Vector& q, const Vector& v, Vector& f) const {
  for (const auto& [i, j] : graph_.edges()) {
    const Vec3 relative = v.segment<3>(3 * (first_block_ + i)) - v.segment<3>(3 * (first_block_ + j));
    Vec3 force = relative;
    if (options_.project) {
      const Vec3 x = q.segment<3>(3 * (first_block_ + i)) - q.segment<3>(3 * (first_block_ + j));
      const double length2 = x.squaredNorm();
      if (!(length2 >= std::numeric_limits<double>::min())) continue;  // ends in one place: no direction
      force = (x.dot(relative) / length2) * x;
    }
    f.segment<3>(3 * i) += force;
    f.segment<3>(3 * j) -= force;
  }
}

void SpringDamping::apply(const Vector& q, double dt, Vector& v) const {
  const double ch = per_step_ >= 0 ? per_step_ : coefficient_ * dt;
  if (ch == 0 || graph_.edges().empty()) return;
  Vector f(3 * graph_.num_nodes());
  for (int k = 0; k < options_.iterations; ++k) {
    f.setZero();
    add_edge_forces(q, v, f);
    for (int i = 0; i < graph_.num_nodes(); ++i)
      v.segment<3>(3 * (first_block_ + i)) -=
          (ch * graph_.inverse_mass()[static_cast<std::size_t>(i)]) * f.segment<3>(3 * i);
  }
}

ParameterList SpringDamping::parameters() const {
  if (per_step_ >= 0) return {{"gamma_per_step", Quantity::number, {gamma_}, 0, 1}};
  return {{"coefficient", Quantity::damper, {coefficient_}}};
}

std::shared_ptr<VelocityFilter> SpringDamping::remade(const double* values, const Replacements& replacements) const {
  refuse_new_masses(replacements, model(), body_);
  auto successor = std::make_shared<SpringDamping>(*this);
  if (per_step_ >= 0) {
    const double bound = graph_.edge_bound();
    successor->gamma_ = values[0];
    successor->per_step_ = bound > 0 ? values[0] / bound : 0;
  } else {
    successor->coefficient_ = values[0];
  }
  return successor;
}

}  // namespace dashpot
