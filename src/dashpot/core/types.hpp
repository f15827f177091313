#pragma once
// Names for the few linear-algebra types and constants everybody uses.
// Vectors over degrees of freedom are column vectors; 3-vectors of node i occupy entries 3i, 3i+1, 3i+2.
// vec(F) of a matrix is always column-major: vec(F) = (F00, F10, F20, F01, ...).

#include <concepts>
#include <cstddef>
#include <limits>
#include <numbers>

#include <Eigen/Core>

namespace dashpot {

using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
using VectorRef = Eigen::Ref<Eigen::VectorXd>;
using ConstVectorRef = Eigen::Ref<const Eigen::VectorXd>;

/// Marks what was not measured or does not exist.
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double two_pi = 2 * std::numbers::pi;

/// Node, element and dof numbers are signed, as in mesh files and matrices; standard containers count in size_t.
template <std::signed_integral Int>
constexpr std::size_t at(Int i) {
  return static_cast<std::size_t>(i);
}

}  // namespace dashpot
