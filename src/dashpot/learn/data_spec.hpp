#pragma once
// Measured data as a user names them, and the Observations they become for a scene. This is what commands and sections
// of scenes fill in; one DataSpec is one run that was measured. Several of them may belong to scenes of their own
// (other loads, other starts): then each is given with its scene.
//
//   const CompiledScene scene = compile(load_scene("beam.json"));
//   learn::DataSpec data;
//   data.kind = learn::DataKind::markers;
//   data.file = "ring_down.c3d";
//   data.markers.markers = {{"Tip1", Vec3(...)}, ...};
//   const learn::LoadedData loaded = learn::load_data(scene, data);
//
// Static poses. A body at rest under a load is a run whose start is measured: the scene has "start": {"from":
// "equilibrium"} and the load, and is_pose makes one instant, at the start, of what was measured (the mean over the
// window of the clock; of clouds the first frame in it). Its residuals are then functions of the positions at the
// start, and these of the parameters by K dq/dtheta = -df/dtheta, which SensitivityStepper::Start::equilibrium brings.
// So estimators need nothing new for them: a run that is measured at its start only.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dashpot/learn/cloud_observation.hpp"
#include "dashpot/learn/marker_observation.hpp"
#include "dashpot/learn/time_offset.hpp"

namespace dashpot::learn {

enum class DataKind {
  trajectory,  ///< a run folder; or a CSV whose columns are probes or nodes of the scene, in its frame
  markers,     ///< a capture: C3D or CSV
  clouds       ///< an index of point clouds (point_cloud.hpp)
};

/// How the offset between the clocks is found.
enum class OffsetKind {
  given,    ///< clock.offset
  release,  ///< the body is released at the start of the scene (release_time)
  fit       ///< the simulated run, as the scene is, has to look alike (fit_time_offset); not for clouds
};

struct DataSpec {
  DataKind kind = DataKind::trajectory;
  std::string file;
  /// Standard deviation of a measured coordinate [m]; 0: the noise a file tells, else 1e-4 of the size of the bodies.
  double sigma = 0;
  OffsetKind offset = OffsetKind::given;
  ClockRequest clock = {};
  bool is_pose = false;        ///< a static pose, compared with the start of the scene
  std::string body = {};       ///< that was measured; empty: all (markers: the only one)
  NodeChoice nodes = {};       ///< of trajectories; its body is `body`
  MarkerRequest markers = {};  ///< of markers; its body is `body`; unit and rate hold for trajectories of a CSV too
  CloudOptions cloud = {};     ///< of clouds; its sigma is `sigma`
  RigidAlignment cloud_alignment = {};  ///< from the frame of the clouds to that of the scene [m]
};

struct LoadedData {
  std::unique_ptr<Observation> observation;
  std::vector<std::string> notes;  ///< what was guessed, what is missing, for people
};

/// dashpot::Error with the place: what does not fit the scene, or the files (see the Observations).
LoadedData load_data(const CompiledScene& scene, const DataSpec& spec, const FileReader& read = read_file);
/// All of them for one scene; all problems at once.
std::vector<LoadedData> load_all_data(const CompiledScene& scene, const std::vector<DataSpec>& specs,
                                      const FileReader& read = read_file);

/// Triangles of a body, or of all bodies (empty name), between points of the System.
std::vector<Triangle> surface_of(const CompiledScene& scene, const std::string& body);

}  // namespace dashpot::learn
