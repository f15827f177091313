#pragma once
// Turns states of a run into rows and frames, for its result and its sink. Internal to record/.

#include <vector>

#include "dashpot/integrate/balance.hpp"
#include "dashpot/record/run.hpp"

namespace dashpot {

class Recorder {
 public:
  /// All must outlive this; the columns of the result's tables are named here. Without a sink rows and frames are only
  /// kept in the result.
  Recorder(const System& system, const RunSettings& settings, const EnergyLedger& ledger, RunSink* sink,
           RunResult& result);

  /// The System has other values of its parameters from now on.
  void follow(const System& system);
  /// Points of the System and of the scenery.
  int num_points() const;
  /// A row of the ledger.
  void book(const EnergyLedger& ledger);
  /// What is due of this state: probes and forces, a frame.
  void record(const State& state, bool samples, bool frame);

 private:
  void add(RunTable table, const std::vector<double>& row);
  void record_probes(const State& state);
  void record_loads(const State& state);
  void record_contacts(const State& state);
  /// The part of a generalized force that acts on a body [N].
  Vec3 force_on(const Vector& q, const Vector& force, const TouchingBody& body) const;
  void record_frame(const State& state);
  /// Forces of the dissipation terms [N], when points are blocks of q.
  void find_losses(const State& state);

  const System* system_;
  const RunSettings& settings_;
  RunSink* sink_;
  RunResult& result_;
  bool makes_frames_;
  Workspace workspace_;
  Frame frame_;
  Balance losses_;  ///< damping forces of the state being recorded; empty: none, or not known
};

}  // namespace dashpot
