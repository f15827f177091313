#pragma once
// The branches of a Prony series (prony.hpp) on elements of any kind: what laws of tets, triangles, springs and hinges
// have in common. For .cpp files of kernels only.

#include <memory>
#include <vector>

#include "dashpot/dissipation/formula/relaxation.hpp"
#include "dashpot/dissipation/law_held_strain.hpp"
#include "dashpot/dissipation/prony_law.hpp"
#include "dashpot/element/gather.hpp"

namespace dashpot {

/// Branches of elements with the strain of Metric, and C of `numbers` numbers an element. Memory: by cell, branch,
/// component, lane; packs are filled up, with shares of zero.
template <class Metric, int numbers>
class PronyOf : public Metric::Law, public PronyLaw {
 public:
  using Batch = typename Metric::Batch;
  static constexpr int n = Metric::components;

  PronyOf(std::shared_ptr<const Batch> batch, const Moduli& moduli, const std::vector<PronyBranch>& branches)
      : batch_(std::move(batch)),
        moduli_(at(numbers * batch_->num_packs()), math::Pack4(0.0)),
        shares_(branches.size() * at(batch_->num_packs()), math::Pack4(0.0)) {
    for (const PronyBranch& branch : branches) tau_.push_back(branch.tau);
    for (int i = 0; i < batch_->num_elements(); ++i) {
      const int e = batch_->original(i);
      for (int k = 0; k < numbers; ++k) moduli_[at(numbers * (i / 4) + k)].set(i % 4, moduli.of(e)[k]);
      for (std::size_t k = 0; k < tau_.size(); ++k)
        shares_[at(i / 4) * tau_.size() + k].set(i % 4, branches[k].share.of(e));
    }
  }
  const Batch& batch() const override { return *batch_; }
  bool has_symmetric_tangent(const DissipationRequest&) const override { return true; }
  const PointLaw& point_law() const override { return *this; }
  /// Keep, take and slope of each branch.
  int num_pass_numbers() const override { return 3 * static_cast<int>(tau_.size()); }
  void write_pass_numbers(const DissipationRequest& request, double* out) const override {
    for (const double tau : tau_) {
      const formula::Relaxation step = formula::relaxation(request.dt, tau);
      *out++ = step.keep;
      *out++ = step.take;
      *out++ = step.slope;
    }
  }
  int num_internal_variables() const override {
    return 4 * n * static_cast<int>(tau_.size()) * Metric::num_cells(*batch_);
  }
  std::unique_ptr<TermScratch> make_scratch() const override { return std::make_unique<HeldStrain>(); }
  void begin_step(const State& state, TermScratch& scratch) const override {
    hold_strains<Metric>(*batch_, state.q, state.v, static_cast<HeldStrain&>(scratch));
  }
  double stored_energy(const Vector& internal_variables) const override {
    double energy = 0;
    for (int cell = 0; cell < Metric::num_cells(*batch_); ++cell)
      for (std::size_t k = 0; k < tau_.size(); ++k) {
        math::Pack4 xi[n];
        for (int c = 0; c < n; ++c) xi[c] = math::Pack4::load(memory(internal_variables, cell, k, c));
        energy += branch_energy(cell, k, xi);
      }
    return energy;
  }
  std::vector<double> branch_energies(const Vector& q, const Vector& u) const override {
    HeldStrain strained;
    hold_strains<Metric>(*batch_, q, u, strained);
    std::vector<double> energies(tau_.size(), 0.0);
    for (int cell = 0; cell < Metric::num_cells(*batch_); ++cell)
      for (std::size_t k = 0; k < tau_.size(); ++k) energies[k] += branch_energy(cell, k, &strained.rate[at(n * cell)]);
    return energies;
  }

 protected:
  const math::Pack4* moduli(int pack) const { return &moduli_[at(numbers * pack)]; }
  /// C:x of four elements.
  virtual void multiply_moduli(int pack, const math::Pack4* x, math::Pack4* S) const = 0;

  /// Sets sum_k g_k xi_k, writes xi where it is wanted, and returns d(sum)/dE, a number.
  math::Pack4 advance(const DissipationRequest& request, const typename Metric::Point& here, math::Pack4 sum[n]) const {
    const int cell = Metric::cell(*batch_, here);
    const std::size_t num_branches = tau_.size();
    const math::Pack4* g = &shares_[at(here.pack) * num_branches];
    const double *step = here.pass_numbers, *old = memory(request.internal_variables, cell, 0, 0);
    Vector* all_new = request.new_internal_variables;
    double* next = all_new != nullptr ? all_new->data() + (old - request.internal_variables.data()) : nullptr;
    math::Pack4 change[n], slope(0.0);
    Metric::strain(here, change);
    if (request.dt > 0) {  // at the start of a step nothing of it is taken
      const math::Pack4* held = &static_cast<const HeldStrain*>(request.scratch)->strain[at(n * cell)];
      for (int c = 0; c < n; ++c) change[c] -= held[c];
    }
    for (std::size_t k = 0; k < num_branches; ++k, step += 3, old += 4 * n) {
      const math::Pack4 keep(step[0]), take(step[1]), share = g[k];
      slope += share * math::Pack4(step[2]);
      math::Pack4 xi[n];
      for (int c = 0; c < n; ++c) {
        xi[c] = keep * math::Pack4::load(old + 4 * c) + take * change[c];
        sum[c] = k == 0 ? share * xi[c] : sum[c] + share * xi[c];
      }
      if (next == nullptr) continue;
      if (request.follows_rates) follow_rates(request, here, k, change, xi);
      for (int c = 0; c < n; ++c) xi[c].store(next + 4 * c);
      next += 4 * n;
    }
    return slope;
  }

 private:
  const double* memory(const Vector& all, int cell, std::size_t branch, int component) const {
    return all.data() + 4 * ((at(cell) * tau_.size() + branch) * n + at(component));
  }
  void follow_rates(const DissipationRequest& request, const typename Metric::Point& here, std::size_t k,
                    const math::Pack4 change[n], math::Pack4 xi[n]) const {
    const int cell = Metric::cell(*batch_, here);
    const HeldStrain& held = static_cast<const HeldStrain&>(*request.scratch);
    const formula::RateRelaxation step = formula::rate_relaxation(request.dt, tau_[k]);
    math::Pack4 rate[n];
    Metric::rate(here, rate);
    const math::Pack4 keep(step.keep), take(step.take), start(request.dt * step.start), end(request.dt * step.end);
    for (int c = 0; c < n; ++c)
      xi[c] = keep * math::Pack4::load(memory(request.internal_variables, cell, k, c)) + take * change[c] +
              start * held.rate[at(n * cell + c)] + end * rate[c];
  }
  double branch_energy(int cell, std::size_t k, const math::Pack4* xi) const {
    const int pack = Metric::pack_of(*batch_, cell);
    math::Pack4 S[n];
    multiply_moduli(pack, xi, S);
    const math::Pack4 g = shares_[at(pack) * tau_.size() + k],
                      energy = math::Pack4(0.5) * g * Metric::weight(*batch_, cell) * Metric::dot(xi, S);
    double sum = 0;
    for (int l = 0; l < kernel::lanes_in_use(*batch_, pack); ++l) sum += energy[l];
    return sum;
  }

  std::shared_ptr<const Batch> batch_;
  std::vector<math::Pack4> moduli_, shares_;  ///< by pack
  std::vector<double> tau_;
};

}  // namespace dashpot
