#include "dashpot/reduce/reduced_stvk.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cassert>

namespace dashpot {

ReducedStvk::ReducedStvk(std::string body, std::shared_ptr<const StrainForms> forms)
    : body_(std::move(body)), forms_(std::move(forms)) {}

struct ReducedStvk::Point {
  Vector z;  ///< empty: unused
  Vector gradient;
  Matrix hessian;  ///< (r+1) x (r+1), of the homogenized form
  double energy = 0;
  std::uint64_t used = 0;
};

struct ReducedStvk::Results final : TermScratch {
  std::array<Point, 8> points;  ///< a converged Bathe step asks for z_n again after six others
  QuarticForm::Scratch buffers;
  std::uint64_t clock = 0, num_passes = 0;
};

std::unique_ptr<TermScratch> ReducedStvk::make_scratch() const { return std::make_unique<Results>(); }

const ReducedStvk::Point& ReducedStvk::at(const Vector& z, Results& results) const {
  for (Point& point : results.points)
    if (point.z.size() == z.size() && point.z == z) {
      point.used = ++results.clock;
      return point;
    }
  Point& oldest = *std::min_element(results.points.begin(), results.points.end(),
                                    [](const Point& a, const Point& b) { return a.used < b.used; });
  Vector one_z(z.size() + 1);
  one_z << 1, z;
  oldest.energy = forms_->energy.evaluate(one_z, oldest.gradient, oldest.hessian, results.buffers);
  ++results.num_passes;
  oldest.z = z;
  oldest.used = ++results.clock;
  return oldest;
}

double ReducedStvk::evaluate(const EnergyRequest& request) const {
  const int r = size();
  assert(request.q.size() == r);
  Results own;
  const Point& point = at(request.q, request.scratch != nullptr ? static_cast<Results&>(*request.scratch) : own);
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

Matrix ReducedStvk::stiffness(const Vector& z, StiffnessPart part, TermScratch* scratch) const {
  const int r = size();
  Results own;
  const Vector where = part == StiffnessPart::rest ? Vector(Vector::Zero(r)) : z;
  Matrix K = at(where, scratch != nullptr ? static_cast<Results&>(*scratch) : own).hessian.bottomRightCorner(r, r);
  if (part == StiffnessPart::gauss_newton) {
    assert(!forms_->pairs.empty());
    Vector one_z(r + 1);
    one_z << 1, z;
    Matrix geometric;
    forms_->pairs.geometric(one_z, geometric);
    K -= geometric.bottomRightCorner(r, r);
  }
  if (part == StiffnessPart::projected_tangent && Eigen::LLT<Matrix>(K).info() != Eigen::Success) K = positive_part(K);
  return K;
}

std::uint64_t ReducedStvk::num_passes(const TermScratch& scratch) {
  return static_cast<const Results&>(scratch).num_passes;
}

}  // namespace dashpot
