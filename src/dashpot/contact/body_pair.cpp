#include "dashpot/contact/body_pair.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dashpot/contact/sample_search.hpp"
#include "dashpot/core/parallel.hpp"
#include "dashpot/core/types.hpp"

namespace dashpot::contact {
namespace {

constexpr int samples_per_range = 64;

Box grown(const Box& box, double by) { return Box(box.min() - Vec3::Constant(by), box.max() + Vec3::Constant(by)); }

}  // namespace

BodyPair::BodyPair(std::shared_ptr<const Kinematics> kinematics, ContactSurface a, ContactSurface b, const PairLaw& law,
                   TiedNodes tied)
    : kinematics_(std::move(kinematics)),
      a_(std::move(a)),
      b_(std::move(b)),
      law_(law),
      tied_(std::move(tied)),
      skin_(a_.radius + b_.radius) {
  const auto is_tied = [&](const Sample& sample) {
    return std::any_of(sample.nodes.begin(), sample.nodes.begin() + sample.num_nodes(),
                       [&](int node) { return tied_.contains(node); });
  };
  for (ContactSurface* surface : {&a_, &b_})
    surface->samples.erase(std::remove_if(surface->samples.begin(), surface->samples.end(), is_tied),
                           surface->samples.end());
}

void BodyPair::collect(const ContactSurface& from, const ContactSurface& onto, const PointPositions& x,
                       std::vector<Touch>& touches) const {
  const double reach = skin_ + 0.5 * law_.onset;
  const double margin = std::max(reach, onto.depth_limit);
  const Box meeting = grown(box_of(from, x), reach).intersection(grown(box_of(onto, x), reach));
  if (meeting.isEmpty()) return;
  std::vector<Simplex> tops;
  std::vector<Box> boxes;
  const Box around = grown(meeting, margin);
  for (const Simplex& top : tops_of(onto)) {
    const Box box = box_of(onto, x, top);
    if (!around.intersects(box)) continue;
    tops.push_back(top);
    boxes.push_back(box);
  }
  const BoxTree tree(std::move(boxes));
  std::vector<const Sample*> samples;
  for (const Sample& sample : from.samples)
    if (meeting.contains(position(x, sample))) samples.push_back(&sample);
  const int count = static_cast<int>(samples.size());
  std::vector<std::vector<Touch>> found(at((count + samples_per_range - 1) / samples_per_range));
  parallel_for(count, samples_per_range, [&](int begin, int end) {
    SampleSearch search(onto, x, tree, tops, reach, tied_);
    for (int i = begin; i < end; ++i) search.run(*samples[at(i)], found[at(begin / samples_per_range)]);
  });
  for (const std::vector<Touch>& part : found) touches.insert(touches.end(), part.begin(), part.end());
}

std::vector<Touch> BodyPair::touches(const Vector& q) const {
  std::vector<Touch> touches;
  const PointPositions x(*kinematics_, q);
  collect(a_, b_, x, touches);
  collect(b_, a_, x, touches);
  return touches;
}

FeatureGap BodyPair::gap(const Vector& q, const Touch& touch) const {
  const PointPositions at_q(*kinematics_, q);
  Vec3 x[3];
  for (int k = 0; k < touch.num_points; ++k) x[k] = at_q[touch.nodes[at(k)]];
  return feature_gap(position(at_q, *touch.sample), x, touch.num_points, touch.side, touch.fallback);
}

double BodyPair::reach_per_step() const {
  // A point that ends a step deeper in a solid than the limit is not felt any more; between sheets and chains one that
  // ends beyond the middle is pushed out on the wrong side.
  double depth = std::numeric_limits<double>::infinity();
  for (const ContactSurface* surface : {&a_, &b_})
    if (surface->is_solid) depth = std::min(depth, surface->depth_limit);
  return skin_ + (std::isfinite(depth) ? depth : 0);
}

double BodyPair::approach_speed(const Vector& q, const Vector& v, double dt) const {
  const PointPositions x(*kinematics_, q);
  const PointVelocities xdot(*kinematics_, q, v);
  const auto largest = [&](const ContactSurface& surface) {
    double speed = 0;
    for (const int node : surface.corners) speed = std::max(speed, xdot[node].norm());
    return speed;
  };
  const double reach = skin_ + 0.5 * law_.onset + (largest(a_) + largest(b_)) * dt;
  const Box meeting = grown(box_of(a_, x), reach).intersection(grown(box_of(b_, x), reach));
  if (meeting.isEmpty()) return 0;
  // Velocities of the points that could meet, as a box: its corners farthest apart bound the relative speed.
  const auto velocities = [&](const ContactSurface& surface) {
    Box box;
    for (const int node : surface.corners)
      if (meeting.contains(x[node])) box.extend(xdot[node]);
    return box;
  };
  const Box va = velocities(a_), vb = velocities(b_);
  if (va.isEmpty() && vb.isEmpty()) return 0;
  const auto spread = [&](const ContactSurface& surface) {
    Box box;
    for (const int node : surface.corners) box.extend(xdot[node]);
    return box;
  };
  const Box first = va.isEmpty() ? spread(a_) : va, second = vb.isEmpty() ? spread(b_) : vb;
  const Vec3 most = (first.max() - second.min()).cwiseAbs().cwiseMax((second.max() - first.min()).cwiseAbs());
  return most.norm();
}

}  // namespace dashpot::contact
