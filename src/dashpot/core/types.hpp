#pragma once
// Names for the few linear-algebra types everybody uses.
// Vectors over degrees of freedom are column vectors; 3-vectors of node i occupy entries 3i, 3i+1, 3i+2.
// vec(F) of a matrix is always column-major: vec(F) = (F00, F10, F20, F01, ...).

#include <Eigen/Core>

namespace dashpot {

using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
using VectorRef = Eigen::Ref<Eigen::VectorXd>;
using ConstVectorRef = Eigen::Ref<const Eigen::VectorXd>;

}  // namespace dashpot
