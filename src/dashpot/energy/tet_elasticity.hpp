#pragma once
// Elastic energy of the tets of a body:  Psi(q) = sum_e sum_p w_ep psi(F_ep),  F = sum_a x_a (x) g_a.
// Force on node a: -dPsi/dx_a = -sum_p w P g_a. Formulas of the laws: energy/formula/. Parameters are given per mesh
// element, so that every region may have its own. Materials are made by energy/materials.hpp.
//
// Energy, gradient and Hessian come out of one pass, four tets at a time. The Hessian is added to both triangles.
// StiffnessSource: element e is the e-th tet of the mesh (the batch's own order is not visible outside).

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dashpot/energy/young_poisson.hpp"
#include "dashpot/model/moduli_source.hpp"
#include "dashpot/model/stiffness_slope.hpp"
#include "dashpot/model/terms.hpp"
#include "dashpot/model/tet_batch.hpp"

namespace dashpot {
namespace formula {
enum class TangentKind;
}
struct PackResponse;  ///< what a law answers for four tets (energy/tet_slope.hpp)
struct PackForm;      ///< a linear form of that

class TetElasticity : public EnergyTerm, public StiffnessSource, public StiffnessSlope, public ModuliSource {
 public:
  const std::string& body() const override { return body_; }
  const TetBatch& batch() const { return *batch_; }
  /// Name of the law, e.g. "stvk".
  virtual std::string law() const = 0;
  EnergyCapabilities capabilities() const override {
    EnergyCapabilities offers;
    offers.stiffness = this;
    if (small_strain_) offers.moduli = this;
    offers.batch = batch_.get();
    return offers;
  }

  BlockRange touched_blocks() const override { return batch_->touched_blocks(); }
  void couple(PatternBuilder& pattern) const override;
  void bind(const BlockPattern& pattern) override;
  double evaluate(const EnergyRequest& request) const override;

  int num_elements() const override { return batch_->num_tets(); }
  BlockRange stiffness_blocks() const override { return touched_blocks(); }
  /// `rest` is the tangent at F = I; `tangent` is projected to be positive semidefinite; see StiffnessPart.
  void add_stiffness(const Vector& q, StiffnessPart part, const std::vector<double>& element_scale,
                     BlockMatrix& K) const override;

  /// Says what the law is at small strain.
  void set_moduli(std::function<Moduli()> small_strain) { small_strain_ = std::move(small_strain); }
  Moduli moduli() const override { return small_strain_(); }
  std::shared_ptr<ElementBatch> shared_batch() const override { return batch_; }

  /// Makes the same energy of the same batch with other values of its parameters.
  using Remake = std::function<std::unique_ptr<TetElasticity>(const double* values)>;
  void set_parameters(ParameterList parameters, Remake remake);
  /// Of laws that are linear in the Lame parameters, which tell derivatives by them too.
  void set_parameters(YoungPoisson parameters, Remake remake);
  ParameterList parameters() const override { return parameters_; }
  std::shared_ptr<EnergyTerm> remade(const double* values, const Replacements& replacements) const override;
  int add_parameter_gradient(const EnergyRequest& request, const Vector& weights, double* gradient) const override;
  bool add_parameter_forces(const EnergyRequest& request, std::span<const int> which, Matrix& columns) const override;
  bool add_element_products(const Vector& q, StiffnessPart part, const Vector& w, const Vector& v,
                            double* products) const override;
  bool add_element_forces(const Vector& q, StiffnessPart part, const Vector& v, const ElementShare* shares,
                          int per_element, Matrix& columns) const override;
  /// By central differences of each element's own product, in one pass over the elements (tet_slope.cpp).
  void add_stiffness_slope(const Vector& q, StiffnessPart part, const Vector& v,
                           const std::vector<double>& element_scale, const double* by_stretches,
                           BlockMatrix& G) const override;
  bool has_slope_of_scales() const override { return batch_->nodes_per_tet() == 4; }
  bool add_near_forces(const Vector& q, StiffnessPart part, const Vector& v, std::span<const NearStiffness> neighbors,
                       Matrix& columns) const override;
  /// The same for one right side, by numbers in place of vectors (tet_slope_product.cpp).
  bool add_slope_product(const Vector& q, StiffnessPart part, const Vector& v, const Vector& w,
                         const std::vector<double>& element_scale, const double* by_stretches,
                         Vector& g) const override;
  bool add_near_products(const Vector& q, StiffnessPart part, const Vector& v, const Vector& w,
                         std::span<const NearStiffness> neighbors, int num_columns, double* products) const override;

 protected:
  struct Task;  ///< what a pass over the elements shall compute (energy/tet_kernel.hpp)
  TetElasticity(std::string body, std::shared_ptr<TetBatch> batch);
  /// Does elements [begin, end) and returns their energy [J].
  virtual double run(const Task& task, int begin, int end) const = 0;
  /// d(w . f)/dlambda and /dmu of elements [begin, end), by mesh element; stresses are linear in both. False: the law
  /// has other parameters.
  virtual bool add_lame_gradient(const double* q, const double* w, int begin, int end, double* by_lambda,
                                 double* by_mu) const = 0;
  /// columns.col(share.column) += what the force of each element, by lambda and by mu, has of it; `shares`: two of each
  /// mesh element. False as above.
  virtual bool add_lame_forces(const double* q, const LameShare* shares, int begin, int end, Matrix& columns) const = 0;
  /// w . K_e v of elements [begin, end), by mesh element. q null: F = I.
  virtual void add_products(const double* q, formula::TangentKind kind, const double* w, const double* v, int begin,
                            int end, double* products) const = 0;
  /// K_e v of elements [begin, end), to the columns of their shares. q null: F = I.
  virtual void add_tangent_forces(const double* q, formula::TangentKind kind, const double* v,
                                  const ElementShare* shares, int per_element, int begin, int end,
                                  Matrix& columns) const = 0;
  /// The law at deformation gradients of the four tets of a pack.
  virtual void respond(int pack, PackResponse& response) const = 0;
  /// Its tangent where F is diagonal, with the given stretches, all but L and R, which are the identity; false: not a
  /// law of the stretches alone, or nobody needed it yet.
  virtual bool respond_at_stretches(int pack, PackResponse& response) const = 0;
  /// Its stresses and their derivatives there, no tangent made of them; false as above.
  virtual bool stresses_at_stretches(int pack, PackResponse& response) const = 0;
  /// The tangent of those as a linear form of them, contracted with the pair that `form` holds.
  virtual void form_at_stretches(const PackResponse& response, PackForm& form) const = 0;

 private:
  template <int N>
  void add_slope(const double* q, const double* v, PackResponse& at, const double* element_scale,
                 const double* by_stretches, int begin, int end, BlockMatrix& G) const;
  template <int N>
  void add_near(const double* q, const double* v, PackResponse& at, std::span<const NearStiffness> neighbors, int begin,
                int end, Matrix& columns) const;
  template <int N>
  void slope_product(const double* q, const double* v, const double* w, PackResponse& at, const double* element_scale,
                     const double* by_stretches, int begin, int end, double* g) const;
  template <int N>
  void near_products(const double* q, const double* v, const double* w, formula::TangentKind kind,
                     std::span<const NearStiffness> neighbors, int pack, double* products) const;

  std::string body_;
  std::shared_ptr<TetBatch> batch_;
  std::function<Moduli()> small_strain_;
  ParameterList parameters_;
  Remake remake_;
  std::optional<YoungPoisson> young_poisson_;
};

}  // namespace dashpot
