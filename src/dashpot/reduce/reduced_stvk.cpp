#include "dashpot/reduce/reduced_stvk.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cassert>

namespace dashpot {

ReducedStvk::ReducedStvk(std::string body, std::shared_ptr<const StrainForms> forms)
    : body_(std::move(body)), forms_(std::move(forms)) {}

const ReducedStvk::Point& ReducedStvk::at(const Vector& z) const {
  for (Point& point : points_)
    if (point.z.size() == z.size() && point.z == z) {
      point.used = ++clock_;
      return point;
    }
  Point& oldest =
      *std::min_element(points_.begin(), points_.end(), [](const Point& a, const Point& b) { return a.used < b.used; });
  Vector one_z(z.size() + 1);
  one_z << 1, z;
  oldest.energy = forms_->energy.evaluate(one_z, oldest.gradient, oldest.hessian, scratch_);
  ++num_passes_;
  oldest.z = z;
  oldest.used = ++clock_;
  return oldest;
}

double ReducedStvk::evaluate(const EnergyRequest& request) const {
  const int r = size();
  assert(request.q.size() == r);
  const std::lock_guard<std::mutex> lock(mutex_);
  const Point& point = at(request.q);
  if (request.gradient) *request.gradient += point.gradient.tail(r);
  if (request.hessian) {
    if (request.projection == Projection::none)
      Eigen::Map<Matrix>(request.hessian->block(0), r, r) +=
          request.hessian_scale * point.hessian.bottomRightCorner(r, r);
    else
      add_dense(positive_part(point.hessian.bottomRightCorner(r, r)), request.hessian_scale, *request.hessian);
  }
  return point.energy;
}

Matrix ReducedStvk::stiffness(const Vector& z, StiffnessPart part) const {
  const int r = size();
  const std::lock_guard<std::mutex> lock(mutex_);
  Matrix K = at(part == StiffnessPart::rest ? Vector(Vector::Zero(r)) : z).hessian.bottomRightCorner(r, r);
  if (part == StiffnessPart::gauss_newton) {
    assert(!forms_->pairs.empty());
    Vector one_z(r + 1);
    one_z << 1, z;
    Matrix geometric;
    forms_->pairs.geometric(one_z, geometric);
    K -= geometric.bottomRightCorner(r, r);
  }
  if (part == StiffnessPart::tangent && Eigen::LLT<Matrix>(K).info() != Eigen::Success) K = positive_part(K);
  return K;
}

std::uint64_t ReducedStvk::num_passes() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return num_passes_;
}

}  // namespace dashpot
