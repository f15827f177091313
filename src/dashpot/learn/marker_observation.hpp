#pragma once
// Markers of a motion capture, glued to a body: their tracks, brought into the frame and onto the clock of the scene,
// against the material points they sit on. The residuals are those of trajectory_observation.hpp.
//
// The frame is found from markers whose places in the scene are known ("at"), averaged over the first moments of the
// capture, when the body is taken to be as the scene starts. Markers on the base, which nothing simulates, help there.
// A base that shakes under the body takes its motion along: it is removed, as the reference frame of the scene is that
// of the base [fixed base; no inertia forces: small shaking only].
//
// Markers without a place sit on the point of the body nearest to where they are first seen.

#include "dashpot/learn/rigid_alignment.hpp"
#include "dashpot/learn/trajectory_observation.hpp"

namespace dashpot::learn {

struct Marker {
  std::string name;
  /// Where it sits [m]: of the body at rest, in the scene; of a base marker, where it stands in the scene. Empty: not
  /// known.
  std::optional<Vec3> at = {};
};

/// How the motion of the base markers is removed.
enum class BaseMotion { keep, translation, rigid };

struct MarkerRequest {
  std::string body = {};             ///< that carries them; empty: the only one of the scene
  std::vector<Marker> markers = {};  ///< none: all of the file that are not of the base
  std::vector<Marker> base = {};     ///< stand on what does not deform; they give no residuals
  std::string unit = {};             ///< of the coordinates; empty: what the file says, else what fits the body
  double rate = 0;                   ///< frames a second; 0: the file has a clock
  AlignmentKind alignment = AlignmentKind::rigid;
  RigidAlignment given = {};  ///< of the capture to the scene [m]; the part of it that is known
  BaseMotion base_motion = BaseMotion::keep;
  double reference_seconds = 0;  ///< averaged from when a marker is first seen; 0: one frame
  bool from_rest = false;        ///< the capture begins with the body at rest, not as the scene starts
  double tolerance = 0;          ///< misfit of the alignment [m]; 0: a tenth of the spread of the markers
};

/// Markers in the frame of the scene, and what was found on the way.
struct PlacedMarkers {
  Tracks tracks;                      ///< of the markers, without the base [m]; on the clock of the capture
  std::vector<MaterialPoint> points;  ///< one for each track
  std::vector<double> standoff;       ///< of each marker from the body [m]
  AlignmentFit alignment;
  int num_known = 0;               ///< points the alignment was found from
  std::vector<std::string> notes;  ///< guesses and gaps, in words
};
/// dashpot::Error with what is wrong: unknown markers and bodies, too few known places, wrong units, swapped axes,
/// interchanged names, markers far from the body.
PlacedMarkers place_markers(const CompiledScene& scene, const Table& capture, const MarkerRequest& request);

class MarkerObservation final : public Observation {
 public:
  /// sigma: noise of a coordinate [m]. dashpot::Error when no instant falls into the run.
  MarkerObservation(const CompiledScene& scene, PlacedMarkers markers, const ClockRequest& clock, double sigma);

  std::string description() const override { return "markers of " + trajectory_.description(); }
  const std::vector<double>& times() const override { return trajectory_.times(); }
  void add_residuals(int instant, const std::vector<Vec3>& points, double scale, ResidualRows& rows) const override {
    trajectory_.add_residuals(instant, points, scale, rows);
  }

  const PlacedMarkers& markers() const { return markers_; }
  /// Tracks in the frame and on the clock of the scene, and the points they belong to.
  const TrajectoryObservation& trajectory() const { return trajectory_; }

 private:
  PlacedMarkers markers_;
  TrajectoryObservation trajectory_;
};

}  // namespace dashpot::learn
