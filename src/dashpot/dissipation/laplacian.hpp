#pragma once
// Laplacian damping [LiLiuKavan2018], f = alpha M v + beta (L v - e), with the constant L = sum_j w_j G_j^T G_j of the
// body's elements (model/projective_form.hpp): beta [s] does what it does in Rayleigh damping, alpha [1/s] brakes
// everything.
//
//   LaplacianDamping            e = 0: a constant matrix. Keeps linear momentum (alpha = 0), but brakes spin, with the
//                               torque -beta (tr S I - S) omega, S = sum_j w_j F_j F_j^T.
//   ConservingLaplacianDamping  e is what of L v is rotation, so that spin is free and angular momentum is kept:
//     element    e = sum_j w_j G_j^T (omega_j x G_j x), each element's own best rotation. Objective; every element's
//                stress is symmetric. At a shape that is only turned it is Rayleigh with the corotated rest stiffness.
//     global     e = L (omega x r), the body's one best rotation in the norm of beta L. Cheaper; parts that turn
//                against each other are braked.
//
// 0 <= f.v, and df/dv lies between alpha M and D = alpha M + beta L: the step matrix of projective dynamics keeps D.
// alpha means the same in all: rotation is taken out of the beta part only.
//
// We differ from the paper: the force is evaluated at each stage's own velocity, so it converges at the stepper's
// order. Its midpoint formula doubles the damping, its BDF2 formula has 27/8 of it (reference ABCE, 4.1).
//
// Limits: L knows one weight per element, so shear and volume are damped alike. L must not see translations (it is made
// of differences). Nodes in space only.

#include <string>

#include "dashpot/dissipation/laplacian_body_spin.hpp"
#include "dashpot/dissipation/laplacian_matrix.hpp"
#include "dashpot/model/scalar_damping.hpp"
#include "dashpot/model/viscous_operator.hpp"

namespace dashpot {

class LaplacianDamping final : public DissipationTerm, public ViscousOperator, public ScalarDamping {
 public:
  LaplacianDamping(std::string body, LaplacianParts parts);

  const std::string& body() const override { return body_; }
  std::string model() const override { return "laplacian"; }
  DissipationTraits traits() const override;
  DissipationCapabilities capabilities() const override {
    DissipationCapabilities offers;
    offers.viscous = this;
    offers.scalar = this;
    return offers;
  }
  /// Known after bind().
  BlockRange touched_blocks() const override { return matrix_.rows(); }
  void couple(PatternBuilder&) const override {}  // couples what its mass and Laplacian couple
  void bind(const BlockPattern& pattern) override { matrix_.bind(pattern); }
  double evaluate(const DissipationRequest& request) const override;
  void apply(const TermScratch* scratch, const Eigen::Ref<const Matrix>& X, Matrix& CX) const override;

  void add_scalar_damping(double scale, std::vector<double>& of_slot) const override { matrix_.add_to(scale, of_slot); }
  bool has_rotation_part() const override { return false; }
  void add_rotation_part(const Vector&, const Vector&, Vector&) const override {}
  ParameterList parameters() const override { return matrix_.parameters(); }
  std::shared_ptr<DissipationTerm> remade(const double* values, const Replacements& replacements) const override;

 private:
  std::string body_;
  LaplacianMatrix matrix_;
};

/// Which rotation is left free.
enum class FreeRotation { element, global };

class ConservingLaplacianDamping final : public DissipationTerm, public ScalarDamping {
 public:
  ConservingLaplacianDamping(std::string body, LaplacianParts parts, FreeRotation rotation);

  const std::string& body() const override { return body_; }
  std::string model() const override { return "laplacian"; }
  /// df/dv is symmetric; df/dq is exact and therefore not.
  DissipationTraits traits() const override;
  DissipationCapabilities capabilities() const override {
    DissipationCapabilities offers;
    offers.scalar = this;
    return offers;
  }
  BlockRange touched_blocks() const override { return matrix_.rows(); }
  void couple(PatternBuilder&) const override {}
  void bind(const BlockPattern& pattern) override;
  double evaluate(const DissipationRequest& request) const override;

  void add_scalar_damping(double scale, std::vector<double>& of_slot) const override { matrix_.add_to(scale, of_slot); }
  bool has_rotation_part() const override { return matrix_.has_laplacian_part(); }
  void add_rotation_part(const Vector& q, const Vector& v, Vector& f) const override;
  ParameterList parameters() const override { return matrix_.parameters(); }
  std::shared_ptr<DissipationTerm> remade(const double* values, const Replacements& replacements) const override;

 private:
  BodySpin body_spin(const Vector& q, const Vector& v) const;
  void add_global_tangent(const DissipationRequest& request) const;

  std::string body_;
  LaplacianMatrix matrix_;
  FreeRotation rotation_;
  std::vector<int> blocks_;  ///< nodes that L couples
};

}  // namespace dashpot
