#include "rest_distance.hpp"

#include <algorithm>
#include <cmath>

#include "dashpot/math/polar3.hpp"

namespace dashpot::cli {

double distance_from_rest(const RecordedBody& body, const Frame& frame) {
  const auto n = body.mesh.nodes.size();
  const Vec3* now = frame.points.data() + body.first_point;
  Vec3 rest_center = Vec3::Zero(), center = Vec3::Zero();
  for (std::size_t i = 0; i < n; ++i) {
    rest_center += body.mesh.nodes[i] / static_cast<double>(n);
    center += now[i] / static_cast<double>(n);
  }
  Mat3 covariance = Mat3::Zero();
  for (std::size_t i = 0; i < n; ++i) covariance += (now[i] - center) * (body.mesh.nodes[i] - rest_center).transpose();
  math::Matrix3<double> F;
  std::copy_n(covariance.data(), 9, F.m);
  const math::Polar3<double> polar = math::polar3(F);
  Mat3 R;
  std::copy_n(polar.R.m, 9, R.data());
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += (now[i] - center - R * (body.mesh.nodes[i] - rest_center)).squaredNorm();
  return std::sqrt(sum / static_cast<double>(n));
}

render::Series rest_distance_series(const std::string& name, const Recording& recording, std::size_t body) {
  render::Series series{name, {}, {}};
  for (const Frame& frame : recording.frames) {
    series.x.push_back(frame.time);
    series.y.push_back(1000 * distance_from_rest(recording.bodies.at(body), frame));
  }
  return series;
}

}  // namespace dashpot::cli
