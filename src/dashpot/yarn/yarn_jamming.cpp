#include "dashpot/yarn/yarn_jamming.hpp"

#include <cmath>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/yarn/segment_elements.hpp"

namespace dashpot {

YarnJamming::YarnJamming(std::string body, std::shared_ptr<YarnBatch> segments, double stiffness, PerFamily width)
    : body_(std::move(body)), segments_(std::move(segments)), stiffness_(stiffness), width_(width) {
  for (const double value : {stiffness, width.warp, width.weft})
    if (!std::isfinite(value) || value < 0)
      throw Error(Problem{body_ + ": jamming", fmt::format("{:.6g}", value), "numbers >= 0", ""});
}

double YarnJamming::evaluate(const EnergyRequest& request) const {
  const YarnBatch& batch = *segments_;
  return batch.sum_over_chunks([&](int begin, int end) {
    double sum = 0;
    for (int i = begin; i < end; ++i) {
      const double overlap = width_[batch.family(i)] - segment_at(batch, request.q, i).D;
      if (!(overlap > 0)) continue;
      sum += 0.5 * stiffness_ * overlap * overlap;
      const math::Vector3<double> none = {0, 0, 0};
      if (request.gradient != nullptr) add_segment_force(batch, i, {none, -stiffness_ * overlap}, *request.gradient);
      if (request.hessian != nullptr) {
        formula::SegmentHessian<double> H{};
        H.DD = request.hessian_scale * stiffness_;
        add_segment_tangent(batch, i, H, *request.hessian);
      }
    }
    return sum;
  });
}

}  // namespace dashpot
