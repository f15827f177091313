#pragma once
// Prony series (generalized Maxwell): beside the elastic law of a body, branches of a spring and a dashpot in series on
// the strain E of its elements, each with a share g_k of the body's small-strain moduli C and a relaxation time tau_k,
//     xi_k' = E' - xi_k / tau_k,   S = sum_k g_k C:xi_k,   f = sum_p w (dE/dq)^T S. (formula/relaxation.hpp)
// A held strain relaxes with sum g_k exp(-t/tau_k). Small oscillations at omega meet the complex moduli
//     C*(omega) = C (1 + sum_k g_k i omega tau_k / (1 + i omega tau_k)) = C' + i C'',   loss factor C''/C'.
// Strains: Green strain of tets and triangles, length of springs, angle of hinges.
//
// Memory: xi_k, a strain for each branch at each point, owned by State; zero, as at the start of every run, is a body
// that has been as it is for long. Within a stage the strain is taken to move evenly since the start of the step; at
// the end of a step of an integrator of order above two, as a cubic with the rates at both ends. So each integrator
// keeps its order (docs/theory/dissipation_memory.md has it measured).
//
// What it stores and what it loses are different things: v . f may be negative, when springs give back what they took.
// The ledger books their energy as elastic ("elastic.<body>.<model>") and only the rest of the work as lost.
//
// Claims: a rigid motion changes no stress; both momenta are kept; df/dv = 0 and df/dq is symmetric. Limits: moderate
// strains, as St. Venant-Kirchhoff; the geometric part of df/dq is not projected where springs are compressed. Bends of
// strands, whose size has no sign, cannot remember which way they were bent: they are refused.

#include <memory>
#include <string>
#include <vector>

#include "dashpot/dissipation/point_law_damping.hpp"
#include "dashpot/model/moduli_source.hpp"
#include "dashpot/model/oscillation_response.hpp"
#include "dashpot/model/tet_batch.hpp"

namespace dashpot {

class PronyLaw;

/// A spring and a dashpot in series.
struct PronyBranch {
  PartwiseValue share;  ///< g_k >= 0 of the moduli
  double tau = 0;       ///< relaxation time > 0 [s]
  std::string share_name = "share", tau_name = "tau";
  Quantity share_quantity = Quantity::number;
};

class PronySeries final : public PointLawDamping, public OscillationResponse {
 public:
  /// Branches in proportion to the energy's moduli. `model`: name in the ledger. dashpot::Error for numbers that are
  /// not finite, negative shares, relaxation times that are not positive, or bends without a sign.
  PronySeries(std::string model, std::string body, const ModuliSource& source, std::vector<PronyBranch> branches);
  /// In proportion to given moduli of elements.
  PronySeries(std::string model, std::string body, std::shared_ptr<ElementBatch> batch, Moduli moduli,
              std::vector<PronyBranch> branches);

  std::string model() const override { return model_; }
  DissipationTraits traits() const override;
  DissipationCapabilities capabilities() const override;
  ParameterList parameters() const override;
  std::shared_ptr<DissipationTerm> remade(const double* values, const Replacements& replacements) const override;
  int num_internal_variables() const override;
  double stored_energy(const Vector& internal_variables) const override;
  std::unique_ptr<TermScratch> make_scratch_beside(std::span<const EnergyScratch>) const override;
  void begin_step(const State& state, TermScratch* scratch) const override;
  std::complex<double> oscillation_work(const Vector& q, const Vector& u, std::complex<double> s,
                                        double amplitude) const override;

 private:
  void make_law(const Moduli& moduli);

  std::string model_;
  std::shared_ptr<ElementBatch> batch_;
  const ModuliSource* source_ = nullptr;
  Moduli given_;  ///< where there is no source
  std::vector<PronyBranch> branches_;
  std::shared_ptr<const PronyLaw> law_;
};

/// One Maxwell element of shear modulus G >= 0 [Pa] on the deviator of the Green strain of tets.
std::unique_ptr<PronySeries> make_maxwell(std::string body, std::shared_ptr<TetBatch> batch, PartwiseValue modulus,
                                          double tau);

}  // namespace dashpot
