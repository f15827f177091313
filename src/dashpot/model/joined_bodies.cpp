#include "dashpot/model/joined_bodies.hpp"

#include <algorithm>
#include <limits>

namespace dashpot {

JoinedKinematics::JoinedKinematics(std::vector<PlacedPoints> bodies)
    : Kinematics(bodies.empty() ? 0 : bodies.front().kinematics->num_nodes()), bodies_(std::move(bodies)) {
  for (const PlacedPoints& body : bodies_) num_points_ += body.kinematics->num_points();
}

const PlacedPoints& JoinedKinematics::body_of(int point) const {
  const auto next = std::upper_bound(bodies_.begin(), bodies_.end(), point,
                                     [](int p, const PlacedPoints& body) { return p < body.first_point; });
  return *std::prev(next);
}

Vector JoinedKinematics::own(std::size_t body, const Vector& x) const {
  const Eigen::Index begin = bodies_[body].first_dof;
  return x.segment(begin, (body + 1 < bodies_.size() ? bodies_[body + 1].first_dof : x.size()) - begin);
}

void JoinedKinematics::positions(const Vector& q, std::vector<Vec3>& x) const {
  x.clear();
  std::vector<Vec3> part;
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    bodies_[b].kinematics->positions(own(b, q), part);
    x.insert(x.end(), part.begin(), part.end());
  }
}

void JoinedKinematics::velocities(const Vector& q, const Vector& v, std::vector<Vec3>& xdot) const {
  xdot.clear();
  std::vector<Vec3> part;
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    bodies_[b].kinematics->velocities(own(b, q), own(b, v), part);
    xdot.insert(xdot.end(), part.begin(), part.end());
  }
}

LinearAngular JoinedKinematics::wrench(const Vector& q, const Vector& f, BlockRange blocks) const {
  LinearAngular total;
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const int first = bodies_[b].first_block;
    const int end = b + 1 < bodies_.size() ? bodies_[b + 1].first_block : std::numeric_limits<int>::max();
    const BlockRange inside{std::max(blocks.begin, first), std::min(blocks.end, end)};
    if (inside.is_empty()) continue;
    if (b == 0 && num_nodes() > 0)  // nodes are read where they are
      total += bodies_[b].kinematics->wrench(q, f, inside);
    else
      total += bodies_[b].kinematics->wrench(own(b, q), own(b, f), {inside.begin - first, inside.end - first});
  }
  return total;
}

bool JoinedKinematics::is_linear(int point) const {
  const PlacedPoints& body = body_of(point);
  return body.kinematics->is_linear(point - body.first_point);
}

Vec3 JoinedKinematics::point_position(const double* q, int point) const {
  const PlacedPoints& body = body_of(point);
  return body.kinematics->point_position(q + body.first_dof, point - body.first_point);
}

void JoinedKinematics::point_jacobian(const double* q, int point, PointJacobian& J) const {
  const PlacedPoints& body = body_of(point);
  body.kinematics->point_jacobian(q + body.first_dof, point - body.first_point, J);
  for (PointJacobian::Part& part : J.parts) {
    part.block += body.first_block;
    part.first_dof += body.first_dof;
  }
}

Vec3 JoinedKinematics::point_velocity(const double* q, const double* v, int point) const {
  const PlacedPoints& body = body_of(point);
  return body.kinematics->point_velocity(q + body.first_dof, v + body.first_dof, point - body.first_point);
}

void JoinedKinematics::add_point_force(const double* q, int point, const Vec3& f, double* out) const {
  const PlacedPoints& body = body_of(point);
  body.kinematics->add_point_force(q + body.first_dof, point - body.first_point, f, out + body.first_dof);
}

std::vector<int> JoinedKinematics::point_blocks(int point) const {
  const PlacedPoints& body = body_of(point);
  std::vector<int> blocks = body.kinematics->blocks_of(point - body.first_point);
  for (int& block : blocks) block += body.first_block;
  return blocks;
}

bool JoinedKinematics::point_curvature(const double* q, int point, const Vec3& f, Matrix& H) const {
  const PlacedPoints& body = body_of(point);
  return body.kinematics->point_curvature(q + body.first_dof, point - body.first_point, f, H);
}

InertiaSum::InertiaSum(std::vector<std::unique_ptr<Inertia>> parts) {
  for (std::unique_ptr<Inertia>& part : parts) {
    unbound_.push_back(part.get());
    parts_.push_back(std::move(part));
  }
}

ParameterList InertiaSum::parameters() const {
  ParameterList list;
  for (const auto& part : parts_)
    for (ParameterInfo& info : part->parameters()) list.push_back(std::move(info));
  return list;
}

std::shared_ptr<const Inertia> InertiaSum::remade(const double* values, Replacements& replacements) const {
  auto successor = std::make_shared<InertiaSum>(*this);
  bool is_new = false;
  for (std::shared_ptr<const Inertia>& part : successor->parts_) {
    const ParameterList own = part->parameters();
    if (std::shared_ptr<const Inertia> next = part->remade(values, replacements)) {
      part = std::move(next);
      is_new = true;
    }
    for (const ParameterInfo& info : own) values += info.values.size();
  }
  return is_new ? successor : nullptr;
}

void InertiaSum::couple(PatternBuilder& pattern) const {
  for (const auto& part : parts_) part->couple(pattern);
}

void InertiaSum::bind(const BlockPattern& pattern) {
  for (Inertia* part : unbound_) part->bind(pattern);
  unbound_.clear();
}

bool InertiaSum::is_constant() const {
  return std::all_of(parts_.begin(), parts_.end(), [](const auto& part) { return part->is_constant(); });
}

bool InertiaSum::has_symmetric_tangent() const {
  return std::all_of(parts_.begin(), parts_.end(), [](const auto& part) { return part->has_symmetric_tangent(); });
}

bool InertiaSum::is_diagonal() const {
  return std::all_of(parts_.begin(), parts_.end(), [](const auto& part) { return part->is_diagonal(); });
}

void InertiaSum::add_force(const Vector& q, const Vector& v, const Vector& a, Vector& f) const {
  for (const auto& part : parts_) part->add_force(q, v, a, f);
}

void InertiaSum::add_tangent(const Vector& q, const Vector& v, const Vector& a, double mass_scale,
                             double velocity_scale, double position_scale, BlockMatrix& matrix) const {
  for (const auto& part : parts_) part->add_tangent(q, v, a, mass_scale, velocity_scale, position_scale, matrix);
}

double InertiaSum::kinetic_energy(const Vector& q, const Vector& v) const {
  double energy = 0;
  for (const auto& part : parts_) energy += part->kinetic_energy(q, v);
  return energy;
}

LinearAngular InertiaSum::momentum(const Vector& q, const Vector& v) const {
  LinearAngular total;
  for (const auto& part : parts_) total += part->momentum(q, v);
  return total;
}

}  // namespace dashpot
