#pragma once
// What a term offers besides its own interface. A term fills these in; whoever can use an offer reads it, and does
// without where it is null. Nobody finds out by casting, by comparing names or by looking for NaN.

namespace dashpot {

class ElementBatch;
class ExampleBased;
class ImpulsiveLoss;
class LaplacianSource;
class ModuliSource;
class OscillationResponse;
class PointLaw;
class ProjectiveForm;
class ProportionalDamping;
class ScalarDamping;
class StiffnessSource;
class StvkSource;
class ViscousOperator;

/// Offers of an energy.
struct EnergyCapabilities {
  const StiffnessSource* stiffness =
      nullptr;  ///< K at rest, projected, Gauss-Newton: for stiffness-proportional damping
  /// K of the known law under a correction, for dampings that do not follow what was learned; null: as `stiffness`.
  const StiffnessSource* nominal_stiffness = nullptr;
  const LaplacianSource* laplacian = nullptr;  ///< L = sum w G^T G: for Laplacian damping
  const ProjectiveForm* projective = nullptr;  ///< projections: for projective dynamics
  const StvkSource* stvk = nullptr;            ///< a polynomial of degree four in q: for exact reduction
  const ModuliSource* moduli = nullptr;        ///< small-strain moduli: for damping and memory in proportion to them
  const ElementBatch* batch =
      nullptr;  ///< its pass over these elements takes point laws along (EnergyRequest::companions)
};

/// Offers of a damping.
struct DissipationCapabilities {
  const ViscousOperator* viscous = nullptr;           ///< f = C v with C held over the step
  const ScalarDamping* scalar = nullptr;              ///< fits into the scalar matrix of projective dynamics
  const ImpulsiveLoss* impulsive = nullptr;           ///< explicit steppers take it as an impulse
  const ProportionalDamping* proportional = nullptr;  ///< C = sum_e alpha_e M_e + beta_e K_e
  const PointLaw* point_law = nullptr;  ///< a stress at each point of `batch`: may join the pass of an energy on it
  const ElementBatch* batch = nullptr;  ///< read only with point_law
  const OscillationResponse* oscillation = nullptr;  ///< what small oscillations meet of its memory, by frequency
  const ExampleBased* examples = nullptr;  ///< gains along given deformations, which design and reduction read
  /// The tangent is a symmetric sparse matrix plus low-rank parts, which alone may be non-symmetric. Such a System can
  /// still be solved by Cholesky (Woodbury takes any part) and by conjugate gradients (which take the symmetric parts),
  /// whatever DissipationTraits::symmetric says about the whole.
  bool has_low_rank_tangent = false;
};

}  // namespace dashpot
