#include "dashpot/yarn/yarn_gravity.hpp"

#include "dashpot/yarn/segment_elements.hpp"

namespace dashpot {

YarnGravity::YarnGravity(std::string body, std::shared_ptr<YarnBatch> segments, PerFamily density, Vec3 gravity)
    : body_(std::move(body)), segments_(std::move(segments)), density_(density), gravity_(gravity) {}

double YarnGravity::evaluate(const EnergyRequest& request) const {
  const YarnBatch& batch = *segments_;
  const math::Vector3<double> g = {gravity_.x(), gravity_.y(), gravity_.z()};
  return batch.sum_over_chunks([&](int begin, int end) {
    double sum = 0;
    for (int i = begin; i < end; ++i) {
      const double rho = density_[batch.family(i)];
      const formula::SegmentMotion<double> at = motion_of(batch, request.q, i);
      const double D = at.u1 - at.u0 + batch.shift(i), height = dot(g, at.x0 + at.x1) / 2;
      sum -= rho * D * height;
      const math::Vector3<double> pull = (-0.5 * rho * D) * g;
      if (request.gradient != nullptr)
        add_motion(batch, i, {pull, pull, rho * height, -rho * height}, *request.gradient);
      if (request.hessian == nullptr || request.projection != Projection::none) continue;
      const int label = label_of(batch.family(i)), *slots = batch.slots(i);
      for (int a = 0; a < 2; ++a)
        for (int b = 0; b < 2; ++b) {
          double m[16] = {};
          for (int c = 0; c < 3; ++c) {
            const double half = -0.5 * request.hessian_scale * rho * g[c];
            m[12 + c] = (b == 0 ? -1 : 1) * half;     // place of a, label of b
            m[4 * c + 3] = (a == 0 ? -1 : 1) * half;  // label of a, place of b
          }
          add_to_block(request.hessian->block(slots[2 * a + b]), label, label, m);
        }
    }
    return sum;
  });
}

}  // namespace dashpot
