#include "dashpot/learn/space_time_run.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/integrate/balance.hpp"

namespace dashpot::learn {
namespace {

constexpr double step_slack = 1e-6;  // of a step

void check(const ObservedRun& run) {
  const CompiledScene& scene = *run.scene;
  const System& system = *scene.system;
  std::vector<Problem> problems;
  const auto refuse = [&](const std::string& found, const std::string& expected) {
    problems.push_back({run.name, found, expected, "learn this scene with --estimator levenberg"});
  };
  const std::string stepper = scene.spec.time.stepper.name();
  if (stepper != "backward_euler")
    refuse(fmt::format("stepper '{}'", stepper), "backward_euler: its residual is what a trajectory has to meet");
  if (system.kinematics().num_nodes() != system.kinematics().num_points() || scene.reduced)
    refuse("a body that is reduced, rigid or made of other points than nodes", "bodies made of nodes");
  if (!system.ties().empty()) refuse("attached bodies", "bodies that are free or held");
  if (!system.filters().empty()) refuse("a damping that acts as a velocity filter", "dampings that act as forces");
  if (!system.inertia().is_constant()) refuse("masses that depend on the motion", "constant masses");
  for (const Vector& xi : scene.start.internal_variables)
    if (xi.size() > 0) {
      refuse("a damping that remembers", "dampings without memory");
      break;
    }
  if (start_kind(scene) == SensitivityStepper::Start::equilibrium)
    refuse("a start in equilibrium, which depends on the law", "a start that is given");
  if (!problems.empty()) throw Error(std::move(problems));
}

/// A x for every column x, of a tangent with all its parts.
Matrix product(const BlockMatrix& A, const std::vector<LowRank>& low_rank, const DynamicBlocks& couplings,
               const Matrix& x) {
  Matrix y = Matrix::Zero(x.rows(), x.cols());
  for (Eigen::Index k = 0; k < x.cols(); ++k) {
    A.multiply(x.col(k), y.col(k));
    if (!couplings.empty()) couplings.multiply_add(x.col(k), y.col(k));
  }
  for (const LowRank& part : low_rank) {
    const Eigen::Index rows = part.U->rows();
    y.middleRows(part.first_dof, rows).noalias() +=
        *part.U * (part.S * (part.V->transpose() * x.middleRows(part.first_dof, rows)));
  }
  return y;
}

}  // namespace

/// Storage of tangents.
struct SpaceTimeRun::Tangent {
  BlockMatrix matrix;
  std::vector<LowRank> low_rank;
  DynamicBlocks couplings;
};

/// What an evaluation at one trajectory needs.
struct SpaceTimeRun::Frame {
  const System& system;
  const PodBasis& basis;
  const SpaceTimeWeights& weights;
  Matrix q;     ///< q_{-1}, q_0, q_1 ... q_T
  Matrix mass;  ///< Phi^T M Phi; empty: no derivatives
  Workspace& workspace;
  Balance& balance;
  Tangent& tangent;

