#pragma once
// How a stiffness changes with the shape: of K_e(q) v, v held, the derivative with respect to q. A damping that holds
// K at the start of a step (Rayleigh) pushes with a force that follows that start; sensitivities and adjoints need the
// derivative of all its elements at once, as a matrix that multiplies any number of columns.

#include <span>
#include <vector>

#include "dashpot/model/terms.hpp"

namespace dashpot {

/// A source with near values of its parameters, made of the one that is asked by `remade`: part of a difference.
struct NearStiffness {
  const StiffnessSource* source = nullptr;
  const std::vector<double>* element_scale = nullptr;
  double weight = 0;
  int column = 0;  ///< neighbors of one column stand side by side
};

class StiffnessSlope {
 public:
  virtual ~StiffnessSlope() = default;
  /// Whether add_stiffness_slope() may be asked for: also of every part of a sum of sources.
  virtual bool has_stiffness_slope() const { return true; }
  /// G += sum_e element_scale[e] d(K_e(q) v)/dq [N/m times the units of scale and v]; not symmetric. Nothing for
  /// `rest`, which does not change. by_stretches: where the scales follow the shape too, their derivatives by the
  /// principal stretches of each element, three numbers in descending order of the stretches; null: they do not.
  virtual void add_stiffness_slope(const Vector& q, StiffnessPart part, const Vector& v,
                                   const std::vector<double>& element_scale, const double* by_stretches,
                                   BlockMatrix& G) const = 0;
  /// Whether by_stretches may be given.
  virtual bool has_slope_of_scales() const { return false; }
  /// columns.col(near.column) += near.weight sum_e near.element_scale[e] K_e(q) v with the K_e of each neighbor: all
  /// in one pass that looks at the shape once. False: not offered, and nothing was added.
  virtual bool add_near_forces(const Vector& q, StiffnessPart part, const Vector& v,
                               std::span<const NearStiffness> neighbors, Matrix& columns) const {
    return static_cast<void>(q), static_cast<void>(part), static_cast<void>(v), static_cast<void>(neighbors),
           static_cast<void>(columns), false;
  }
  /// g += d(w . sum_e element_scale[e] K_e(q) v)/dq: G^T w without G, for a right side or two. False: not offered, and
  /// nothing was added.
  virtual bool add_slope_product(const Vector& q, StiffnessPart part, const Vector& v, const Vector& w,
                                 const std::vector<double>& element_scale, const double* by_stretches,
                                 Vector& g) const {
    return static_cast<void>(q), static_cast<void>(part), static_cast<void>(v), static_cast<void>(w),
           static_cast<void>(element_scale), static_cast<void>(by_stretches), static_cast<void>(g), false;
  }
  /// products[near.column] += w . (what add_near_forces() adds to that column), columns below num_columns. False: not
  /// offered, and nothing was added.
  virtual bool add_near_products(const Vector& q, StiffnessPart part, const Vector& v, const Vector& w,
                                 std::span<const NearStiffness> neighbors, int num_columns, double* products) const {
    return static_cast<void>(q), static_cast<void>(part), static_cast<void>(v), static_cast<void>(w),
           static_cast<void>(neighbors), static_cast<void>(num_columns), static_cast<void>(products), false;
  }
};

/// The slope of a source; null: it does not tell it, and differences have to do.
inline const StiffnessSlope* slope_of(const StiffnessSource* source) {
  const auto* slope = dynamic_cast<const StiffnessSlope*>(source);
  return slope != nullptr && slope->has_stiffness_slope() ? slope : nullptr;
}

}  // namespace dashpot
