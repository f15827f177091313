#pragma once
// A damping that is not linear in the velocity, for tests: f_i = c |v_i| v_i on every coordinate. A step is refused in
// which it would turn a velocity round (unit masses): c |v| dt > 2.

#include "dashpot/model/terms.hpp"

namespace dashpot::testing {

class QuadraticDrag final : public DissipationTerm {
 public:
  explicit QuadraticDrag(double c) : c_(c) {}
  const std::string& body() const override { return name_; }
  std::string model() const override { return "quadratic_drag"; }
  DissipationTraits traits() const override {
    DissipationTraits traits;
    traits.linear_in_velocity = false;
    return traits;
  }
  void couple(PatternBuilder&) const override {}
  void bind(const BlockPattern&) override {}
  double evaluate(const DissipationRequest& request) const override {
    const Vector force = c_ * request.v.cwiseAbs().cwiseProduct(request.v);
    if (request.force) *request.force += force;
    if (request.tangent) {
      const Eigen::Index n = request.v.size();  // one block
      Eigen::Map<Matrix>(request.tangent->block(0), n, n).diagonal() +=
          2 * c_ * request.dv_scale * request.v.cwiseAbs();
    }
    return request.v.dot(force);
  }
  std::string refusal_reason(const State& state, double dt) const override {
    return c_ * state.v.cwiseAbs().maxCoeff() * dt <= 2 ? "" : "the drag would turn the motion round";
  }

 private:
  double c_;
  std::string name_ = "body";
};

}  // namespace dashpot::testing
