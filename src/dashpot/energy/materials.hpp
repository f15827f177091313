#pragma once
// Makes the elastic energy of a body from a material. Parameters are per mesh element: `of_element[e]` picks one of the
// given materials (one per region); empty: the first for all. Bad parameters throw Error, all problems at once.

#include <memory>
#include <string>
#include <vector>

#include "dashpot/energy/isotropic_law.hpp"
#include "dashpot/energy/tet_elasticity.hpp"
#include "dashpot/math/curve.hpp"

namespace dashpot {

/// Young's modulus [Pa] > 0 and Poisson's ratio, -1 < nu < 0.5.
struct Isotropic {
  double young = 1e5;
  double poisson = 0.3;
  double lambda() const { return young * poisson / ((1 + poisson) * (1 - 2 * poisson)); }  ///< [Pa]
  double mu() const { return young / (2 * (1 + poisson)); }                                ///< [Pa]
  static Isotropic from_lame(double lambda, double mu);
};

std::unique_ptr<TetElasticity> make_isotropic(std::string body, std::shared_ptr<TetBatch> batch,
                                              const IsotropicLaw& law, const std::vector<Isotropic>& materials,
                                              const std::vector<int>& of_element = {});
/// The same from values of mesh elements, which become its parameters "young" [Pa] and "poisson".
std::unique_ptr<TetElasticity> make_isotropic_parts(std::string body, std::shared_ptr<TetBatch> batch,
                                                    const IsotropicLaw& law, const PartwiseValue& young,
                                                    const PartwiseValue& poisson);

/// Principal-stretch spline material (energy/formula/spline_law.hpp): stress curves [Pa] of one stretch s, of an area
/// ratio s_i s_j and of the volume ratio J. Only differences from their values at 1 count, so that rest is free of
/// stress.
struct SplineMaterial {
  math::Curve stretch, area, volume;

  /// stretch = 2 mu (s - 1), area = 0, volume = lambda (J - 1): linear elasticity at small strain.
  static SplineMaterial from(const Isotropic& material);
  using Points = std::vector<std::pair<double, double>>;
  /// Replaces the stretch curve by points (stretch, stress [Pa]): tension at stretches > 1, compression at 0 < stretch
  /// < 1, in any order. Either may be empty: that side stays straight. The slope at s = 1 stays 2 mu (and the
  /// small-strain limit with it), unless the curve beside it is too flat for a monotone join. Throws Error.
  static SplineMaterial edited(const Isotropic& material, Points tension, Points compression);
};

/// What a spline material is made of, by part of the body. The stresses at its points are parameters too:
/// "tension/stress", "compression/stress" [Pa].
struct SplineParts {
  PartwiseValue young, poisson;
  Partwise<SplineMaterial::Points> tension, compression;  ///< both of ascending stretch
};
std::unique_ptr<TetElasticity> make_spline_parts(std::string body, std::shared_ptr<TetBatch> batch,
                                                 const SplineParts& parts);
/// Of any curves, which are no parameters.
std::unique_ptr<TetElasticity> make_spline(std::string body, std::shared_ptr<TetBatch> batch,
                                           const std::vector<SplineMaterial>& materials,
                                           const std::vector<int>& of_element = {});

/// Orthotropic St. Venant-Kirchhoff solid. nu12 is the contraction along axis 2 per extension along axis 1 when pulled
/// along axis 1 (nu12/E1 = nu21/E2); nu31: pulled along 3, contracting along 1. Stable when the compliance matrix is
/// positive definite.
struct Orthotropic {
  double E1 = 1e5, E2 = 1e5, E3 = 1e5;           ///< Young's moduli [Pa] > 0
  double nu12 = 0.3, nu23 = 0.3, nu31 = 0.3;     ///< Poisson's ratios
  double G12 = 3.8e4, G23 = 3.8e4, G31 = 3.8e4;  ///< shear moduli [Pa] > 0
  Mat3 axes = Mat3::Identity();                  ///< columns: material axes 1, 2, 3 in the rest shape; orthonormal
};

/// The same by part of the body; parameters are "young", "poisson" and "shear", three numbers each.
struct OrthotropicParts {
  Partwise<Vec3> young;    ///< E1, E2, E3 [Pa]
  Partwise<Vec3> poisson;  ///< nu12, nu23, nu31
  Partwise<Vec3> shear;    ///< G12, G23, G31 [Pa]
  Partwise<Mat3> axes;
};
std::unique_ptr<TetElasticity> make_orthotropic_parts(std::string body, std::shared_ptr<TetBatch> batch,
                                                      const OrthotropicParts& parts);
std::unique_ptr<TetElasticity> make_orthotropic(std::string body, std::shared_ptr<TetBatch> batch,
                                                const std::vector<Orthotropic>& materials,
                                                const std::vector<int>& of_element = {});

}  // namespace dashpot
