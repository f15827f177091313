#include "dashpot/dissipation/air_drag.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"

namespace dashpot {

AirDrag::AirDrag(std::string body, std::shared_ptr<TriangleBatch> surface, const AirDragOptions& options)
    : body_(std::move(body)), surface_(std::move(surface)), options_(options) {
  std::vector<Problem> problems;
  const auto expect = [&](bool good, const char* name, double value, const char* expected) {
    if (!good)
      problems.push_back({fmt::format("air_drag of '{}'", body_), fmt::format("{} = {}", name, value), expected, ""});
  };
  expect(options_.density >= 0 && std::isfinite(options_.density), "density [kg/m3]", options_.density, ">= 0");
  expect(options_.normal >= 0 && std::isfinite(options_.normal), "normal", options_.normal, ">= 0");
  expect(options_.tangential >= 0 && std::isfinite(options_.tangential), "tangential", options_.tangential, ">= 0");
  expect(options_.gust >= 0 && std::isfinite(options_.gust), "gust", options_.gust, ">= 0");
  expect(options_.period > 0 && std::isfinite(options_.period), "period [s]", options_.period, "> 0");
  expect(options_.wind.allFinite(), "wind [m/s]", options_.wind.norm(), "finite numbers");
  if (!problems.empty()) throw Error(problems);
}

DissipationTraits AirDrag::traits() const {
  DissipationTraits traits;
  traits.linear_in_velocity = traits.exact_in_place = false;
  return traits;
}

Vec3 AirDrag::wind(double time) const {
  return options_.wind * (1 + options_.gust * std::sin(2 * std::numbers::pi * time / options_.period));
}

double AirDrag::evaluate(const DissipationRequest& request) const {
  const Vec3 w = wind(request.time);
  const double half_density = 0.5 * options_.density;
  // Adds force and tangent of a triangle where `writes`.
  struct Powers {
    double of_body = 0, of_wind = 0;  ///< f . v and f . w
  };
  const auto of_triangle = [&](int i, bool writes) -> Powers {
    const int* blocks = surface_->blocks(i);
    const auto at_node = [&](const Vector& of, int a) -> Vec3 { return of.segment<3>(3 * blocks[a]); };
    const Vec3 x0 = at_node(request.q, 0);
    const Vec3 area_normal = 0.5 * (at_node(request.q, 1) - x0).cross(at_node(request.q, 2) - x0);
    const double area = area_normal.norm();
    if (!(area > 0)) return {};
    const Vec3 n = area_normal / area;
    const Vec3 v = (at_node(request.v, 0) + at_node(request.v, 1) + at_node(request.v, 2)) / 3, u = v - w;
    const double across = n.dot(u);
    const Vec3 along = u - across * n;
    const double slip = along.norm(), c_n = half_density * area * options_.normal,
                 c_t = half_density * area * options_.tangential;
    const Vec3 f = c_n * std::abs(across) * across * n + c_t * slip * along;
    if (writes && request.force != nullptr)
      for (int a = 0; a < 3; ++a) request.force->segment<3>(3 * blocks[a]) += f / 3;
    if (writes && request.tangent != nullptr && request.dv_scale != 0) {
      Mat3 C = 2 * c_n * std::abs(across) * n * n.transpose() + c_t * slip * (Mat3::Identity() - n * n.transpose());
      if (slip > 0) C += c_t / slip * along * along.transpose();
      C *= request.dv_scale / 9;
      for (int k = 0; k < 9; ++k) Mat3::Map(request.tangent->block(surface_->slots(i)[k])) += C;
    }
    return {f.dot(v), f.dot(w)};
  };
  const double power = surface_->sum_over_chunks([&](int begin, int end) {
    double sum = 0;
    for (int i = begin; i < end; ++i) sum += of_triangle(i, true).of_body;
    return sum;
  });
  if (request.driven_power != nullptr && !w.isZero(0))
    *request.driven_power += surface_->sum_over_chunks([&](int begin, int end) {
      double sum = 0;
      for (int i = begin; i < end; ++i) sum += of_triangle(i, false).of_wind;
      return sum;
    });
  return power;
}

ParameterList AirDrag::parameters() const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const Vec3& w = options_.wind;
  return {{"density", Quantity::density, {options_.density}},
          {"normal", Quantity::number, {options_.normal}},
          {"tangential", Quantity::number, {options_.tangential}},
          {"wind", Quantity::velocity, {w[0], w[1], w[2]}, -infinity, infinity}};
}

std::shared_ptr<DissipationTerm> AirDrag::remade(const double* values, const Replacements&) const {
  AirDragOptions others = options_;
  others.density = values[0];
  others.normal = values[1];
  others.tangential = values[2];
  others.wind = Vec3(values[3], values[4], values[5]);
  return std::make_shared<AirDrag>(body_, surface_, others);
}

}  // namespace dashpot
