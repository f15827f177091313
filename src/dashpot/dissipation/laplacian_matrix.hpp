#pragma once
// The constant scalar matrix of Laplacian damping, D = alpha M + beta L, one number per slot of the System's pattern:
//     D = s_alpha sum_e alpha_e M_e + s_beta sum_j beta_j w_j G_j^T G_j        [N s/m]
// with alpha [1/s] per element of a MassSource and beta [s] per element of a LaplacianSource. The factors s are live:
// whoever shares them may turn them between steps.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "dashpot/model/projective_form.hpp"
#include "dashpot/model/terms.hpp"

namespace dashpot {

/// Factors on alpha and beta that may be exchanged between steps.
class LaplacianCoefficients {
 public:
  double alpha_scale() const { return alpha_scale_; }
  double beta_scale() const { return beta_scale_; }
  /// Throws dashpot::Error unless both are finite and >= 0.
  void set(double alpha_scale, double beta_scale);
  /// Grows when a factor changes.
  std::uint64_t revision() const { return revision_; }

 private:
  double alpha_scale_ = 1, beta_scale_ = 1;
  std::uint64_t revision_ = 0;
};

/// What a Laplacian damping is made of. Sources must outlive the term (all live in the same System); null: no such
/// part.
struct LaplacianParts {
  const MassSource* mass = nullptr;
  std::vector<double> alpha;  ///< [1/s], one per element of mass
  const LaplacianSource* laplacian = nullptr;
  std::vector<double> beta;  ///< [s], one per element of laplacian
  /// Shared with whoever turns the damping live; null: nobody does. A table that is given makes the term claim no
  /// constant matrix, so that steppers do not keep a factor.
  std::shared_ptr<LaplacianCoefficients> live = nullptr;
};

class LaplacianMatrix {
 public:
  /// Throws dashpot::Error with all problems: wrong sizes, negative or non-finite coefficients.
  LaplacianMatrix(const std::string& body, LaplacianParts parts);

  /// Sources must be bound before.
  void bind(const BlockPattern& pattern);
  const BlockPattern& pattern() const { return *pattern_; }
  const LaplacianParts& parts() const { return parts_; }
  /// Whether alpha or beta act at all.
  bool has_mass_part() const { return has_mass_part_; }
  bool has_laplacian_part() const { return has_laplacian_part_; }
  double alpha_scale() const { return parts_.live ? parts_.live->alpha_scale() : 1; }
  double beta_scale() const { return parts_.live ? parts_.live->beta_scale() : 1; }
  std::uint64_t revision() const { return parts_.live ? parts_.live->revision() : 0; }

  /// of_slot[s] += scale * D_s.
  void add_to(double scale, std::vector<double>& of_slot) const;
  /// tangent += scale * D (x) I.
  void add_to(double scale, BlockMatrix& tangent) const;
  /// y = D x + keep y, 3 numbers per block; y is not read where keep = 0. Returns x.D x. Bits do not depend on
  /// the thread count.
  double set_product(const double* x, double keep, double* y) const;
  /// y += beta L x alone.
  void add_laplacian_product(const double* x, double* y) const;
  /// L of all slots with beta, but without its live factor.
  const std::vector<double>& laplacian() const { return laplacian_; }
  /// beta L of a slot.
  double laplacian(int slot) const { return beta_scale() * laplacian_[static_cast<std::size_t>(slot)]; }
  /// Nodes that L couples, whatever the live factor.
  std::vector<int> laplacian_blocks() const;

 private:
  LaplacianParts parts_;
  bool has_mass_part_ = false, has_laplacian_part_ = false;
  std::shared_ptr<const BlockPattern> pattern_;
  std::vector<double> mass_, laplacian_;  ///< by slot, without the live factors
};

}  // namespace dashpot
