#include "dashpot/learn/space_time_tracking.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <Eigen/SparseCholesky>

#include "dashpot/integrate/balance.hpp"
#include "dashpot/integrate/stepper.hpp"

namespace dashpot::learn {
namespace {

constexpr int newton_halvings = 6;     // of a Newton step
constexpr double longest_step = 0.05;  // of a coordinate, in one of its iterations, over the size of the bodies

using Sparse = Eigen::SparseMatrix<double>;

class Tracker {
 public:
  Tracker(const SpaceTimeRun& run, const System& system, const TrackingOptions& options)
      : run_(run), system_(system), options_(options), workspace_(system.make_workspace()), tangent_(system.pattern()) {
    int num_free = 0;
    for (const std::uint8_t free : system.is_free()) row_.push_back(free != 0 ? num_free++ : -1);
    num_free_ = num_free;
    const Vector& rest = system.rest();
    size_ = std::max(rest.maxCoeff() - rest.minCoeff(), 1e-12);
  }

  TrackedRun track() {
    const State& start = run_.scene().start;
    const double h = run_.dt();
    TrackedRun tracked;
    tracked.frames.resize(start.q.size(), run_.num_steps());
    Vector before = start.q - h * start.v, now = start.q;
    for (int step = 1; step <= run_.num_steps(); ++step) {
      State state = start;
      state.q = now;
      state.v = (now - before) / h;
      state.time += (step - 1) * h;
      Vector q = 2 * now - before;
      if (options_.should_stop && options_.should_stop()) {
        tracked.explanation = "stopped";
        return tracked;
      }
      if (!solve_step(step, state, q)) {
        tracked.explanation = fmt::format("step {}: no balance with the springs was found", step);
        return tracked;
      }
      tracked.frames.col(step - 1) = q;
      before = now;
      now = q;
    }
    tracked.finished = true;
    return tracked;
  }

 private:
  /// Forces at q with those of the springs; with `assemble` their derivatives too.
  double residual_at(int step, const State& state, const Vector& q, bool assemble, Vector& force) {
    const double h = run_.dt();
    const Vector v = (q - state.q) / h;
    const StageState motion{q, v, (v - state.v) / h};
    const TangentRequest request{1 / (h * h), 1 / h,      Projection::positive_semidefinite,
                                 &tangent_,   &low_rank_, &couplings_};
    evaluate_balance(system_, workspace_, state.internal_variables, motion, {state.time + h, h},
                     assemble ? &request : nullptr, balance_);
    if (!balance_.is_finite) return std::numeric_limits<double>::infinity();
    force = balance_.residual;
    if (assemble) start_matrix();
    add_springs(step, q, assemble, force);
    double sum = 0;
    for (Eigen::Index k = 0; k < force.size(); ++k)
      if (row_[static_cast<std::size_t>(k)] >= 0) sum += force[k] * force[k];
    return std::sqrt(sum);
  }

  void start_matrix() {
    entries_.clear();
    const BlockPattern& pattern = *system_.pattern();
    for (int i = 0; i < pattern.num_blocks(); ++i)
      for (int slot = pattern.row_start()[static_cast<std::size_t>(i)];
           slot < pattern.row_start()[static_cast<std::size_t>(i) + 1]; ++slot) {
        const auto block = tangent_.view(i, slot);
        const int first_row = pattern.layout().offset(i),
                  first_column = pattern.layout().offset(pattern.column()[static_cast<std::size_t>(slot)]);
        for (Eigen::Index r = 0; r < block.rows(); ++r)
          for (Eigen::Index c = 0; c < block.cols(); ++c) add_entry(first_row + r, first_column + c, block(r, c));
      }
    if (stiffness_ > 0) return;
    double trace = 0;
    for (const auto& entry : entries_)
      if (entry.row() == entry.col()) trace += entry.value();
    stiffness_ = options_.stiffness * trace / std::max(1, num_free_);
  }

  void add_entry(Eigen::Index row, Eigen::Index column, double value) {
    const int i = row_[static_cast<std::size_t>(row)], j = row_[static_cast<std::size_t>(column)];
    if (i >= 0 && j >= 0) entries_.emplace_back(i, j, value);
  }

  void add_springs(int step, const Vector& q, bool assemble, Vector& force) {
    for (const SpaceTimeRun::Measured& measured : run_.instants(step)) {
      system_.kinematics().positions(q, points_);  // an instant between steps: as if it were the end of the step
      rows_.clear();
      run_.run().observations[static_cast<std::size_t>(measured.observation)]->add_residuals(measured.number, points_,
                                                                                             scale_at(step), rows_);
      for (int row = 0; row < rows_.size(); ++row) {
        const auto first = rows_.entries.begin() + rows_.first_entry[static_cast<std::size_t>(row)],
                   last = rows_.entries.begin() + rows_.first_entry[static_cast<std::size_t>(row) + 1];
        Vec3 slope = Vec3::Zero();
        for (auto entry = first; entry != last; ++entry) slope += entry->slope;
        const double k = stiffness_ * sigma_squared(slope);
        for (auto a = first; a != last; ++a) {
          const Eigen::Index dof_a = system_.kinematics().node_dof(a->point);
          force.segment<3>(dof_a) += k * rows_.values[static_cast<std::size_t>(row)] * a->slope;
          if (!assemble) continue;
          for (auto b = first; b != last; ++b) {
            const Eigen::Index dof_b = system_.kinematics().node_dof(b->point);
            for (int r = 0; r < 3; ++r)
              for (int c = 0; c < 3; ++c) add_entry(dof_a + r, dof_b + c, k * a->slope[r] * b->slope[c]);
          }
        }
      }
    }
  }

