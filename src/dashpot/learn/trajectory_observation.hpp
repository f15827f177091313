#pragma once
// Material points followed over time. With s what was measured and x where the simulation has the same point, there are
// three residuals a point and instant,
//
//   r = (x - s) / sigma,    dr/dx_i = w_i / sigma,
//
// and none where the point was not seen. At the true motion with independent noise of standard deviation sigma the sum
// of their squares is a chi-square with as many degrees of freedom as there are residuals.

#include <optional>

#include "dashpot/learn/material_point.hpp"
#include "dashpot/learn/observation.hpp"
#include "dashpot/learn/tracks.hpp"
#include "dashpot/scene/compile.hpp"

namespace dashpot::learn {

class TrajectoryObservation final : public Observation {
 public:
  /// tracks.positions[i][k] [m] is where points[k] was at tracks.times[i], on the clock of the simulated run. sigma
  /// [m]. dashpot::Error when sizes do not fit, times do not increase, or sigma is not above zero.
  TrajectoryObservation(Tracks tracks, std::vector<MaterialPoint> points, double sigma);

  std::string description() const override { return tracks_.source; }
  const std::vector<double>& times() const override { return tracks_.times; }
  void add_residuals(int instant, const std::vector<Vec3>& points, double scale, ResidualRows& rows) const override;

  const Tracks& tracks() const { return tracks_; }
  const std::vector<MaterialPoint>& points() const { return points_; }
  double sigma() const { return sigma_; }  ///< [m]
  /// Over all instants.
  int num_residuals() const;

 private:
  Tracks tracks_;
  std::vector<MaterialPoint> points_;
  double sigma_;
};

/// Which nodes of a recorded run are followed.
struct NodeChoice {
  std::string body = {};        ///< empty: all bodies of the scene
  bool interior = false;        ///< also nodes that cannot be seen
  std::vector<int> nodes = {};  ///< these nodes of the recorded mesh alone
  double share = 1;             ///< of the nodes, evenly spread over each body
};

struct ClockRequest {
  double offset = 0;                         ///< time of the simulated run minus that of the measurement [s]
  double every = 0;                          ///< at least this far apart [s]; 0: all instants
  std::optional<double> from = {}, to = {};  ///< on the clock of the simulated run [s]; empty: as far as the run goes
};
/// The instants that fall into the simulated run, on its clock. dashpot::Error when none is left.
void put_on_clock(Tracks& tracks, const ClockRequest& request, double start, double end);

/// Points of a scene and where they were measured to be, in its frame, on the clock of the measurement.
struct Followed {
  Tracks tracks;
  std::vector<MaterialPoint> points;  ///< one for each track
};

/// A run as something measured: the learning of a scene from the motion of another one. The recorded mesh may be a
/// different one (a finer one, another program's): its nodes are attached to the scene's body at rest.
Followed follow_run(const CompiledScene& scene, const Recording& run, const std::string& source,
                    const NodeChoice& choice);
/// A table whose columns are called like probes of the scene ("tip.x") or nodes of a body ("beam.17.x", and "17.x"
/// where there is one body): what `dashpot run` writes as probes.csv. Without a unit they are meters.
Followed follow_table(const CompiledScene& scene, const Tracks& tracks);

/// The same as Observations.
TrajectoryObservation observe_run(const CompiledScene& scene, const Recording& run, const std::string& source,
                                  const NodeChoice& choice, const ClockRequest& clock, double sigma);
TrajectoryObservation observe_table(const CompiledScene& scene, const Tracks& tracks, const ClockRequest& clock,
                                    double sigma);

}  // namespace dashpot::learn
