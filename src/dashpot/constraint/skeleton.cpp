#include "dashpot/constraint/skeleton.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "dashpot/core/error.hpp"
#include "dashpot/math/rotation.hpp"

namespace dashpot {
namespace {

using Influence = SkinnedPoints::Influence;

RigidPose turned(const math::RotationRates& turn) {
  RigidPose pose;
  pose.R = turn.R;
  pose.angular_velocity = turn.omega;
  pose.angular_acceleration = turn.alpha;
  return pose;
}

RigidPose rotation_of(const Joint& joint, double time) {
  if (joint.rotation_kind == Joint::Rotation::none) return {};
  Vector phi, dphi, ddphi;
  joint.rotation.evaluate(time, &phi, &dphi, &ddphi);
  if (joint.rotation_kind == Joint::Rotation::quaternion) return turned(math::quaternion_rates(phi, dphi, ddphi));
  if (joint.rotation_kind == Joint::Rotation::vector) return turned(math::rotation_rates(phi, dphi, ddphi));
  RigidPose pose;
  for (int axis = 0; axis < 3; ++axis) {
    const Vec3 e = Vec3::Unit(axis);
    pose = compose(turned(math::rotation_rates(phi[axis] * e, dphi[axis] * e, ddphi[axis] * e)), pose);
  }
  return pose;
}

RigidPose local_pose(const Joint& joint, double time) {
  RigidPose there, back;
  there.p = joint.at;
  back.p = -joint.at;
  if (joint.translation.dimension() == 3) {
    Vector tau, dtau, ddtau;
    joint.translation.evaluate(time, &tau, &dtau, &ddtau);
    there.p += tau;
    there.velocity = dtau;
    there.acceleration = ddtau;
  }
  return compose(there, compose(rotation_of(joint, time), back));
}

double distance(const Vec3& x, const std::array<Vec3, 2>& segment) {
  const Vec3 along = segment[1] - segment[0];
  const double length2 = along.squaredNorm();
  const double s = length2 > 0 ? std::clamp((x - segment[0]).dot(along) / length2, 0.0, 1.0) : 0.0;
  return (x - segment[0] - s * along).norm();
}

}  // namespace

bool Skeleton::has_weights() const {
  return std::any_of(joints_.begin(), joints_.end(), [](const Joint& joint) { return !joint.weights.empty(); });
}

int Skeleton::find(const std::string& name) const {
  std::vector<std::string> names;
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    if (joints_[j].name == name) return static_cast<int>(j);
    names.push_back(joints_[j].name);
  }
  const std::string near = nearest_name(name, names);
  throw Error(Problem{"", fmt::format("no joint \"{}\"", name), "the name of a joint of the skeleton",
                      near.empty() ? "" : fmt::format("did you mean \"{}\"?", near)});
}

std::vector<RigidPose> Skeleton::poses(double time) const {
  std::vector<RigidPose> poses;
  poses.reserve(joints_.size());
  for (const Joint& joint : joints_) {
    const RigidPose local = local_pose(joint, time);
    poses.push_back(joint.parent < 0 ? local : compose(poses[static_cast<std::size_t>(joint.parent)], local));
  }
  return poses;
}

JointMotion::JointMotion(std::shared_ptr<const Skeleton> skeleton, int joint, Placement placement, double start)
    : skeleton_(std::move(skeleton)), joint_(joint), placement_(std::move(placement)), start_(start) {}

RigidPose JointMotion::pose(double time) const {
  const RigidPose file = skeleton_->poses(time - start_)[static_cast<std::size_t>(joint_)];
  RigidPose inside;  // the same motion in turned and scaled axes; the shift is taken off first and put back last
  inside.R = placement_.R * file.R * placement_.R.transpose();
  inside.p = placement_.turn(file.p);
  inside.velocity = placement_.turn(file.velocity);
  inside.acceleration = placement_.turn(file.acceleration);
  inside.angular_velocity = placement_.R * file.angular_velocity;
  inside.angular_acceleration = placement_.R * file.angular_acceleration;
  RigidPose there, back;
  there.p = placement_.p;
  back.p = -placement_.p;
  return compose(there, compose(inside, back));
}

