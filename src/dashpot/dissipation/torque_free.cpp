#include "dashpot/dissipation/torque_free.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>

#include "dashpot/math/best_spin.hpp"

namespace dashpot {
namespace {

/// Mass and center of mass; no mass: no center.
struct Center {
  double mass = 0;
  Vec3 position = Vec3::Zero();
};

Center center_of_mass(const PointMasses& points) {
  Center center;
  for (std::size_t i = 0; i < points.mass.size(); ++i) {
    center.mass += points.mass[i];
    center.position += points.mass[i] * points.position[i];
  }
  if (center.mass > 0) center.position /= center.mass;
  return center;
}

void remove_rigid_part(const PointMasses& points, std::vector<Vec3>& force) {
  const Center center = center_of_mass(points);
  if (!(center.mass > 0)) return;
  Vec3 total = Vec3::Zero(), torque = Vec3::Zero();
  Mat3 second_moment = Mat3::Zero();
  for (std::size_t i = 0; i < force.size(); ++i) {
    const Vec3 r = points.position[i] - center.position;
    total += force[i];
    torque += r.cross(force[i]);
    second_moment += points.mass[i] * r * r.transpose();
  }
  const Vec3 push = total / center.mass;
  const Vec3 turn = math::symmetric_pseudo_solve(math::spin_matrix(second_moment), torque);
  for (std::size_t i = 0; i < force.size(); ++i)
    force[i] -= points.mass[i] * (push + turn.cross(points.position[i] - center.position));
}

/// 3.3.2: along r_i = x_i - x, then the sum is given back with weights a_i, where x = sum a_i x_i.
void project_on_lines(const PointMasses& points, const Vec3& x, std::span<const double> weight,
                      std::vector<Vec3>& force) {
  Vec3 total = Vec3::Zero();
  for (std::size_t i = 0; i < force.size(); ++i) {
    const Vec3 r = points.position[i] - x;
    const double length2 = r.squaredNorm();
    force[i] = length2 > 0 ? Vec3(r * (r.dot(force[i]) / length2)) : Vec3(Vec3::Zero());
    total += force[i];
  }
  for (std::size_t i = 0; i < force.size(); ++i) force[i] -= weight[i] * total;
}

void project_on_center(const PointMasses& points, bool by_mass, std::vector<Vec3>& force) {
  std::vector<double> weight(force.size(), 1.0 / static_cast<double>(force.size()));
  if (by_mass) {
    const Center center = center_of_mass(points);
    if (!(center.mass > 0)) return;
    for (std::size_t i = 0; i < weight.size(); ++i) weight[i] = points.mass[i] / center.mass;
  }
  Vec3 x = Vec3::Zero();
  for (std::size_t i = 0; i < weight.size(); ++i) x += weight[i] * points.position[i];
  project_on_lines(points, x, weight, force);
}

/// 3.3.1: each edge takes the difference of its ends' forces, or of their accelerations times the reduced mass, along
/// itself.
std::vector<Vec3> forces_along_edges(const PointMasses& points, bool by_reduced_mass, const std::vector<Vec3>& force) {
  std::vector<Vec3> along(force.size(), Vec3::Zero());
  for (const Edge& edge : points.edges) {
    const auto i = static_cast<std::size_t>(edge[0]), j = static_cast<std::size_t>(edge[1]);
    const double m_i = points.mass[i], m_j = points.mass[j];
    const Vec3 d = points.position[i] - points.position[j];
    const double length2 = d.squaredNorm();
    if (!(length2 > 0)) continue;
    const Vec3 difference =
        by_reduced_mass ? Vec3((m_j * force[i] - m_i * force[j]) / (m_i + m_j)) : Vec3(force[i] - force[j]);
    const Vec3 pull = d * (d.dot(difference) / length2);
    along[i] += pull;
    along[j] -= pull;
  }
  return along;
}

/// min_i |of_i| / |over_i| over the points where the denominator is not zero; infinite when there is none.
double least_ratio(const std::vector<Vec3>& of, const std::vector<Vec3>& over) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < of.size(); ++i) {
    const double denominator = over[i].norm();
    if (denominator > 0) least = std::min(least, of[i].norm() / denominator);
  }
  return least;
}

