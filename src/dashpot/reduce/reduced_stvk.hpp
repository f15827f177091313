#pragma once
// Elastic energy of a St. Venant-Kirchhoff body in subspace coordinates, by exact polynomials (strain_forms.hpp).
// Energy, gradient and Hessian always come together; the last few results are kept, so that asking for the force and
// later for the tangent at the same coordinates costs one pass over the coefficients.

#include <array>
#include <memory>
#include <mutex>

#include "dashpot/reduce/strain_forms.hpp"
#include "dashpot/reduce/subspace.hpp"

namespace dashpot {

class ReducedStvk final : public EnergyTerm {
 public:
  ReducedStvk(std::string body, std::shared_ptr<const StrainForms> forms);

  const std::string& body() const override { return body_; }
  void couple(PatternBuilder&) const override {}
  void bind(const BlockPattern&) override {}
  double evaluate(const EnergyRequest& request) const override;

  int size() const { return forms_->energy.num_variables() - 1; }
  const StrainForms& forms() const { return *forms_; }
  /// K~ at z: `rest` at z = 0, `tangent` with negative eigenvalues removed, `gauss_newton` without the geometric part
  /// (needs forms().pairs).
  Matrix stiffness(const Vector& z, StiffnessPart part) const;
  /// How often the coefficients were read so far.
  std::uint64_t num_passes() const;

 private:
  struct Point {
    Vector z;  ///< empty: unused
    Vector gradient;
    Matrix hessian;  ///< (r+1) x (r+1), of the homogenised form
    double energy = 0;
    std::uint64_t used = 0;
  };
  /// The point at z, evaluated unless it is kept; call with the mutex held.
  const Point& at(const Vector& z) const;

  std::string body_;
  std::shared_ptr<const StrainForms> forms_;
  // A memory of results, not state: the same z gives the same bits with and without it.
  mutable std::mutex mutex_;
  mutable std::array<Point, 8> points_;  ///< a converged Bathe step asks for z_n again after six others
  mutable QuarticForm::Scratch scratch_;
  mutable std::uint64_t clock_ = 0, num_passes_ = 0;
};

}  // namespace dashpot
