#pragma once
// Hysteresis (formula/hysteresis.hpp) in proportion to the stiffness of elements: a spring of the share g of it in
// series with a slider that begins to give at z_0. It loses the same whatever the speed: at most about 4 g c z_0 A a
// cycle of the amplitude A >> z_0. Small motions lose nothing and meet the stiffness 1 + g. Springs and hinges, which
// have one measure, follow Bouc and Wen; tets and triangles Dahl's model of their Green strain E, where z_0 is a size
// |E| = sqrt(E:E): S = g C:xi with C the elastic moduli, isotropic or not.
//
// Memory: z, one number, or xi, a strain at each point, owned by State; zero is a body that was never moved. The path
// is taken to go straight within a step and its stages; where it turns round within a step the error is of first order
// in that step.
//
// Claims: objective, keeps both momenta; df/dv = 0. df/dq is symmetric on springs and hinges. On tets and triangles it
// is not, because the way a strain goes on also shortens what is remembered of other ways: Newton gets that, which
// needs LU, or a symmetric stand-in. Not for bends of strands, whose size has no sign.

#include <memory>
#include <string>

#include "dashpot/dissipation/point_law_damping.hpp"
#include "dashpot/model/moduli_source.hpp"
#include "dashpot/model/oscillation_response.hpp"

namespace dashpot {

class BoucWenLaw;

struct BoucWenOptions {
  double share = 0;  ///< g >= 0
  double yield = 0;  ///< z_0 > 0: length over rest length of springs, size of strain, an angle [rad] of hinges
  int exponent = 1;  ///< n: 1 or 2; 1 of tets and triangles
  double delta = 1;  ///< 0: unloads as an elastic spring; 1: Dahl, as tets and triangles do
  /// Of tets and triangles: df/dq as it is, or a symmetric stand-in.
  bool has_exact_tangent = false;
};

class BoucWen final : public PointLawDamping, public OscillationResponse {
 public:
  /// dashpot::Error for numbers out of range and for bends without a sign.
  BoucWen(std::string model, std::string body, const ModuliSource& source, const BoucWenOptions& options);

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
  std::string model_;
  const ModuliSource* source_;
  BoucWenOptions options_;
  bool is_tensor_ = false;  ///< of tets or triangles
  std::shared_ptr<const BoucWenLaw> law_;
};

}  // namespace dashpot