SkinnedPoints::SkinnedPoints(std::shared_ptr<const Skeleton> skeleton, const std::vector<Vec3>& rest,
                             Placement placement, const std::vector<std::vector<Influence>>& influences)
    : skeleton_(std::move(skeleton)), placement_(std::move(placement)), start_{0} {
  assert(influences.size() == rest.size());
  for (std::size_t i = 0; i < rest.size(); ++i) {
    rest_.push_back(placement_.from_world(rest[i]));
    influence_.insert(influence_.end(), influences[i].begin(), influences[i].end());
    start_.push_back(static_cast<int>(influence_.size()));
  }
}

void SkinnedPoints::evaluate(double time, std::vector<Vec3>* x, std::vector<Vec3>* v, std::vector<Vec3>* a) const {
  const std::vector<RigidPose> poses = skeleton_->poses(time);
  for (std::vector<Vec3>* out : {x, v, a})
    if (out != nullptr) out->resize(rest_.size());
  for (std::size_t i = 0; i < rest_.size(); ++i) {
    Vec3 position = Vec3::Zero(), velocity = Vec3::Zero(), acceleration = Vec3::Zero();
    for (int k = start_[i]; k < start_[i + 1]; ++k) {
      const Influence& influence = influence_[static_cast<std::size_t>(k)];
      const RigidPose& pose = poses[static_cast<std::size_t>(influence.joint)];
      if (x) position += influence.weight * pose.point(rest_[i]);
      if (v) velocity += influence.weight * pose.velocity_of(rest_[i]);
      if (a) acceleration += influence.weight * pose.acceleration_of(rest_[i]);
    }
    if (x) (*x)[i] = placement_.to_world(position);
    if (v) (*v)[i] = placement_.turn(velocity);
    if (a) (*a)[i] = placement_.turn(acceleration);
  }
}

std::vector<std::vector<Influence>> skin_weights(const Skeleton& skeleton, const std::vector<Vec3>& points,
                                                 double blend) {
  assert(blend > 0);
  const std::vector<Joint>& joints = skeleton.joints();
  std::vector<std::vector<Influence>> influences(points.size());
  std::vector<double> away(joints.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    double nearest = std::numeric_limits<double>::infinity(), sum = 0;
    for (std::size_t j = 0; j < joints.size(); ++j) {
      away[j] = std::numeric_limits<double>::infinity();
      for (const auto& bone : joints[j].bones) away[j] = std::min(away[j], distance(points[i], bone));
      nearest = std::min(nearest, away[j]);
    }
    for (std::size_t j = 0; j < joints.size(); ++j) {
      const double s = (away[j] - nearest) / blend;
      if (!(s < 1)) continue;
      const double weight = (1 - s * s) * (1 - s * s);
      influences[i].push_back({static_cast<int>(j), weight});
      sum += weight;
    }
    for (Influence& influence : influences[i]) influence.weight /= sum;
  }
  return influences;
}

std::vector<std::vector<Influence>> given_weights(const Skeleton& skeleton, const std::vector<int>& nodes,
                                                  int num_nodes) {
  std::vector<Problem> problems;
  for (const Joint& joint : skeleton.joints())
    if (!joint.weights.empty() && joint.weights.size() != static_cast<std::size_t>(num_nodes))
      problems.push_back({"", fmt::format("joint \"{}\" has {} weights", joint.name, joint.weights.size()),
                          fmt::format("{}, one for each node of the mesh", num_nodes),
                          "Remove \"weights\" to compute them from distance"});
  if (!problems.empty()) throw Error(std::move(problems));
  std::vector<std::vector<Influence>> influences;
  for (const int node : nodes) {
    std::vector<Influence> own;
    double sum = 0;
    for (std::size_t j = 0; j < skeleton.joints().size(); ++j) {
      const std::vector<double>& weights = skeleton.joints()[j].weights;
      const double weight = weights.empty() ? 0 : weights[static_cast<std::size_t>(node)];
      if (weight > 0) own.push_back({static_cast<int>(j), weight});
      sum += weight;
    }
    if (!(sum > 0))
      problems.push_back({"", fmt::format("node {} has no skin weight", node), "a positive weight of some joint"});
    for (Influence& influence : own) influence.weight /= sum;
    influences.push_back(std::move(own));
    if (problems.size() == 10) break;
  }
  if (!problems.empty()) throw Error(std::move(problems));
  return influences;
}

}  // namespace dashpot
