#pragma once
// Every material of energy/, by name, for tests that hold for all of them; and a small body made of one.
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "dashpot/energy/materials.hpp"
#include "support/tiny_tets.hpp"

namespace dashpot::testing {

struct MaterialCase {
  std::string name;
  std::function<std::unique_ptr<TetElasticity>(std::shared_ptr<TetBatch>)> make;
  double lambda = 0, mu = 0;     ///< small-strain limit [Pa]
  bool defined_inverted = true;  ///< energy is finite for inverted elements
  bool objective = true;         ///< no stress under rotation
  bool isotropic = true;
};

inline void PrintTo(const MaterialCase& material, std::ostream* out) { *out << material.name; }

/// E = 1000 Pa, nu = 0.3 where the law has those.
std::vector<MaterialCase> all_materials();

/// One term bound to its own pattern.
struct ElasticBody {
  TinyMesh mesh;
  std::shared_ptr<TetBatch> batch;
  std::unique_ptr<TetElasticity> term;
  std::shared_ptr<const BlockPattern> pattern;

  ElasticBody(TinyMesh tiny, const MaterialCase& material);
  double energy(const Vector& q) const;
  Vector gradient(const Vector& q) const;
  Matrix hessian(const Vector& q, Projection projection = Projection::none) const;
  Matrix stiffness(const Vector& q, StiffnessPart part, double scale = 1) const;
  /// Affine motion x = F X + t of the whole body.
  Vector affine(const Mat3& F, const Vec3& t = Vec3(0.3, -0.2, 0.5)) const;
};

/// Deterministic noise of size `amplitude` on top of q.
Vector shaken(const Vector& q, double amplitude, int seed = 0);
Mat3 rotation(const Vec3& axis_angle);

}  // namespace dashpot::testing