  auto at(int step) const { return q.col(step + 1); }
};

SpaceTimeRun::SpaceTimeRun(const ObservedRun& run) : run_(run), dt_(run.scene->run.dt) {
  check(run);
  const double begin = run.scene->start.time, last = std::min(run.last_instant(), begin + run.scene->run.end);
  num_steps_ = static_cast<int>(std::ceil((last - begin) / dt_ - step_slack));
  if (num_steps_ < 3)
    throw Error(Problem{run.name, fmt::format("{} steps until the last measured instant", std::max(num_steps_, 0)),
                        "at least three", "measure for longer"});
  place_instants();
}

void SpaceTimeRun::place_instants() {
  instants_.resize(static_cast<std::size_t>(num_steps_) + 1);
  const double begin = run_.scene->start.time;
  for (std::size_t o = 0; o < run_.observations.size(); ++o) {
    const std::vector<double>& times = run_.observations[o]->times();
    for (std::size_t k = 0; k < times.size(); ++k) {
      const double steps = (times[k] - begin) / dt_;
      if (steps < -step_slack || steps > num_steps_ + step_slack) continue;
      const int step = std::clamp(static_cast<int>(std::ceil(steps - step_slack)), 0, num_steps_);
      // The cubic of compare(), with velocities of backward Euler at both ends, s of the step after its start.
      const double s = step == 0 ? 1 : std::clamp(steps - (step - 1), 0.0, 1.0), t = 1 - s;
      const double x0 = t * t * (1 + 2 * s), x1 = s * s * (1 + 2 * t), v0 = s * t * t, v1 = -s * s * t;
      instants_[static_cast<std::size_t>(step)].push_back(
          {static_cast<int>(o), static_cast<int>(k), Eigen::Vector3d(x1 + v1, x0 - v1 + v0, -v0)});
    }
  }
}

Matrix SpaceTimeRun::frames(const PodBasis& basis, const Matrix& z) const {
  Matrix q = (basis.modes * z).colwise() + basis.mean;
  const System& system = *run_.scene->system;
  for (int i = 1; i <= num_steps_; ++i) {
    Vector column = q.col(i - 1);
    system.prescribe(run_.scene->start.time + i * dt_, &column, nullptr, nullptr);
    q.col(i - 1) = column;
  }
  return q;
}

SpaceTimeValue SpaceTimeRun::value(const System& system, const PodBasis& basis, const Matrix& z,
                                   const SpaceTimeWeights& weights) const {
  return evaluate(system, basis, z, weights, nullptr, nullptr, nullptr);
}

SpaceTimeValue SpaceTimeRun::linearize(const System& system, const PodBasis& basis, const Matrix& z,
                                       const SpaceTimeWeights& weights, const std::vector<int>& parameters,
                                       const Vector& slopes, ArrowSystem& arrow) const {
  arrow.set_zero();
  return evaluate(system, basis, z, weights, &parameters, &slopes, &arrow);
}

SpaceTimeValue SpaceTimeRun::evaluate(const System& system, const PodBasis& basis, const Matrix& z,
                                      const SpaceTimeWeights& weights, const std::vector<int>* parameters,
                                      const Vector* slopes, ArrowSystem* arrow) const {
  const State& start = run_.scene->start;
  Workspace workspace = system.make_workspace();
  Balance balance;
  Tangent tangent;
  Frame frame{system, basis, weights, Matrix(start.q.size(), num_steps_ + 2), {}, workspace, balance, tangent};
  frame.q.col(0) = start.q - dt_ * start.v;
  frame.q.col(1) = start.q;
  frame.q.rightCols(num_steps_) = frames(basis, z);
  ParameterSlopes by_parameter;
  if (arrow != nullptr) {
    tangent.matrix = BlockMatrix(system.pattern());
    Matrix inertial(basis.modes.rows(), basis.size());
    const Vector rest = Vector::Zero(start.q.size());
    for (Eigen::Index k = 0; k < basis.size(); ++k) {
      Vector force = rest;
      system.inertia().add_force(start.q, rest, basis.modes.col(k), force);
      inertial.col(k) = force;
    }
    frame.mass = basis.modes.transpose() * inertial;
    if (!parameters->empty()) by_parameter = ParameterSlopes(system, *parameters);
  }
  SpaceTimeValue value;
  for (int step = 0; step <= num_steps_; ++step) {
    if (step > 0) add_forces(frame, step, parameters, slopes, &by_parameter, arrow, value);
    add_observations(frame, step, arrow, value);
    if (!std::isfinite(value.sum())) {
      value.force = std::numeric_limits<double>::infinity();
      return value;
    }
  }
  return value;
}

void SpaceTimeRun::add_forces(const Frame& frame, int step, const std::vector<int>* parameters, const Vector* slopes,
                              ParameterSlopes* by_parameter, ArrowSystem* arrow, SpaceTimeValue& value) const {
  const System& system = frame.system;
  State before = run_.scene->start;
  before.q = frame.at(step - 1);
  if (step > 1) before.v = (frame.at(step - 1) - frame.at(step - 2)) / dt_;
  before.time += (step - 1) * dt_;
  system.begin_step(before, frame.workspace);
  StageState motion{frame.at(step), (frame.at(step) - frame.at(step - 1)) / dt_,
                    (frame.at(step) - 2 * frame.at(step - 1) + frame.at(step - 2)) / (dt_ * dt_)};
  const Instant now{before.time + dt_, dt_};
  const auto& memory = before.internal_variables;
  TangentRequest request{1 / (dt_ * dt_),         1 / dt_,
                         Projection::none,        &frame.tangent.matrix,
                         &frame.tangent.low_rank, &frame.tangent.couplings};
  evaluate_balance(system, frame.workspace, memory, motion, now, arrow != nullptr ? &request : nullptr, frame.balance);
  const double scale = 1 / frame.weights.sigma_force;
  const Vector g = scale * (frame.basis.modes.transpose() * frame.balance.residual);
  value.force += frame.balance.is_finite ? g.squaredNorm() : std::numeric_limits<double>::infinity();
  if (arrow == nullptr) return;

  const Matrix& modes = frame.basis.modes;
  const auto reduced = [&] {
    return Matrix(scale * modes.transpose() *
                  product(frame.tangent.matrix, frame.tangent.low_rank, frame.tangent.couplings, modes));
  };
  const Matrix J0 = reduced(), J2 = scale / (dt_ * dt_) * frame.mass;
  Matrix J1 = -2 * J2;
  if (!system.dissipations().empty()) {  // what is left without rates is M / h^2 + K: the difference is C / h
    request.v1 = 0;
    evaluate_tangent(system, frame.workspace, memory, motion, now, request);
    J1 -= J0 - reduced();
  }
  const Matrix* J[3] = {&J0, &J1, &J2};
  Matrix Jx;
  if (parameters != nullptr && !parameters->empty()) {
    Matrix columns = Matrix::Zero(modes.rows(), static_cast<Eigen::Index>(parameters->size()));
    by_parameter->begin_step(before);
    by_parameter->add(system, frame.workspace, memory, motion, now, columns);
    Jx = scale * modes.transpose() * columns * slopes->asDiagonal();
    arrow->corner.noalias() += Jx.transpose() * Jx;
    arrow->gradient_x.noalias() += Jx.transpose() * g;
  }
  const Eigen::Index r = modes.cols();
  for (int back = 0; back < 3; ++back) {
    const int i = step - 1 - back;
    if (i < 0) break;
    const auto at = static_cast<std::size_t>(i);
    arrow->diagonal[at].noalias() += J[back]->transpose() * *J[back];
    if (back < 2 && i >= 1) arrow->below[at].noalias() += J[back]->transpose() * *J[back + 1];
    if (back < 1 && i >= 2) arrow->second[at].noalias() += J[back]->transpose() * *J[back + 2];
    arrow->gradient_z.segment(i * r, r).noalias() += J[back]->transpose() * g;
    if (Jx.size() > 0) arrow->border.middleRows(i * r, r).noalias() += J[back]->transpose() * Jx;
  }
}

void SpaceTimeRun::add_observations(const Frame& frame, int step, ArrowSystem* arrow, SpaceTimeValue& value) const {
  const Matrix& modes = frame.basis.modes;
  const Kinematics& kinematics = frame.system.kinematics();
  std::vector<Vec3> points;
  ResidualRows rows;
  for (const Measured& instant : instants(step)) {
    Vector q = instant.weight[0] * frame.at(step);
    for (int back = 1; back < 3; ++back)
      if (instant.weight[back] != 0) q += instant.weight[back] * frame.at(step - back);
    kinematics.positions(q, points);
    rows.clear();
    run_.observations[static_cast<std::size_t>(instant.observation)]->add_residuals(instant.number, points,
                                                                                    frame.weights.robust_scale, rows);
    const Eigen::Map<const Vector> r(rows.values.data(), rows.size());
    value.misfit += r.squaredNorm();
    value.num_residuals += rows.size();
    if (arrow == nullptr || step == 0 || rows.size() == 0) continue;
    Matrix P = Matrix::Zero(modes.cols(), rows.size());  // transposed: a column a residual
    for (int row = 0; row < rows.size(); ++row)
      for (int e = rows.first_entry[static_cast<std::size_t>(row)];
           e < rows.first_entry[static_cast<std::size_t>(row) + 1]; ++e) {
        const ResidualRows::Entry& entry = rows.entries[static_cast<std::size_t>(e)];
        P.col(row).noalias() += modes.middleRows(kinematics.node_dof(entry.point), 3).transpose() * entry.slope;
      }
    const Matrix PP = P * P.transpose();
    const Vector Pr = P * r;
    for (int back = 0; back < 3; ++back) {
      const int i = step - 1 - back;
      const double w = instant.weight[back];
      if (i < 0 || w == 0) continue;
      const auto at = static_cast<std::size_t>(i);
      arrow->diagonal[at] += w * w * PP;
      if (back < 2 && i >= 1) arrow->below[at] += w * instant.weight[back + 1] * PP;
      if (back < 1 && i >= 2) arrow->second[at] += w * instant.weight[2] * PP;
      arrow->gradient_z.segment(i * modes.cols(), modes.cols()) += w * Pr;
    }
  }
}

}  // namespace dashpot::learn
