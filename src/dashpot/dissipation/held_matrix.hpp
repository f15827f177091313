#pragma once
// What every damping f = C v with a sparse C that is held over the step answers.

#include "dashpot/linsolve/block_columns.hpp"
#include "dashpot/model/terms.hpp"

namespace dashpot {

/// Adds the force and the tangent of C to what is wanted; returns the power v . C v [W].
inline double evaluate_held(const BlockMatrix& C, const BlockPattern& pattern, const DissipationRequest& request) {
  if (request.tangent) request.tangent->add_scaled(request.dv_scale, C);
  const DofRange dofs = pattern.layout().dofs(C.rows());
  const Eigen::Index first = dofs.begin, count = dofs.size();
  if (request.force && request.force_is_zero) {
    C.multiply(request.v, *request.force);
    return request.v.segment(first, count).dot(request.force->segment(first, count));
  }
  Matrix force;
  multiply_columns(C, request.v.segment(first, count), force);
  if (request.force) request.force->segment(first, count) += force.col(0);
  return request.v.segment(first, count).dot(force.col(0));
}

}  // namespace dashpot
