#include "dashpot/dissipation/laplacian.hpp"

#include <Eigen/Geometry>

#include "dashpot/math/best_spin.hpp"

namespace dashpot {

LaplacianDamping::LaplacianDamping(std::string body, LaplacianParts parts)
    : body_(std::move(body)), matrix_(body_, std::move(parts)) {}

DissipationTraits LaplacianDamping::traits() const {
  DissipationTraits traits;
  const bool acts = matrix_.has_mass_part() || matrix_.has_laplacian_part();
  traits.objective = traits.keeps_angular_momentum = !acts;
  traits.keeps_linear_momentum = !matrix_.has_mass_part();
  traits.symmetric = true;
  traits.constant = true;
  return traits;
}

double LaplacianDamping::evaluate(const DissipationRequest& request) const {
  if (request.tangent && request.dv_scale != 0) matrix_.add_to(request.dv_scale, *request.tangent);
  const double keep = request.force_is_zero ? 0 : 1;
  if (request.force) return matrix_.set_product(request.v.data(), keep, request.force->data());
  Vector force(3 * matrix_.rows().size());
  return matrix_.set_product(request.v.data(), 0, force.data() - 3 * matrix_.rows().begin);
}

void LaplacianDamping::apply(const TermScratch*, const Eigen::Ref<const Matrix>& X, Matrix& CX) const {
  CX.resize(X.rows(), X.cols());
  const Eigen::Index first = 3 * matrix_.rows().begin;
  Vector x = Vector::Zero(matrix_.pattern().num_dofs());  // whole: rows may couple to what X is zero on
  for (Eigen::Index k = 0; k < X.cols(); ++k) {
    x.segment(first, X.rows()) = X.col(k);
    matrix_.set_product(x.data(), 0, CX.col(k).data() - first);
  }
}

std::shared_ptr<DissipationTerm> LaplacianDamping::remade(const double* values,
                                                          const Replacements& replacements) const {
  auto successor = std::make_shared<LaplacianDamping>(body_, matrix_.parts_with(values, replacements));
  successor->bind(matrix_.pattern());
  return successor;
}

ConservingLaplacianDamping::ConservingLaplacianDamping(std::string body, LaplacianParts parts, FreeRotation rotation)
    : body_(std::move(body)), matrix_(body_, std::move(parts)), rotation_(rotation) {}

DissipationTraits ConservingLaplacianDamping::traits() const {
  DissipationTraits traits;
  const bool keeps = !matrix_.has_mass_part();
  traits.objective = traits.keeps_linear_momentum = traits.keeps_angular_momentum = keeps;
  traits.symmetric = traits.constant = !matrix_.has_laplacian_part();
  return traits;
}

void ConservingLaplacianDamping::bind(const BlockPattern& pattern) {
  matrix_.bind(pattern);
  blocks_ = matrix_.laplacian_blocks();
}

std::shared_ptr<DissipationTerm> ConservingLaplacianDamping::remade(const double* values,
                                                                    const Replacements& replacements) const {
  auto successor =
      std::make_shared<ConservingLaplacianDamping>(body_, matrix_.parts_with(values, replacements), rotation_);
  successor->bind(matrix_.pattern());
  return successor;
}

BodySpin ConservingLaplacianDamping::body_spin(const Vector& q, const Vector& v) const {
  return find_body_spin(matrix_.pattern(), matrix_.laplacian(), blocks_, q, v);
}

void ConservingLaplacianDamping::add_rotation_part(const Vector& q, const Vector& v, Vector& f) const {
  if (!matrix_.has_laplacian_part()) return;
  if (rotation_ == FreeRotation::element) {
    matrix_.parts().laplacian->add_spin_force(q, v, matrix_.beta(), f);
    return;
  }
  const BodySpin spin = body_spin(q, v);
  for (const int i : blocks_) f.segment<3>(3 * i) += spin.omega.cross(Vec3(spin.y.segment<3>(3 * i)));
}

double ConservingLaplacianDamping::evaluate(const DissipationRequest& request) const {
  Vector own;
  const bool writes = request.force != nullptr && request.force_is_zero;
  Vector& force = writes ? *request.force : own;
  if (!writes) own.setZero(request.v.size());
  add_rotation_part(request.q, request.v, force);
  matrix_.set_product(request.v.data(), -1, force.data());
  const Eigen::Index first = 3 * matrix_.rows().begin, count = 3 * matrix_.rows().size();
  if (request.force && !writes) request.force->segment(first, count) += force.segment(first, count);
  if (request.tangent) {
    matrix_.add_to(request.dv_scale, *request.tangent);
    if (rotation_ == FreeRotation::element && matrix_.has_laplacian_part()) {
      matrix_.parts().laplacian->add_spin_tangent(request.q, request.v, matrix_.beta(), -request.dv_scale,
                                                  -request.dq_scale, *request.tangent);
    }
  }
  if (rotation_ == FreeRotation::global && matrix_.has_laplacian_part()) add_global_tangent(request);
  return request.v.segment(first, count).dot(force.segment(first, count));
}

/// With y = L r, u = L v:  de = domega x y + omega x L dr,
///     A domega = sum_i ( [y_i]x dv_i + ( [omega x y_i]x - [u_i]x - [y_i]x [omega]x ) dr_i ),
/// a part of rank 3 and one on the pattern of L.
void ConservingLaplacianDamping::add_global_tangent(const DissipationRequest& request) const {
  if (!request.tangent && !request.low_rank) return;
  const BodySpin spin = body_spin(request.q, request.v);
  Vector Lv = Vector::Zero(request.v.size());
  matrix_.add_laplacian_product(request.v.data(), Lv.data());
  const Mat3 turn = math::cross_matrix(spin.omega);
  if (request.tangent && request.dq_scale != 0)
    for (int s = matrix_.first_slot(); s < matrix_.end_slot(); ++s)
      Mat3::Map(request.tangent->block(s)) -= request.dq_scale * matrix_.laplacian()[s] * turn;
  if (!request.low_rank) return;
  const int first = matrix_.rows().begin;
  Matrix Y = Matrix::Zero(3 * matrix_.rows().size(), 3), Z = Y;
  for (const int i : blocks_) {
    const Vec3 y = spin.y.segment<3>(3 * i), u = Lv.segment<3>(3 * i);
    const Mat3 of_y = math::cross_matrix(y);
    Y.middleRows<3>(3 * (i - first)) = -of_y;
    const Mat3 in_q = math::cross_matrix(spin.omega.cross(y) - u) - of_y * turn;
    Z.middleRows<3>(3 * (i - first)) = (request.dv_scale * of_y + request.dq_scale * in_q).transpose();
  }
  request.low_rank->push_back({std::move(Y), Matrix(-spin.inverse), std::move(Z), {}, 3 * first});
}

}  // namespace dashpot
