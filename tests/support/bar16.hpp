#pragma once
// BAR16 of the reference (ABCE, section 0): a Kuhn bar of 3 x 1 x 1 unit cubes, density 1, lumped mass, ARAP with
// mu = 200 (weights 2 mu V), h = 0.01.

#include <functional>
#include <memory>

#include "dashpot/dissipation/laplacian_matrix.hpp"
#include "dashpot/model/nodal_inertia.hpp"
#include "dashpot/model/system.hpp"
#include "dashpot/model/tet_batch.hpp"

namespace dashpot::testing {

struct Bar16 {
  static constexpr double mu = 200, h = 0.01, beta = 0.002;
  /// What a damping may be made of.
  struct Parts {
    std::shared_ptr<ElementMass> mass;
    std::shared_ptr<TetBatch> batch;
    const LaplacianSource* laplacian = nullptr;
    Vector rest;
    /// alpha M + beta L.
    LaplacianParts laplacian_parts(double alpha, double beta) const;
  };
  using Damping = std::function<std::unique_ptr<DissipationTerm>(const Parts&)>;
  using Filter = std::function<std::unique_ptr<VelocityFilter>(const Parts&)>;

  struct Options {
    bool elastic = true;      ///< false: masses alone
    bool consistent = false;  ///< mass
    bool mid_nodes = false;   ///< tets of 10 nodes
    Damping damping;
    Filter filter;
  };
  explicit Bar16(const Options& options);
  explicit Bar16(Damping damping = nullptr) : Bar16(Options{true, false, false, std::move(damping), nullptr}) {}

  /// x = X + .05 rnd(3i+c), v = rnd(50+3i+c).
  Vector noisy_q() const, noisy_v() const;
  /// (0,0,2) x (X - xc) + .3 rnd(50+..), without its momentum.
  Vector spinning_v() const;
  Vec3 center(const Vector& q) const;
  /// About the center of mass.
  Vec3 angular_momentum(const Vector& q, const Vector& v) const;

  Vector nodal_mass;
  std::shared_ptr<const System> system;
};

}  // namespace dashpot::testing
