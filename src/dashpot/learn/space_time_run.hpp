#pragma once
// One measured run as an unknown trajectory. Positions q_i at the ends of the steps of backward Euler are unknown by
// themselves, q_i = mean + Phi z_i (pod.hpp); that they move as the law says is a residual, weighed against what was
// measured [WangEtAl2020, eqs. 5-7, in the form of reference D, sections 0 and 4]:
//
//     g_i = Phi^T (M a_i + f_int(q_i) + f_d(q_i, v_i; q_{i-1}) - f_ext) / sigma_f,
//     v_i = (q_i - q_{i-1}) / h,   a_i = (q_i - 2 q_{i-1} + q_{i-2}) / h^2,
//     F = sum_i |g_i|^2 + sum |r|^2,    r the residuals of the observations (observation.hpp).
//
// sigma_f [N] is how large a force may be that the law does not explain; the paper's eta is sigma_f over the standard
// deviation of a measured coordinate. The first two positions are given: q_0 and q_0 - h v_0.
//
// Derivatives by z_i, z_{i-1}, z_{i-2} are exact but for what dampings hold over a step (their stiffness at q_{i-1}).
// Measured instants between steps are interpolated as by compare(), which is linear in three positions.
//
// Limits: backward Euler, bodies of nodes (no reduced, rigid or tied ones), starts that do not depend on the material,
// no dampings with memory, no velocity filters. dashpot::Error says which of them is in the way.

#include <limits>
#include <vector>

#include "dashpot/gradients/parameter_slopes.hpp"
#include "dashpot/learn/observed_run.hpp"
#include "dashpot/learn/pod.hpp"
#include "dashpot/learn/space_time_solver.hpp"

namespace dashpot::learn {

/// Which part of what was measured counts, and how.
struct SpaceTimeWeights {
  double sigma_force = 1;  ///< [N]
  double robust_scale = std::numeric_limits<double>::infinity();
};

/// Sums of squares.
struct SpaceTimeValue {
  double force = 0, misfit = 0;
  int num_residuals = 0;  ///< of the observations
  double sum() const { return force + misfit; }
};

class SpaceTimeRun {
 public:
  /// `run` must outlive this.
  explicit SpaceTimeRun(const ObservedRun& run);

  int num_steps() const { return num_steps_; }
  double dt() const { return dt_; }
  const CompiledScene& scene() const { return *run_.scene; }

  /// The frames q_1 ... q_T of a basis and coordinates, a column a step; constraints hold.
  Matrix frames(const PodBasis& basis, const Matrix& z) const;
  /// F at z (r x T), for a System with the values that are tried.
  SpaceTimeValue value(const System& system, const PodBasis& basis, const Matrix& z,
                       const SpaceTimeWeights& weights) const;
  /// The same with J^T J and J^T r: by z and, with `parameters` (indices into the values) and their slopes dtheta/dx,
  /// by x.
  SpaceTimeValue linearize(const System& system, const PodBasis& basis, const Matrix& z,
                           const SpaceTimeWeights& weights, const std::vector<int>& parameters, const Vector& slopes,
                           ArrowSystem& arrow) const;

  /// Measured instants of each step.
  struct Measured {
    int observation = 0, number = 0;
    Eigen::Vector3d weight;  ///< of the positions at the end of the step, its start, and the step before
  };
  const std::vector<Measured>& instants(int step) const { return instants_[static_cast<std::size_t>(step)]; }
  const ObservedRun& run() const { return run_; }

 private:
  struct Frame;
  struct Tangent;
  void place_instants();
  SpaceTimeValue evaluate(const System& system, const PodBasis& basis, const Matrix& z, const SpaceTimeWeights& weights,
                          const std::vector<int>* parameters, const Vector* slopes, ArrowSystem* arrow) const;
  void add_forces(const Frame& frame, int step, const std::vector<int>* parameters, const Vector* slopes,
                  ParameterSlopes* by_parameter, ArrowSystem* arrow, SpaceTimeValue& value) const;
  void add_observations(const Frame& frame, int step, ArrowSystem* arrow, SpaceTimeValue& value) const;

  const ObservedRun& run_;
  int num_steps_ = 0;
  double dt_ = 0;
  std::vector<std::vector<Measured>> instants_;  ///< by step, 0: the start
};

}  // namespace dashpot::learn
