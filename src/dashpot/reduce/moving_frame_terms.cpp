#include "dashpot/reduce/moving_frame_terms.hpp"

#include "dashpot/model/inner_request.hpp"

namespace dashpot {
void add_corner(const Matrix& A, double scale, BlockMatrix& out) {
  const Eigen::Index n = out.pattern().block_size();
  Eigen::Map<Matrix>(out.block(0), n, n).topLeftCorner(A.rows(), A.cols()) += scale * A;
}

double MovingFrameEnergy::evaluate(const EnergyRequest& request) const {
  const Eigen::Index r = still_.num_dofs();
  const InnerEnergy inner = evaluate_in_full_coordinates(term_, still_, request.q.head(r), request);
  if (request.gradient) request.gradient->head(r) += inner.gradient;
  if (request.hessian)
    add_corner(Eigen::Map<const Matrix>(inner.hessian.block(0), r, r), request.hessian_scale, *request.hessian);
  return inner.value;
}

std::shared_ptr<DissipationTerm> MovingFrameDamping::remade(const double* values,
                                                            const Replacements& replacements) const {
  std::shared_ptr<const DissipationTerm> term = term_->remade(values, replacements);
  return term ? std::make_shared<MovingFrameDamping>(still_, std::move(term)) : nullptr;
}

State MovingFrameDamping::in_the_frame(const State& state) const {
  State inner;
  inner.q = state.q.head(still_.num_dofs());
  inner.v = state.v.head(still_.num_dofs());
  inner.a = Vector::Zero(still_.num_dofs());
  inner.time = state.time;
  return inner;
}

void MovingFrameDamping::begin_step(const State& state, TermScratch* scratch) const {
  term_->begin_step(in_the_frame(state), scratch);
}

double MovingFrameDamping::evaluate(const DissipationRequest& request) const {
  const Eigen::Index r = still_.num_dofs();
  const InnerDamping inner =
      evaluate_in_full_coordinates(*term_, still_, request.q.head(r), request.v.head(r), request);
  if (request.force) request.force->head(r) += inner.force;
  if (request.tangent) add_corner(Eigen::Map<const Matrix>(inner.tangent.block(0), r, r), 1, *request.tangent);
  for (const LowRank& part : inner.low_rank) request.low_rank->push_back(part);
  return inner.power;
}

}  // namespace dashpot
