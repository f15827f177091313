#pragma once
// The constant scalar matrix of Laplacian damping, D = alpha M + beta L, one number per slot of the System's pattern:
//     D = sum_e alpha_e M_e + sum_j beta_j w_j G_j^T G_j        [N s/m]
// with alpha [1/s] per element of a MassSource and beta [s] per element of a LaplacianSource.

#include <memory>
#include <string>
#include <vector>

#include "dashpot/model/projective_form.hpp"
#include "dashpot/model/terms.hpp"

namespace dashpot {

/// What a Laplacian damping is made of. Sources must outlive the term (all live in the same System); null: no such
/// part.
struct LaplacianParts {
  const MassSource* mass = nullptr;
  PartwiseValue alpha;  ///< [1/s], of the elements of mass
  const LaplacianSource* laplacian = nullptr;
  PartwiseValue beta;  ///< [s], of the elements of laplacian
};

class LaplacianMatrix {
 public:
  /// Throws dashpot::Error with all problems: wrong sizes, negative or non-finite coefficients.
  LaplacianMatrix(const std::string& body, LaplacianParts parts);

  /// Sources must be bound before.
  void bind(const BlockPattern& pattern);
  const BlockPattern& pattern() const { return *pattern_; }
  /// The rows that alpha or beta act on; known after bind().
  const BlockRange& rows() const { return rows_; }
  const LaplacianParts& parts() const { return parts_; }
  /// Whether alpha or beta act at all.
  bool has_mass_part() const { return has_mass_part_; }
  bool has_laplacian_part() const { return has_laplacian_part_; }
  /// beta of every element of the LaplacianSource [s].
  const std::vector<double>& beta() const { return beta_; }
  ParameterList parameters() const;
  /// What it is made of, with other values of its parameters.
  LaplacianParts parts_with(const double* values, const Replacements& replacements) const;

  /// of_slot[s] += scale * D_s.
  void add_to(double scale, std::vector<double>& of_slot) const;
  /// tangent += scale * D (x) I.
  void add_to(double scale, BlockMatrix& tangent) const;
  /// y = D x + keep y on its rows, 3 numbers per block; x and y are vectors of all blocks, y is not read where keep =
  /// 0. Returns x.D x. Bits do not depend on the thread count.
  double set_product(const double* x, double keep, double* y) const;
  /// y += beta L x alone.
  void add_laplacian_product(const double* x, double* y) const;
  /// The slots of its rows.
  int first_slot() const { return first_slot_; }
  int end_slot() const { return end_slot_; }
  /// beta L: of slot s it is laplacian()[s], for the slots of its rows.
  const double* laplacian() const { return laplacian_.data() - first_slot_; }
  /// Nodes that beta L couples.
  std::vector<int> laplacian_blocks() const;

 private:
  /// scale * D of a slot.
  double scaled(double scale, int slot) const {
    const std::size_t s = at(slot - first_slot_);
    return (mass_.empty() ? 0.0 : scale * mass_[s]) + scale * laplacian_[s];
  }

  LaplacianParts parts_;
  std::vector<double> alpha_, beta_;  ///< by element
  bool has_mass_part_ = false, has_laplacian_part_ = false;
  std::shared_ptr<const BlockPattern> pattern_;
  BlockRange rows_;
  int first_slot_ = 0, end_slot_ = 0;     ///< of the rows
  std::vector<double> mass_, laplacian_;  ///< by slot from first_slot_ on; no mass: empty
};

}  // namespace dashpot
