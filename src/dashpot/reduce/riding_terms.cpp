#include "dashpot/reduce/riding_terms.hpp"

namespace dashpot {
namespace {

Matrix padded(const Matrix& A) {
  Matrix out = Matrix::Zero(A.rows() + num_carried, A.cols());
  out.topRows(A.rows()) = A;
  return out;
}

}  // namespace

void add_corner(const Matrix& A, double scale, BlockMatrix& out) {
  const Eigen::Index n = out.pattern().block_size();
  Eigen::Map<Matrix>(out.block(0), n, n).topLeftCorner(A.rows(), A.cols()) += scale * A;
}

double RidingEnergy::evaluate(const EnergyRequest& request) const {
  const Vector z = request.q.head(still_.num_dofs());
  Vector gradient;
  BlockMatrix hessian;
  EnergyRequest inner{z};
  inner.time = request.time;
  inner.projection = request.projection;
  if (request.gradient) {
    gradient.setZero(z.size());
    inner.gradient = &gradient;
  }
  if (request.hessian) {
    hessian = BlockMatrix(still_.pattern());
    inner.hessian = &hessian;
  }
  const double value = term_.evaluate(inner);
  if (request.gradient) request.gradient->head(z.size()) += gradient;
  if (request.hessian)
    add_corner(Eigen::Map<const Matrix>(hessian.block(0), z.size(), z.size()), request.hessian_scale, *request.hessian);
  return value;
}

void RidingDamping::begin_step(const State& state, TermScratch* scratch) const {
  State inner;
  inner.q = state.q.head(still_.num_dofs());
  inner.v = state.v.head(still_.num_dofs());
  inner.a = Vector::Zero(still_.num_dofs());
  inner.time = state.time;
  term_.begin_step(inner, scratch);
}

double RidingDamping::evaluate(const DissipationRequest& request) const {
  const Eigen::Index r = still_.num_dofs();
  const Vector z = request.q.head(r), w = request.v.head(r);
  DissipationRequest inner{z, w, request.memory, request.dt, request.scratch};
  inner.time = request.time;
  inner.dv_scale = request.dv_scale;
  inner.dq_scale = request.dq_scale;
  inner.new_memory = request.new_memory;
  inner.driven_power = request.driven_power;
  Vector force;
  BlockMatrix tangent;
  std::vector<LowRank> low_rank;
  if (request.force) {
    force.setZero(r);
    inner.force = &force;
  }
  if (request.tangent) {
    tangent = BlockMatrix(still_.pattern());
    inner.tangent = &tangent;
    inner.low_rank = request.low_rank ? &low_rank : nullptr;
  }
  const double power = term_.evaluate(inner);
  if (request.force) request.force->head(r) += force;
  if (request.tangent) add_corner(Eigen::Map<const Matrix>(tangent.block(0), r, r), 1, *request.tangent);
  for (LowRank& part : low_rank) request.low_rank->push_back({padded(part.U), part.S, padded(part.V)});
  return power;
}

}  // namespace dashpot
