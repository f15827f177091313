#pragma once
// A homogeneous polynomial of degree four in N variables, with its gradient and Hessian in one pass over its unique
// coefficients:
//
//     P(z) = sum_{a<=b<=c<=d} k_abcd z_a z_b z_c z_d,     binomial(N + 3, 4) coefficients.
//
// Any polynomial of degree four becomes homogeneous by one more variable that is held at 1; the elastic energy of a St.
// Venant-Kirchhoff body is one in subspace coordinates [BarbicJames2005]. For each pair (a, b) the triangle S_cd =
// k_abcd is read once, with three multiply-adds a coefficient: y_c += S_cd z_d, y_d += S_cd z_c, H_cd += S_cd z_a z_b.
// What else is needed follows from y: H_ab += z.y/2, H_ae += z_b y_e, H_be += z_a y_e. Then by Euler's identity dP/dz =
// H z / 3 and P = z . H z / 12. Reading the coefficients is what it costs: 11.4 MB for 74 modes (N = 75).
//
// Storage: for each (a, b) the rows c >= b in groups of up to four rows (c / 4 equal), each group four columns d at a
// time beginning at the multiple of four at or below c; entries d < c and d >= N are zero. Sums are made over a fixed
// number of ranges of pairs: the same bits for every number of threads.

#include <cstddef>
#include <vector>

#include "dashpot/core/types.hpp"

namespace dashpot {

class QuarticForm {
 public:
  static constexpr int max_variables = 512;  ///< 2.9e9 coefficients; nobody has the memory for more

  QuarticForm() = default;
  explicit QuarticForm(int num_variables);  ///< all coefficients zero

  int num_variables() const { return num_variables_; }
  /// N padded to a multiple of four.
  int padded() const { return (num_variables_ + 3) / 4 * 4; }
  /// Unique coefficients, binomial(N + 3, 4).
  std::size_t num_coefficients() const;
  /// What evaluate() streams, padding included [bytes].
  std::size_t bytes() const { return static_cast<std::size_t>(values_.size()) * sizeof(double); }

  /// k of the monomial z_a z_b z_c z_d, a <= b <= c <= d.
  double& coefficient(int a, int b, int c, int d) { return values_.data()[position(a, b, c, d)]; }
  double coefficient(int a, int b, int c, int d) const { return values_.data()[position(a, b, c, d)]; }
  const Vector& values() const { return values_; }
  /// Takes values written by values() of a form with the same number of variables; false when the size differs.
  bool set_values(Vector values);

  /// Storage that evaluate() reuses; one per thread that calls it.
  struct Scratch {
    Vector parts, z;
  };
  /// z has N entries; gradient gets N, hessian N x N (both triangles). Returns P(z).
  double evaluate(const ConstVectorRef& z, Vector& gradient, Matrix& hessian, Scratch& scratch) const;

 private:
  std::size_t position(int a, int b, int c, int d) const;
  void make_layout();
  void run_range(int range, const double* z, double* part) const;

  int num_variables_ = 0;
  std::vector<std::size_t> pair_start_;  ///< of the triangle of pair (a, b), indexed by a * N + b
  std::vector<int> range_start_;         ///< pairs in the order (0,0), (0,1), ..., split into ranges of equal cost
  Vector values_;                        ///< aligned, as the kernel reads it
};

}  // namespace dashpot
