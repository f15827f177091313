#pragma once
// A Maxwell element in every tet: a spring of shear modulus G [Pa] and a dashpot of viscosity G tau [Pa s] in series,
// on the deviator of the Green strain,
//     xi' = dev(E)' - xi / tau,   S = 2 G xi,   f_a = sum_p w F S g_a. (formula/maxwell_strain.hpp)
// Held strain relaxes with exp(-t/tau). For small oscillations at omega it adds to the shear modulus of the body
//     G'(omega) = G (omega tau)^2 / (1 + (omega tau)^2),   G''(omega) = G omega tau / (1 + (omega tau)^2).
//
// Memory: xi, the strain of the springs, six numbers a point, owned by State; zero, as at the start of every run, is a
// body that has been as it is for long. Over a stage of length dt the strain is taken to move evenly, which is exact
// for even strain rates and of second order otherwise.
//
// What it stores and what it loses are different things: v . f may be negative, when springs give back what they took.
// The ledger books their energy G xi:xi as elastic ("elastic.<body>.maxwell") and only the rest of the work as lost.
//
// Claims: a rigid motion changes no stress; both momenta are kept; df/dv = 0 and df/dq is symmetric. Limits: moderate
// strains, as St. Venant-Kirchhoff; the geometric part of df/dq is not projected where the springs are compressed.

#include <memory>
#include <string>

#include "dashpot/dissipation/point_law_damping.hpp"
#include "dashpot/model/tet_batch.hpp"

namespace dashpot {

class MaxwellLaw;

class Maxwell final : public PointLawDamping {
 public:
  /// Shear modulus G >= 0 [Pa] of the tets of the mesh, relaxation time tau > 0 [s]; dashpot::Error otherwise.
  Maxwell(std::string body, std::shared_ptr<TetBatch> batch, PartwiseValue modulus, double tau);

  std::string model() const override { return "maxwell"; }
  DissipationTraits traits() const override;
  ParameterList parameters() const override;
  std::shared_ptr<DissipationTerm> remade(const double* values, const Replacements& replacements) const override;
  int num_internal_variables() const override;
  double stored_energy(const Vector& internal_variables) const override;
  std::unique_ptr<TermScratch> make_scratch_beside(std::span<const EnergyScratch>) const override;
  void begin_step(const State& state, TermScratch* scratch) const override;

 private:
  std::shared_ptr<TetBatch> batch_;
  PartwiseValue modulus_;
  double tau_;
  std::shared_ptr<const MaxwellLaw> law_;
};

}  // namespace dashpot