/// c*, clamped to >= 0; without a motion, the factor that brings `along` nearest to `force`.
double energy_factor(const PointMasses& points, const StruckVelocities* motion, const std::vector<Vec3>& force,
                     const std::vector<Vec3>& along) {
  double power = 0, square = 0;
  for (std::size_t i = 0; i < along.size(); ++i) {
    const double m = points.mass[i];
    power += motion != nullptr ? -along[i].dot(motion->velocity[i]) : along[i].dot(force[i]) / m;
    square += along[i].squaredNorm() / m;
  }
  if (motion != nullptr) square *= motion->duration;
  return power > 0 && square > 0 ? power / square : 0;
}

double edge_factor(TorqueElimination elimination, const PointMasses& points, const StruckVelocities* motion,
                   const std::vector<Vec3>& force, const std::vector<Vec3>& along) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  if (elimination == TorqueElimination::unsafe_edges_printed) {
    const double printed = least_ratio(along, force);
    return printed < infinite ? printed : 0;
  }
  double factor = 1;
  if (elimination != TorqueElimination::reduced_mass) factor = std::min(factor, least_ratio(force, along));
  if (is_safe(elimination)) factor = std::min(factor, energy_factor(points, motion, force, along));
  return factor;
}

/// A force on a point without mass would move it infinitely fast: such points get none, the others do without them.
double without_massless_points(TorqueElimination elimination, const PointMasses& points, const StruckVelocities* motion,
                               std::vector<Vec3>& force) {
  std::vector<int> place(force.size(), -1);
  std::vector<double> mass;
  std::vector<Vec3> position, velocity, part;
  for (std::size_t i = 0; i < force.size(); ++i) {
    if (!(points.mass[i] > 0)) continue;
    place[i] = static_cast<int>(mass.size());
    mass.push_back(points.mass[i]);
    position.push_back(points.position[i]);
    if (motion != nullptr) velocity.push_back(motion->velocity[i]);
    part.push_back(force[i]);
  }
  std::vector<Edge> edges;
  for (const Edge& edge : points.edges) {
    const Edge moved{place[static_cast<std::size_t>(edge[0])], place[static_cast<std::size_t>(edge[1])]};
    if (moved[0] >= 0 && moved[1] >= 0) edges.push_back(moved);
  }
  const StruckVelocities struck{velocity, motion != nullptr ? motion->duration : 0};
  const double factor =
      make_torque_free(elimination, {mass, position, edges}, motion != nullptr ? &struck : nullptr, part);
  for (std::size_t i = 0; i < force.size(); ++i)
    force[i] = place[i] >= 0 ? part[static_cast<std::size_t>(place[i])] : Vec3(Vec3::Zero());
  return factor;
}

}  // namespace

std::string to_string(TorqueElimination elimination) {
  constexpr std::array names{"none",
                             "rigid",
                             "center",
                             "edges",
                             "reduced_mass",
                             "unsafe_edges_printed",
                             "unsafe_edges_inverted",
                             "unsafe_centroid",
                             "unsafe_linear_program"};
  static_assert(names.size() == all_torque_eliminations.size());
  return names[static_cast<std::size_t>(elimination)];
}

bool is_safe(TorqueElimination elimination) { return elimination < TorqueElimination::unsafe_edges_printed; }

bool needs_edges(TorqueElimination elimination) {
  return elimination == TorqueElimination::edges || elimination == TorqueElimination::reduced_mass ||
         elimination == TorqueElimination::unsafe_edges_printed ||
         elimination == TorqueElimination::unsafe_edges_inverted;
}

double make_torque_free(TorqueElimination elimination, const PointMasses& points, const StruckVelocities* motion,
                        std::vector<Vec3>& force) {
  if (elimination == TorqueElimination::none || force.empty()) return 1;
  if (std::any_of(points.mass.begin(), points.mass.end(), [](double m) { return !(m > 0); }))
    return without_massless_points(elimination, points, motion, force);
  if (needs_edges(elimination)) {
    std::vector<Vec3> along = forces_along_edges(points, elimination == TorqueElimination::reduced_mass, force);
    const double factor = edge_factor(elimination, points, motion, force, along);
    for (Vec3& f : along) f *= factor;
    force = std::move(along);
    return factor;
  }
  if (elimination == TorqueElimination::rigid) remove_rigid_part(points, force);
  if (elimination == TorqueElimination::center) project_on_center(points, true, force);
  if (elimination == TorqueElimination::unsafe_centroid) project_on_center(points, false, force);
  if (elimination == TorqueElimination::unsafe_linear_program) solve_torque_program(points, force);
  return 1;
}

}  // namespace dashpot
