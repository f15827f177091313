#pragma once
// Graph Laplacians for tests of damping that need no energy: tets with the weights 2 mu V, and edges.

#include <array>
#include <memory>
#include <vector>

#include "dashpot/model/projective_form.hpp"
#include "dashpot/model/tet_batch.hpp"

namespace dashpot::testing {

/// w_j = 2 mu V_j, G_j x = F_j^T. The batch must be bound.
class ReferenceTetLaplacian final : public LaplacianSource {
 public:
  ReferenceTetLaplacian(std::shared_ptr<const TetBatch> batch, double mu) : batch_(std::move(batch)), mu_(mu) {}
  int num_elements() const override { return batch_->num_tets(); }
  void add_laplacian(const std::vector<double>& element_scale, std::vector<double>& of_slot) const override;
  void add_spin_force(const Vector& q, const Vector& v, const std::vector<double>& element_scale,
                      Vector& f) const override;
  void add_spin_tangent(const Vector& q, const Vector& v, const std::vector<double>& element_scale, double dv_scale,
                        double dq_scale, BlockMatrix& tangent) const override;

 private:
  std::shared_ptr<const TetBatch> batch_;
  double mu_;
};

/// One edge between blocks 0 and 1 with weight w [N/m]; the pattern is that of two coupled blocks.
class EdgeLaplacian final : public LaplacianSource {
 public:
  explicit EdgeLaplacian(double weight) : weight_(weight) {}
  int num_elements() const override { return 1; }
  void add_laplacian(const std::vector<double>& element_scale, std::vector<double>& of_slot) const override;
  void add_spin_force(const Vector& q, const Vector& v, const std::vector<double>& element_scale,
                      Vector& f) const override;
  void add_spin_tangent(const Vector& q, const Vector& v, const std::vector<double>& element_scale, double dv_scale,
                        double dq_scale, BlockMatrix& tangent) const override;

 private:
  double weight_;
};

}  // namespace dashpot::testing
