#pragma once
// A recorded run as writers of animation see it: actors (bodies and scenery) whose shape can be asked for at each of a
// list of times. Between recorded frames t_0 < t_1 a position is the cubic through both positions and velocities,
//   x(t) = h00 x_0 + h10 dt v_0 + h01 x_1 + h11 dt v_1,   s = (t - t_0) / dt,
//   h00 = 2s^3 - 3s^2 + 1, h10 = s^3 - 2s^2 + s, h01 = -2s^3 + 3s^2, h11 = s^3 - s^2,
// of error O(dt^4) on smooth motion; the velocity is its derivative, the power is linear. An impact inside an interval
// is rounded off by it. Shapes are made when asked for, so that a long animation costs no more memory than the run.

#include <optional>
#include <string>
#include <vector>

#include "dashpot/mesh/embedding.hpp"
#include "dashpot/record/recording.hpp"

namespace dashpot::exporter {

/// Which instants to export.
struct Sampling {
  double fps = 24;  ///< frames a second [1/s], from the first recorded frame; also the time codes of .usda, .pc2
  bool as_recorded = false;         ///< the recorded frames themselves instead
  std::optional<double> time = {};  ///< this instant only [s]
};

/// The state of one actor at one instant; one entry per node of its mesh.
struct Shape {
  std::vector<Vec3> points;      ///< [m]
  std::vector<Vec3> velocities;  ///< [m/s]
  std::vector<double> power;     ///< share of the power that dampings take [W]
};

struct Actor {
  std::string name;                     ///< unique
  Mesh mesh;                            ///< rest shape [m]; nodes without elements are points
  int first_point = 0, num_points = 0;  ///< of the frames
  bool is_scenery = false;
  Embedding carrier = {};  ///< of the nodes of `mesh` in the recorded points; empty: they are the recorded points
};

class Animation {
 public:
  /// dashpot::Error for a recording without frames or actors, with times that do not increase or positions that are not
  /// finite, and for a sampling that does not fit it.
  Animation(Recording recording, const Sampling& sampling);

  const std::string& title() const { return recording_.title; }
  const Vec3& gravity() const { return recording_.gravity; }
  double fps() const { return sampling_.fps; }
  const std::vector<double>& times() const { return times_; }  ///< [s], increasing
  const std::vector<Actor>& actors() const { return actors_; }
  /// Keeps only these actors, in their order in the run; dashpot::Error names those that do not exist.
  void select(const std::vector<std::string>& names);

  /// Shows this surface [m, in the rest shape] in place of the only body of tets, carried by it (mesh/embedding.hpp).
  /// dashpot::Error when there are several such bodies (select one first) or none; else how the surface lies in the
  /// body.
  const Embedding& carry_surface(Mesh surface);

  Shape shape(const Actor& actor, std::size_t frame) const;

 private:
  Shape recorded_shape(const Actor& actor, double time) const;
  void check_frames() const;
  void add_actor(std::string name, Mesh mesh, int first_point, bool is_scenery);
  void choose_times();

  Recording recording_;
  Sampling sampling_;
  std::vector<Actor> actors_;
  std::vector<double> times_;
};

}  // namespace dashpot::exporter
