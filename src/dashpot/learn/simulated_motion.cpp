#include "dashpot/learn/simulated_motion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dashpot/learn/observed_run.hpp"

namespace dashpot::learn {
namespace {

/// An observation that compares with nothing: it is shown the simulated points.
class Onlooker final : public Observation {
 public:
  explicit Onlooker(const std::vector<double>& times) : times_(times) {}
  std::string description() const override { return "simulated motion"; }
  const std::vector<double>& times() const override { return times_; }
  void add_residuals(int, const std::vector<Vec3>&, double, ResidualRows&) const override {}

 private:
  const std::vector<double>& times_;
};

}  // namespace

SimulatedMotion simulated_motion(const CompiledScene& scene, const std::vector<double>& values,
                                 const std::vector<double>& times, const std::function<bool()>& should_stop) {
  SimulatedMotion motion;
  // The scene outlives the run: nothing of it is owned here.
  const ObservedRun run{"", {&scene, [](const CompiledScene*) {}}, {std::make_shared<Onlooker>(times)}};
  CompareOptions options;
  options.values = values;
  options.should_stop = should_stop;
  options.on_instant = [&](std::size_t, int, const std::vector<Vec3>& points, const ResidualRows&) {
    motion.positions.push_back(points);
  };
  const Comparison found = compare(run, options);
  motion.finished = found.reached() && motion.positions.size() == times.size();
  motion.explanation = found.explanation;
  return motion;
}

MotionError motion_error(const SimulatedMotion& a, const SimulatedMotion& b, double size) {
  MotionError error;
  if (!a.finished || !b.finished || a.positions.size() != b.positions.size()) {
    error.worst = error.rms = std::numeric_limits<double>::quiet_NaN();
    return error;
  }
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.positions.size(); ++i) {
    double worst = 0;
    for (std::size_t p = 0; p < a.positions[i].size(); ++p) {
      const double square = (a.positions[i][p] - b.positions[i][p]).squaredNorm();
      worst = std::max(worst, std::sqrt(square) / size);
      sum += square / (size * size);
      ++count;
    }
    error.worst_by_instant.push_back(worst);
    error.worst = std::max(error.worst, worst);
  }
  error.rms = count > 0 ? std::sqrt(sum / static_cast<double>(count)) : 0;
  return error;
}

double rest_diagonal(const CompiledScene& scene) {
  std::vector<Vec3> points;
  scene.system->kinematics().positions(scene.system->rest(), points);
  if (points.empty()) return 0;
  Vec3 low = points[0], high = low;
  for (const Vec3& x : points) low = low.cwiseMin(x), high = high.cwiseMax(x);
  return (high - low).norm();
}

}  // namespace dashpot::learn
