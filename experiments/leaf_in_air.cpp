#include "leaf_in_air.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "dashpot/mesh/surface.hpp"
#include "interrupt.hpp"
#include "measures.hpp"
#include "scene_file.hpp"

namespace dashpot::cli::leaf {
namespace {

std::string scene_text(const Setup& setup, const std::string& damping, const std::string& start,
                       const std::string& loads = "") {
  return scene_file("leaf_in_air", {{"/time/dt", setup.dt},
                                    {"/time/end", loads.empty() ? setup.ring_end : setup.hit_end},
                                    {"/bodies/0/mesh/shape/tets", setup.tets},
                                    {"/bodies/0/damping/0", damping},
                                    {"/bodies/0/start", start},
                                    {"/bodies/0/loads", list_of(loads)}});
}

/// Mass-proportional: of thin bodies that turn, a stiffness-proportional one takes more the longer the time step is.
const std::string rayleigh =
    fmt::format(R"({{"model": "rayleigh", "zeta": [{{"mode": 1, "zeta": {}}}], "share": "mass_only"}})", zeta_default);
std::string mode(int number) { return fmt::format(R"({{"from": "mode", "mode": {}, "amplitude": "30 mm"}})", number); }
std::string pulled(const Vec3& force) {
  return fmt::format(
      R"({{"from": "equilibrium", "loads": [{{"model": "force", "where": {{"region": "tip"}}, "force": [{:g}, {:g}, {:g}]}}]}})",
      force.x(), force.y(), force.z());
}
/// A blow of 50 ms at the tip, 1.6 mN s along a unit direction.
std::string blow(const Vec3& direction) {
  const Vec3 peak = 0.064 * direction;  // [N]
  return fmt::format(
      R"({{"model": "force", "where": {{"region": "tip"}}, "force": [{:g}, {:g}, {:g}], "from": 0, "until": "50 ms", "ramp": "25 ms"}})",
      peak.x(), peak.y(), peak.z());
}

/// Drag of a plate at every patch of the blade: D = 1/2 rho c_d int |x_n|^3 dA, over the modal mass.
ModeFacts facts_of(const Setup& setup, int number) {
  const CompiledScene scene = compile(parse_scene(scene_text(setup, rayleigh, mode(number)), "A-leaf"));
  const Vector shape = scene.start.q - scene.system->rest(), still = Vector::Zero(shape.size());
  Vector weighted = still;
  scene.system->inertia().add_force(scene.system->rest(), still, shape, weighted);
  const Mesh& mesh = scene.bodies[0].mesh;
  const auto moved = [&](int node) -> Vec3 { return shape.segment<3>(3 * (scene.bodies[0].first_block + node)); };
  double cubes = 0;
  for (const std::array<int, 3>& t : boundary_surface(mesh).triangles) {
    const auto x = [&](int i) -> const Vec3& {
      return mesh.nodes[static_cast<std::size_t>(t[static_cast<std::size_t>(i)])];
    };
    const Vec3 normal = 0.5 * (x(1) - x(0)).cross(x(2) - x(0));
    const double area = normal.norm();
    const double speed = std::abs((moved(t[0]) + moved(t[1]) + moved(t[2])).dot(normal)) / (3 * area);
    cubes += 0.5 * area * speed * speed * speed;  // half: the blade has two faces, the air acts once
  }
  ModeFacts facts;
  facts.drag = 0.5 * air * drag_coefficient * cubes / shape.dot(weighted);
  const Probe& probe = scene.run.probes.at(0);
  Vec3 tip = Vec3::Zero();
  for (std::size_t i = 0; i < probe.points.size(); ++i) tip += probe.weights[i] * moved(probe.points[i]);
  facts.tip = tip.norm();
  return facts;
}

/// Default damping plus the drag of the air, which is known.
SpeedGain gain_of_air(const ModeFacts& facts, double frequency) {
  std::vector<math::GainCurve::Point> points;
  for (const double speed : {0.0, 0.05, 0.1, 0.2, 0.35, 0.6, 1.0, 1.6})
    points.push_back({speed, 1 + facts.drag * speed / facts.tip / (4 * std::numbers::pi * zeta_default * frequency)});
  return {math::GainCurve::through(points, math::GainCurve::Kind::monotone), facts.tip};
}
/// Drawn: the paper finds a curve that falls with speed, and gives no numbers.
SpeedGain gain_sideways(const ModeFacts& facts) {
  return {math::GainCurve::through({{0, 1.2}, {0.2, 1}, {0.5, 0.7}, {1, 0.5}}, math::GainCurve::Kind::monotone),
          facts.tip};
}

std::string designed(const SpeedGain& up, const SpeedGain& side) {
  return fmt::format(R"({{"model": "example_based", "over": {}, "depends_on": "velocity", "examples": [
      {{"name": "up and down", "shape": {}, {}}}, {{"name": "sideways", "shape": {}, {}}}]}})",
                     rayleigh, mode(1), up.text(), mode(2), side.text());
}

/// Pulls that let the tip swing with about 0.5 m/s [N].
Vec3 usual_pull(Direction direction) { return direction == up_down ? Vec3(0, -0.045, 0) : Vec3(0.075, 0, 0); }

