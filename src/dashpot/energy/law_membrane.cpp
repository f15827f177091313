// The passes of TriangleMembrane over its triangles, four at a time.
//
// The nearest matrix of orthonormal columns to F = [f1 f2] comes without singular values: with n the unit normal
// f1 x f2 / d, d = |f1 x f2|,
//     R = ( F + [f2 x n, n x f1] ) / sqrt(|f1|^2 + |f2|^2 + 2 d),
// because F = R S in the plane of its columns, S + adj(S) = tr(S) I and tr(S)^2 = tr(F^T F) + 2 det(S). Digits are lost
// with |F|^2/d; triangles flatter than 1e-4, and those beyond their strain limits, take the singular values. So do
// tangents.
//
// Floor of forces: three nodes gathered and scattered, some 80 operations: 6-7 ns a triangle on one core.

#include <algorithm>

#include "dashpot/element/sheet_pass.hpp"
#include "dashpot/energy/membrane_tangent.hpp"
#include "dashpot/energy/triangle_membrane.hpp"
#include "dashpot/math/thin_svd.hpp"
#include "dashpot/math/vector3.hpp"

namespace dashpot {
namespace {

using math::Matrix32;
using math::Pack4;
using math::select;

constexpr double least_flatness = 1e-4;  // d / |F|^2 of triangles that need no singular values

using Packed3 = math::Vector3<Pack4>;

void set_lane(Packed3& v, int lane, const Vec3& a) { v.x.set(lane, a.x()), v.y.set(lane, a.y()), v.z.set(lane, a.z()); }
Vec3 lane_of(const Packed3& v, int l) { return {v.x[l], v.y[l], v.z[l]}; }

struct Columns {
  Packed3 first, second;
};
[[gnu::always_inline]] inline Columns columns(const Matrix32<Pack4>& F) {
  return {{F(0, 0), F(1, 0), F(2, 0)}, {F(0, 1), F(1, 1), F(2, 1)}};
}
[[gnu::always_inline]] inline Matrix32<Pack4> matrix(const Columns& P) {
  return {{P.first.x, P.first.y, P.first.z, P.second.x, P.second.y, P.second.z}};
}

/// Where one lane needs its singular values: w R + w' U clamp(s) V^T, and the energy.
struct Exact {
  math::Mat32 target;
  double energy = 0;
};
Exact by_singular_values(const Columns& F, const MembranePack& pack, int lane) {
  math::Mat32 of_lane;
  of_lane << lane_of(F.first, lane), lane_of(F.second, lane);
  const math::ThinSvd svd = math::thin_svd(of_lane);
  Exact exact;
  Eigen::Vector2d target;
  for (int i = 0; i < 2; ++i) {
    const double s = svd.s[i], clamped = std::clamp(s, pack.least[lane], pack.most[lane]);
    target[i] = pack.stretch[lane] + pack.limit[lane] * clamped;
    exact.energy += 0.5 * (pack.stretch[lane] * (s - 1) * (s - 1) + pack.limit[lane] * (s - clamped) * (s - clamped));
  }
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 2; ++column)
      exact.target(row, column) =
          svd.U(row, 0) * target[0] * svd.V(column, 0) + svd.U(row, 1) * target[1] * svd.V(column, 1);
  return exact;
}

/// w R + w' U clamp(s) V^T of four triangles, and their energies.
[[gnu::always_inline]] inline Columns target_of(const Columns& F, const MembranePack& pack, bool has_limits,
                                                Pack4& energy) {
  const Pack4 squares = dot(F.first, F.first) + dot(F.second, F.second);
  const Packed3 normal = cross(F.first, F.second);
  const Pack4 d = sqrt(dot(normal, normal)), t = sqrt(squares + Pack4(2.0) * d);
  math::Mask4 is_plain = d > Pack4(least_flatness) * squares;
  if (has_limits) {
    const Pack4 larger = Pack4(0.5) * (t + sqrt(max(squares - Pack4(2.0) * d, Pack4(0.0))));
    is_plain = is_plain && ((larger <= pack.most && d >= pack.least * larger) || pack.limit <= Pack4(0.0));
  }
  const Packed3 n = (Pack4(1.0) / d) * normal;
  const Pack4 over = Pack4(1.0) / t;
  const Columns R{over * (F.first + cross(F.second, n)), over * (F.second + cross(n, F.first))};
  const Packed3 away1 = F.first - R.first, away2 = F.second - R.second;
  energy = Pack4(0.5) * pack.stretch * (dot(away1, away1) + dot(away2, away2));
  Columns target{pack.stretch * R.first, pack.stretch * R.second};
  if (has_limits) target = {target.first + pack.limit * F.first, target.second + pack.limit * F.second};
  if (all(is_plain)) return target;
  for (int lane = 0; lane < 4; ++lane) {
    if (is_plain.v[lane] != 0) continue;
    const Exact exact = by_singular_values(F, pack, lane);
    set_lane(target.first, lane, exact.target.col(0));
    set_lane(target.second, lane, exact.target.col(1));
    energy.set(lane, exact.energy);
  }
  return target;
}

/// What of `rate` is rotation: omega x F. The columns of F span a plane of normal n. Rates across the plane are
/// rotation as a whole, those within it as far as they turn about n:
///     omega x f_k = n (n . rate_k) + omega_n n x f_k,    omega_n = sum_k n . (f_k x rate_k) / sum_k |f_k|^2.
/// Where F has rank one, the smallest omega that fits.
[[gnu::always_inline]] inline Columns turning_part(const Columns& F, const Columns& rate) {
  const Packed3 normal = cross(F.first, F.second), across1 = cross(normal, F.first), across2 = cross(normal, F.second);
  const Pack4 size = dot(F.first, F.first) + dot(F.second, F.second), area = dot(normal, normal);
  const math::Mask4 has_plane = area > Pack4(1e-24) * size * size;
  const Pack4 over = Pack4(1.0) / select(has_plane, area * size, Pack4(1.0));
  const Pack4 along = size * over;  // 1 / area: normal normal^T / area is the projector
  const Pack4 about = over * (dot(across1, rate.first) + dot(across2, rate.second));
  Columns turned{(along * dot(normal, rate.first)) * normal + about * across1,
                 (along * dot(normal, rate.second)) * normal + about * across2};
  if (all(has_plane)) return turned;
  const Packed3 moment = cross(F.first, rate.first) + cross(F.second, rate.second);
  const Packed3 omega = (Pack4(1.0) / select(size > Pack4(0.0), size, Pack4(1.0))) * moment;
  const Columns thin{cross(omega, F.first), cross(omega, F.second)};
  const auto choose = [&](const Packed3& a, const Packed3& b) -> Packed3 {
    return {select(has_plane, a.x, b.x), select(has_plane, a.y, b.y), select(has_plane, a.z, b.z)};
  };
  return {choose(turned.first, thin.first), choose(turned.second, thin.second)};
}

}  // namespace

