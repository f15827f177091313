#include "support/laplacian_sources.hpp"

#include "dashpot/math/best_spin.hpp"

namespace dashpot::testing {
namespace {

Mat3 gradient_of(const TetBatch& batch, int i, int p, const Vector& x) {
  Mat3 F = Mat3::Zero();
  for (int a = 0; a < batch.nodes_per_tet(); ++a)
    F += x.segment<3>(3 * batch.blocks(i)[a]) * batch.gradient(i, p, a).transpose();
  return F;
}

}  // namespace

void ReferenceTetLaplacian::add_laplacian(const std::vector<double>& element_scale,
                                          std::vector<double>& of_slot) const {
  const int n = batch_->nodes_per_tet();
  for (int i = 0; i < batch_->num_tets(); ++i)
    for (int p = 0; p < batch_->num_points(); ++p) {
      const double w = element_scale[static_cast<std::size_t>(batch_->original(i))] * 2 * mu_ * batch_->weight(i, p);
      for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b)
          of_slot[static_cast<std::size_t>(batch_->slots(i)[a * n + b])] +=
              w * batch_->gradient(i, p, a).dot(batch_->gradient(i, p, b));
    }
}

void ReferenceTetLaplacian::add_spin_force(const Vector& q, const Vector& v, const std::vector<double>& element_scale,
                                           Vector& f) const {
  for (int i = 0; i < batch_->num_tets(); ++i)
    for (int p = 0; p < batch_->num_points(); ++p) {
      const double w = element_scale[static_cast<std::size_t>(batch_->original(i))] * 2 * mu_ * batch_->weight(i, p);
      const Mat3 F = gradient_of(*batch_, i, p, q);
      const math::ElementSpin spin = math::element_spin(F, gradient_of(*batch_, i, p, v));
      for (int a = 0; a < batch_->nodes_per_tet(); ++a)
        f.segment<3>(3 * batch_->blocks(i)[a]) +=
            w * (math::cross_matrix(spin.omega) * (F * batch_->gradient(i, p, a)));
    }
}

void ReferenceTetLaplacian::add_spin_tangent(const Vector& q, const Vector& v, const std::vector<double>& element_scale,
                                             double dv_scale, double dq_scale, BlockMatrix& tangent) const {
  const int n = batch_->nodes_per_tet();
  for (int i = 0; i < batch_->num_tets(); ++i)
    for (int p = 0; p < batch_->num_points(); ++p) {
      const double w = element_scale[static_cast<std::size_t>(batch_->original(i))] * 2 * mu_ * batch_->weight(i, p);
      const Mat3 F = gradient_of(*batch_, i, p, q), Fdot = gradient_of(*batch_, i, p, v);
      const math::ElementSpin spin = math::element_spin(F, Fdot);
      const Mat3 strain_rate = Fdot - math::cross_matrix(spin.omega) * F;
      for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b) {
          const Vec3 ga = batch_->gradient(i, p, a), gb = batch_->gradient(i, p, b);
          Mat3::Map(tangent.block(batch_->slots(i)[a * n + b])) +=
              w * (dv_scale * math::spin_force_dv(spin, F * ga, F * gb) +
                   dq_scale * math::spin_force_dq(spin, F * ga, F * gb, strain_rate * gb, ga.dot(gb)));
        }
    }
}

void EdgeLaplacian::add_laplacian(const std::vector<double>& element_scale, std::vector<double>& of_slot) const {
  const double w = weight_ * element_scale[0];  // slots (0,0), (0,1), (1,0), (1,1)
  of_slot[0] += w;
  of_slot[1] -= w;
  of_slot[2] -= w;
  of_slot[3] += w;
}

void EdgeLaplacian::add_spin_force(const Vector& q, const Vector& v, const std::vector<double>& element_scale,
                                   Vector& f) const {
  const Vec3 g = q.segment<3>(3) - q.head<3>(), rate = v.segment<3>(3) - v.head<3>();
  const Vec3 turning = weight_ * element_scale[0] * (rate - g * g.dot(rate) / g.squaredNorm());
  f.head<3>() -= turning;
  f.segment<3>(3) += turning;
}

void EdgeLaplacian::add_spin_tangent(const Vector& q, const Vector& v, const std::vector<double>& element_scale,
                                     double dv_scale, double dq_scale, BlockMatrix& tangent) const {
  const Vec3 g = q.segment<3>(3) - q.head<3>(), rate = v.segment<3>(3) - v.head<3>();
  const Mat3 block =
      weight_ * element_scale[0] * (dv_scale * math::line_spin_dv(g) + dq_scale * math::line_spin_dq(g, rate));
  for (int s = 0; s < 4; ++s) Mat3::Map(tangent.block(s)) += (s == 0 || s == 3 ? 1.0 : -1.0) * block;
}

}  // namespace dashpot::testing
