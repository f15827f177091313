#pragma once
// Elastic energy of a St. Venant-Kirchhoff body in subspace coordinates, by exact polynomials (strain_forms.hpp).
// Energy, gradient and Hessian always come together; a run keeps the last few results in its scratch, so that asking
// for the force and later for the tangent at the same coordinates costs one pass over the coefficients. The same z
// gives the same bits with and without it.

#include <memory>

#include "dashpot/reduce/strain_forms.hpp"
#include "dashpot/reduce/subspace.hpp"

namespace dashpot {

class ReducedStvk final : public EnergyTerm {
 public:
  ReducedStvk(std::string body, std::shared_ptr<const StrainForms> forms);

  const std::string& body() const override { return body_; }
  void couple(PatternBuilder&) const override {}
  void bind(const BlockPattern&) override {}
  std::unique_ptr<TermScratch> make_scratch() const override;
  double evaluate(const EnergyRequest& request) const override;

  int size() const { return forms_->energy.num_variables() - 1; }
  const StrainForms& forms() const { return *forms_; }
  /// K~ at z: `rest` at z = 0, `tangent` with negative eigenvalues removed, `gauss_newton` without the geometric part
  /// (needs forms().pairs). scratch: as of EnergyRequest.
  Matrix stiffness(const Vector& z, StiffnessPart part, TermScratch* scratch = nullptr) const;
  /// How often the coefficients were read with this scratch so far.
  static std::uint64_t num_passes(const TermScratch& scratch);

 private:
  struct Point;
  struct Results;
  /// The point at z, evaluated unless it is kept.
  const Point& at(const Vector& z, Results& results) const;

  std::string body_;
  std::shared_ptr<const StrainForms> forms_;
};

}  // namespace dashpot