  double scale_at(int step) const {
    const std::vector<double>& scales = options_.robust_scales;
    if (scales.empty()) return std::numeric_limits<double>::infinity();
    return scales[static_cast<std::size_t>(step - 1) * scales.size() / static_cast<std::size_t>(run_.num_steps())];
  }

  /// The square of the smallest standard deviation so far: that of a residual which is no outlier.
  double sigma_squared(const Vec3& slope) {
    largest_slope_ = std::max(largest_slope_, slope.squaredNorm());
    return largest_slope_ > 0 ? 1 / largest_slope_ : 0;
  }

  bool solve_step(int step, const State& state, Vector& q) {
    system_.begin_step(state, workspace_);
    system_.prescribe(state.time + run_.dt(), &q, nullptr, nullptr);
    Vector force, tried;
    for (int iteration = 0; iteration < options_.max_iterations; ++iteration) {
      if (!std::isfinite(residual_at(step, state, q, true, force))) {
        if (iteration > 0) return false;
        q = state.q;  // the extrapolation was too bold
        system_.prescribe(state.time + run_.dt(), &q, nullptr, nullptr);
        if (!std::isfinite(residual_at(step, state, q, true, force))) return false;
      }
      Sparse A(num_free_, num_free_);
      A.setFromTriplets(entries_.begin(), entries_.end());
      Eigen::SimplicialLDLT<Sparse> factor(A);
      if (factor.info() != Eigen::Success) return false;
      Vector right(num_free_);
      for (std::size_t k = 0; k < row_.size(); ++k)
        if (row_[k] >= 0) right[row_[k]] = -force[static_cast<Eigen::Index>(k)];
      const Vector solution = factor.solve(right);
      Vector d = Vector::Zero(q.size());
      for (std::size_t k = 0; k < row_.size(); ++k)
        if (row_[k] >= 0) d[static_cast<Eigen::Index>(k)] = solution[row_[k]];
      // Not further than the size of the bodies allows: what belongs to which part of a surface changes on the way. The
      // norm says nothing about robust residuals, whose forces grow as they come nearer.
      double share = std::min(1.0, longest_step * size_ / std::max(d.cwiseAbs().maxCoeff(), 1e-300));
      for (int i = 0; i < newton_halvings && !std::isfinite(residual_at(step, state, q + share * d, false, tried)); ++i)
        share *= 0.5;
      q += share * d;
      if (share * d.cwiseAbs().maxCoeff() < options_.tolerance * size_) break;
    }
    return q.allFinite();
  }

  const SpaceTimeRun& run_;
  const System& system_;
  const TrackingOptions& options_;
  Workspace workspace_;
  BlockMatrix tangent_;
  std::vector<LowRank> low_rank_;  ///< left out of the steps, as couplings are: they take more of them
  DynamicBlocks couplings_;
  Balance balance_;
  std::vector<int> row_;  ///< by dof: among the free ones; -1
  int num_free_ = 0;
  double size_ = 1, stiffness_ = 0, largest_slope_ = 0;
  std::vector<Eigen::Triplet<double>> entries_;
  std::vector<Vec3> points_;
  ResidualRows rows_;
};

}  // namespace

TrackedRun track(const SpaceTimeRun& run, const System& system, const TrackingOptions& options) {
  return Tracker(run, system, options).track();
}

TrackedRun simulate_frames(const SpaceTimeRun& run, const System& system, const std::function<bool()>& should_stop) {
  TrackedRun result;
  State state = start_with(run.scene(), system);
  Workspace workspace = system.make_workspace();
  const std::unique_ptr<Stepper> stepper = make_stepper(run.scene().spec);
  result.frames.resize(state.q.size(), run.num_steps());
  const double begin = state.time;
  for (int step = 1; step <= run.num_steps(); ++step) {
    if (should_stop && should_stop()) {
      result.explanation = "stopped";
      return result;
    }
    const StepReport report = stepper->step(system, state, workspace, run.dt());
    if (report.status == StepStatus::failed) {
      result.explanation = report.explanation;
      return result;
    }
    state.time = begin + step * run.dt();
    result.frames.col(step - 1) = state.q;
  }
  result.finished = true;
  return result;
}

}  // namespace dashpot::learn
