#include "dashpot/contact/collider.hpp"

#include <algorithm>

namespace dashpot {
namespace {

class RigidInstant final : public ColliderInstant {
 public:
  RigidInstant(std::shared_ptr<const ColliderShape> shape, const RigidPose& pose, bool moves, bool hollow)
      : shape_(std::move(shape)), pose_(pose), moves_(moves), hollow_(hollow) {}

  bool sample(const Vec3& x, double reach, bool with_curvature, SurfaceSample& sample) const override {
    const Vec3 X = moves_ ? Vec3(pose_.R.transpose() * (x - pose_.p)) : x;
    // Inside out, "far away" is deep inside: nothing can be ruled out by reach.
    const double far = hollow_ ? std::numeric_limits<double>::infinity() : reach;
    if (!shape_->sample(X, far, with_curvature, sample)) return false;
    if (hollow_) {
      sample.distance = -sample.distance;
      if (sample.distance > reach) return false;
      sample.normal = -sample.normal;
      if (with_curvature) sample.curvature = -sample.curvature;
    }
    if (moves_) {
      sample.normal = pose_.R * sample.normal;
      if (with_curvature) sample.curvature = pose_.R * sample.curvature * pose_.R.transpose();
    }
    return true;
  }
  Vec3 surface_velocity(const Vec3& x, const SurfaceSample& sample) const override {
    if (!moves_) return Vec3::Zero();
    const Vec3 foot = x - sample.distance * sample.normal;
    return pose_.velocity_of(pose_.R.transpose() * (foot - pose_.p));
  }

 private:
  std::shared_ptr<const ColliderShape> shape_;
  RigidPose pose_;
  bool moves_, hollow_;
};

}  // namespace

std::shared_ptr<const ColliderInstant> instant_at(const Collider& collider, double time, KeptInstant* kept) {
  if (kept == nullptr) return collider.at(time);
  if (kept->time != time) {
    kept->instant = collider.at(time);
    kept->time = time;
  }
  return kept->instant;
}

RigidCollider::RigidCollider(std::shared_ptr<const ColliderShape> shape, std::shared_ptr<const RigidMotion> motion,
                             bool hollow)
    : shape_(std::move(shape)), motion_(std::move(motion)), hollow_(hollow), outline_nodes_(shape_->outline().nodes) {
  if (motion_ == nullptr) fixed_ = std::make_shared<RigidInstant>(shape_, RigidPose(), false, hollow_);
}

double RigidCollider::depth() const { return hollow_ ? std::numeric_limits<double>::infinity() : shape_->depth(); }

std::shared_ptr<const ColliderInstant> RigidCollider::at(double time) const {
  if (fixed_) return fixed_;
  return std::make_shared<RigidInstant>(shape_, pose(time), true, hollow_);
}

Mesh RigidCollider::outline() const {
  Mesh mesh = shape_->outline();
  outline_at(0, &mesh.nodes, nullptr);
  if (hollow_)
    for (ElementGroup& group : mesh.groups)
      for (std::size_t k = 0; k + 2 < group.nodes.size(); k += 3) std::swap(group.nodes[k + 1], group.nodes[k + 2]);
  return mesh;
}

void RigidCollider::outline_at(double time, std::vector<Vec3>* x, std::vector<Vec3>* v) const {
  const RigidPose now = pose(time);
  if (x != nullptr) x->resize(outline_nodes_.size());
  if (v != nullptr) v->resize(outline_nodes_.size());
  for (std::size_t i = 0; i < outline_nodes_.size(); ++i) {
    if (x != nullptr) (*x)[i] = now.point(outline_nodes_[i]);
    if (v != nullptr) (*v)[i] = now.velocity_of(outline_nodes_[i]);
  }
}

}  // namespace dashpot