double TriangleMembrane::run(const SheetTask<Tangent>& task) const {
  const auto elastic = [&](int p, const Matrix32<Pack4>& F, Matrix32<Pack4>& P) {
    const MembranePack pack(packs_.data() + 16 * p);
    Pack4 energy;
    const Matrix32<Pack4> target = matrix(target_of(columns(F), pack, has_limits_, energy));
    const Pack4 w = pack.stretch + pack.limit;
    for (int k = 0; k < 6; ++k) P.m[k] = w * F.m[k] - target.m[k];
    return energy;
  };
  const auto blocks = [&](int p, const Matrix32<Pack4>& F, Pack4 scale, Pack4* K) {
    const MembraneFrame frame = membrane_frame(F);
    const MembranePack pack(packs_.data() + 16 * p);
    const MembraneTangent t = task.kind == Tangent::gauss_newton
                                  ? membrane_gauss_newton(pack, frame)
                                  : membrane_tangent(pack, frame, task.kind == Tangent::projected);
    membrane_blocks(t, frame, batch_->pack_gradients(p), scale, K);
  };
  return batch_->sum_over_chunks(
      [&](int begin, int end) { return kernel::run_sheets(*batch_, task, begin, end, elastic, blocks); });
}

double TriangleMembrane::evaluate(const EnergyRequest& request) const {
  SheetTask<Tangent> task;
  task.q = request.q.data();
  task.gradient = request.gradient != nullptr ? request.gradient->data() : nullptr;
  task.stiffness = request.hessian;
  task.stiffness_scale = request.hessian_scale;
  task.kind = request.projection == Projection::none ? Tangent::exact : Tangent::projected;
  const SheetCompany company(request.companions);
  if (!company.is_empty()) task.company = &company;
  return run(task);
}

void TriangleMembrane::add_stiffness(const Vector& q, StiffnessPart part, const std::vector<double>& element_scale,
                                     BlockMatrix& K) const {
  SheetTask<Tangent> task;
  task.q = part == StiffnessPart::rest ? rest_.data() : q.data();
  task.stiffness = &K;
  task.element_scale = element_scale.data();
  task.kind = part == StiffnessPart::gauss_newton ? Tangent::gauss_newton : Tangent::projected;
  run(task);
}

void TriangleMembrane::add_projection(const Vector& q, TermScratch*, Vector& f) const {
  batch_->for_each_chunk([&](int begin, int end) {
    for (int p = begin / 4; p < (end + 3) / 4; ++p) {
      const int lanes = kernel::lanes_in_use(*batch_, p);
      const Columns F = columns(kernel::gather_sheet(*batch_, q.data(), p, lanes));
      Pack4 energy;
      const Columns target = target_of(F, MembranePack(packs_.data() + 16 * p), has_limits_, energy);
      kernel::scatter_sheet_force(*batch_, p, lanes, matrix(target), f.data());
    }
  });
}

void TriangleMembrane::add_spin_force(const Vector& q, const Vector& v, const std::vector<double>& element_scale,
                                      Vector& f) const {
  batch_->for_each_chunk([&](int begin, int end) {
    for (int p = begin / 4; p < (end + 3) / 4; ++p) {
      const int lanes = kernel::lanes_in_use(*batch_, p);
      const MembranePack pack(packs_.data() + 16 * p);
      const Pack4 w = kernel::pack_scale(*batch_, element_scale.data(), p, lanes) * (pack.stretch + pack.limit);
      const Columns turned = turning_part(columns(kernel::gather_sheet(*batch_, q.data(), p, lanes)),
                                          columns(kernel::gather_sheet(*batch_, v.data(), p, lanes)));
      const Columns P{w * turned.first, w * turned.second};
      kernel::scatter_sheet_force(*batch_, p, lanes, matrix(P), f.data());
    }
  });
}

}  // namespace dashpot