Ring ring_of(const ReproductionRequest& request, const Setup& setup, const std::string& name,
             const std::string& damping, const Vec3& pull, const std::string& file = {}) {
  const RecordedRun motion = run_scene(request, name, scene_text(setup, damping, pulled(pull)), file);
  Ring ring;
  if (interrupted() || !is_complete(motion)) return ring;
  // One mode: a decay that is not exponential would otherwise be read as several modes of one frequency.
  const analysis::RingDown read = motion.ring(0, {.max_modes = 1});
  ring.frequency = read.natural_frequency;
  ring.fitted = read.zeta;
  ring.released = 2 * std::numbers::pi * read.frequency * read.initial_amplitude;
  for (const analysis::RingCycle& cycle : read.cycles) {
    ring.speed.push_back(2 * std::numbers::pi * read.frequency * cycle.amplitude);
    ring.zeta.push_back(cycle.zeta);
  }
  return ring;
}

/// A large and a small release, as the authors made them, so that fast and slow swings are read from short runs. A
/// swing is read one cycle after the release at the earliest: releases are faster than fast_speed and slow_speed by
/// what is lost until then.
Ring ours_of(const ReproductionRequest& request, const Setup& setup, const std::string& damping, const Ring& plain,
             Direction direction) {
  const double large = direction == up_down ? 1.05 : 0.66, small = direction == up_down ? 0.27 : 0.24;  // [m/s]
  const std::string name = direction == up_down ? "up_down" : "sideways";
  const auto release = [&](double speed, const std::string& size) {
    return ring_of(request, setup, fmt::format("designed, {}", size), damping,
                   speed / plain.released * usual_pull(direction), fmt::format("scene_{}_{}.json", name, size));
  };
  Ring ring = release(large, "large");
  const Ring slow = release(small, "small");
  ring.speed.insert(ring.speed.end(), slow.speed.begin(), slow.speed.end());
  ring.zeta.insert(ring.zeta.end(), slow.zeta.begin(), slow.zeta.end());
  return ring;
}

}  // namespace

std::string SpeedGain::text() const {
  std::string points;
  for (const math::GainCurve::Point& point : curve.knots())
    points += fmt::format("{}[{:.5g}, {:.5g}]", points.empty() ? "" : ", ", point.x / tip, point.gamma);
  return fmt::format(R"("curve": [{}])", points);
}

double SpeedGain::of_swing(double speed) const {
  constexpr int parts = 64;
  double sum = 0;
  for (int i = 0; i < parts; ++i) {
    const double c = std::cos(2 * std::numbers::pi * (i + 0.5) / parts);
    sum += curve.value(speed * std::abs(c)) * c * c;
  }
  return 2 * sum / parts;
}

double Ring::zeta_at(double wanted) const {
  for (std::size_t i = 1; i < speed.size(); ++i)
    if (speed[i] <= wanted && wanted <= speed[i - 1]) {
      const double s = (wanted - speed[i]) / std::max(speed[i - 1] - speed[i], 1e-12);
      return zeta[i] + s * (zeta[i - 1] - zeta[i]);
    }
  return std::nan("");
}

double Impact::rms(int axis, double from, double until) const {
  double sum = 0;
  int count = 0;
  for (std::size_t i = 0; i < motion.time.size(); ++i)
    if (motion.time[i] >= from && motion.time[i] <= until) sum += std::pow(motion.probes[0][i][axis], 2), ++count;
  return count > 0 ? of_complete(motion, std::sqrt(sum / count)) : not_measured;
}

double Findings::worst_error() const {
  std::vector<double> errors;
  for (int i = 0; i < 2; ++i)
    for (std::size_t k = 0; k < ours[i].speed.size(); ++k)
      if (ours[i].speed[k] >= 0.1 && ours[i].speed[k] <= 0.7)
        errors.push_back(std::abs(ours[i].zeta[k] / (zeta(i) * gains[i].of_swing(ours[i].speed[k])) - 1));
  return largest(errors);
}

Findings find(const ReproductionRequest& request, const Setup& setup) {
  Findings found;
  const bool quick = request.variant == ReproductionVariant::quick;
  for (int i = 0; i < 2 && !interrupted(); ++i) {
    found.facts[i] = facts_of(setup, i + 1);
    found.plain[i] = ring_of(request, setup, "Rayleigh", rayleigh, usual_pull(static_cast<Direction>(i)));
  }
  if (interrupted()) return found;
  found.gains[up_down] = gain_of_air(found.facts[up_down], found.plain[up_down].frequency);
  found.gains[sideways] = gain_sideways(found.facts[sideways]);
  const std::string damping = designed(found.gains[up_down], found.gains[sideways]);
  for (int i = 0; i < 2 && !interrupted(); ++i)
    found.ours[i] = ours_of(request, setup, damping, found.plain[i], static_cast<Direction>(i));
  const std::vector<std::pair<std::string, Vec3>> ways = {
      {"hit from above", {0, -1, 0}}, {"hit from the side", {1, 0, 0}}, {"hit between", {0.6, -0.8, 0}}};
  for (const auto& [name, direction] : ways) {
    if (interrupted() || (quick && found.impacts.size() == 2)) return found;
    const std::string load = blow(direction);
    const std::string file = fmt::format("scene_impact_{}.json", found.impacts.size() + 1);
    Impact impact{
        name, direction, run_scene(request, name, scene_text(setup, damping, R"({"from": "rest"})", load), file), {}};
    if (!quick) impact.plain = run_scene(request, "Rayleigh", scene_text(setup, rayleigh, R"({"from": "rest"})", load));
    found.impacts.push_back(std::move(impact));
  }
  return found;
}

}  // namespace dashpot::cli::leaf
