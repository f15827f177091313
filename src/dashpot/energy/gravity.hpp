#pragma once
// Uniform gravity on the nodes of a body:  Psi(q) = -sum_i m_i g . (x_i - X_i)  [J],  force m_i g on node i.
// Heights are measured from the rest shape, so that a body at rest starts with zero gravity energy (and with few digits
// lost); only differences of Psi have a meaning. The Hessian is zero.

#include <memory>
#include <string>
#include <vector>

#include "dashpot/model/nodal_inertia.hpp"

namespace dashpot {

class Gravity final : public EnergyTerm {
 public:
  /// masses [kg] of nodes whose blocks are first_block, first_block + 1, ... (row sums of the mass matrix); X: their
  /// rest positions [m], same size; g [m/s^2].
  Gravity(std::string body, std::vector<double> masses, std::vector<Vec3> X, int first_block, const Vec3& g);

  EnergyKind kind() const override { return EnergyKind::gravity; }
  const std::string& body() const override { return body_; }
  BlockRange touched_blocks() const override { return {first_block_, first_block_ + static_cast<int>(masses_.size())}; }
  void couple(PatternBuilder&) const override {}
  void bind(const BlockPattern&) override {}
  double evaluate(const EnergyRequest& request) const override;
  bool is_quadratic() const override { return true; }
  /// Says that its masses are the row sums of these sources, to follow when their densities change.
  void set_sources(std::vector<std::shared_ptr<const ElementMass>> sources) { sources_ = std::move(sources); }
  /// What its one parameter, g, is called; "/gravity": that of a scene, which all its bodies share. Empty: it has none.
  void set_parameter(std::string name) { parameter_name_ = std::move(name); }
  ParameterList parameters() const override;
  std::shared_ptr<EnergyTerm> remade(const double* values, const Replacements& replacements) const override;

 private:
  std::string body_;
  std::vector<double> masses_;
  std::vector<Vec3> X_;
  int first_block_;
  Vec3 g_;
  std::string parameter_name_;
  std::vector<std::shared_ptr<const ElementMass>> sources_;
};

}  // namespace dashpot
