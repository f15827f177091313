#pragma once
// Steps that can be gone back over: a stepper that keeps checkpoints in time. As long as they fit into `memory`, all
// steps are kept; then every second checkpoint is dropped and their distance doubled, as often as is needed, so that
// the length of a run need not be known. A State is a value and a copy of it continues with the same bits: between
// checkpoints steps are taken again, one segment at a time, which is compared with the next checkpoint bit for bit.
//
// With N records in memory a run of T <= N steps is gone back over without taking any again, and one of T <= N^2 / 8 by
// taking each once more: 10^4 steps need some 300 records.

#include <memory>

#include "dashpot/core/parallel.hpp"
#include "dashpot/gradients/step_record.hpp"
#include "dashpot/integrate/implicit_stepper.hpp"

namespace dashpot {

/// What going back over a run takes.
struct CheckpointPlan {
  std::int64_t distance = 1;     ///< steps between checkpoints
  std::int64_t checkpoints = 0;  ///< Most States that are kept at once
  std::int64_t steps_again = 0;  ///< Steps that are taken a second time
  double bytes = 0;              ///< of checkpoints and one segment
};
/// For a run of num_steps whose records have `record_bytes`, within `memory` [bytes] where that is possible.
CheckpointPlan checkpoint_plan(std::int64_t num_steps, double record_bytes, double memory);
/// Bytes of one step's record: its State and the displacements of its stages.
double record_bytes(const State& state, std::size_t num_stages);

class RecordingStepper final : public Stepper {
 public:
  /// memory: for checkpoints and the steps of one segment [bytes].
  RecordingStepper(const Integrator& integrator, const NewtonOptions& newton, const LinearSolverOptions& linear,
                   double memory = 512e6);

  std::string name() const override { return inner_->name(); }
  StepReport step(const System& system, State& state, Workspace& workspace, double dt) override;

  std::int64_t num_steps() const { return static_cast<std::int64_t>(taken_.size()); }
  std::int64_t num_steps_again() const { return num_steps_again_; }
  /// Most that records took at once so far [bytes].
  double peak_bytes() const { return peak_bytes_; }

  /// Calls visit(record, step) for the steps from the last to the first; false ends it. Returns false if it was ended,
  /// and throws dashpot::Error where a step that is taken again does not come out the same.
  bool go_back(const System& system, FunctionRef<bool(const StepRecord& record, std::int64_t step)> visit);

 private:
  struct Taken {
    double time, dt;  ///< where the step began, and its length [s]
  };
  void thin_out();
  void retake(const System& system, std::size_t segment);
  void note_bytes();

  Integrator integrator_;
  NewtonOptions newton_;
  LinearSolverOptions linear_;
  std::unique_ptr<ImplicitStepper> inner_;
  double memory_;
  std::size_t distance_ = 1;
  std::vector<Taken> taken_;
  std::vector<StepRecord> checkpoints_;  ///< every distance_-th step; with displacements while distance_ is 1
  std::vector<StepRecord> segment_;      ///< steps of the segment that was taken again
  State last_;                           ///< what the last step led to
  std::int64_t num_steps_again_ = 0;
  double record_bytes_ = 0, peak_bytes_ = 0;
};

}  // namespace dashpot
