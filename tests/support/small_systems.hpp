#pragma once
// Systems small enough to know everything about: a linear system of dense matrices, an elastic pendulum in Cartesian
// and in polar coordinates (the latter has configuration-dependent mass).

#include <array>
#include <functional>
#include <memory>

#include "dashpot/model/system.hpp"
#include "dashpot/model/viscous_operator.hpp"

namespace dashpot::testing {

/// M a + C v + K q = f(t) with dense matrices, blocks of one dof. `prescribed` dofs are pinned at zero.
std::shared_ptr<const System> linear_system(const Matrix& M, const Matrix& C, const Matrix& K,
                                            const std::vector<int>& prescribed = {});

/// The same, with some dofs moved by `support`.
std::shared_ptr<const System> linear_system(const Matrix& M, const Matrix& C, const Matrix& K,
                                            std::unique_ptr<Constraint> support,
                                            std::unique_ptr<VelocityFilter> filter = nullptr);

/// The same with any damping term; `kept` lives as long as the System.
std::shared_ptr<const System> linear_system(const Matrix& M, std::unique_ptr<DissipationTerm> damping, const Matrix& K,
                                            std::shared_ptr<const void> kept = nullptr);

/// f = C(q_n) v with a dense C, a function of q at the start of the step; constant when given as a matrix.
class DenseDamping final : public DissipationTerm, public ViscousOperator {
 public:
  explicit DenseDamping(Matrix C);
  explicit DenseDamping(std::function<Matrix(const Vector&)> C);
  const std::string& body() const override;
  std::string model() const override { return "matrix"; }
  DissipationTraits traits() const override;
  DissipationCapabilities capabilities() const override {
    DissipationCapabilities offers;
    offers.viscous = this;
    return offers;
  }
  void couple(PatternBuilder&) const override {}
  void bind(const BlockPattern&) override {}
  std::unique_ptr<TermScratch> make_scratch_beside(std::span<const EnergyScratch> energies) const override;
  void begin_step(const State& state, TermScratch* scratch) const override;
  double evaluate(const DissipationRequest& request) const override;
  void apply(const TermScratch* scratch, const Eigen::Ref<const Matrix>& X, Matrix& CX) const override;
  /// How many energies' scratches the last make_scratch_beside was given: a damping that wraps this one hands them on.
  std::size_t num_energies_offered() const { return num_energies_offered_; }

 private:
  std::function<Matrix(const Vector&)> C_;
  bool constant_;
  mutable std::size_t num_energies_offered_ = 0;
};

/// A dense M as one element.
class DenseMass final : public MassSource {
 public:
  explicit DenseMass(Matrix M) : M_(std::move(M)) {}
  int num_elements() const override { return 1; }
  void add_mass(const std::vector<double>& element_scale, BlockMatrix& M) const override;

 private:
  Matrix M_;
};

/// omega [rad/s], damping ratio zeta, unit mass.
std::shared_ptr<const System> oscillator(double omega, double zeta);

/// One dof of mass `mass` in a potential given by its value, slope and curvature at q.
std::shared_ptr<const System> one_dof(double mass, std::function<std::array<double, 3>(double)> potential);

/// The five-mass chain CH5 of the reference: m = (1,1.5,2,1,.5), k = (100,80,60,40,20), C = 0.1 M + 0.02 K.
struct Chain {
  Matrix M, C, K;
};
Chain chain_ch5();

/// Mass 1 kg on a spring (k, rest length 1 m) from the origin, gravity 9.81 along -y.
std::shared_ptr<const System> pendulum_cartesian(double k);  ///< q = (x, y)
std::shared_ptr<const System> pendulum_polar(double k);      ///< q = (r, theta), x = r cos(theta), y = r sin(theta)

}  // namespace dashpot::testing
