// Dahl's hysteresis of the Green strain of tets and triangles.
//
// With n the direction of E - E_n and : the product of tensors, xi of formula::dahl_step varies by
//     dxi = take dE + ((keep - take) n - keep xi_n / z_0) (n:dE),
// and S = C:xi is not symmetric in dE. The stand-in
//     dS = take C:dE + Cn (Cn:dE) (k - take n:Cn) / (n:Cn)^2,   k = keep max(0, n:Cn - xi_n:Cn / z_0),
// is symmetric and positive semidefinite (Cauchy and Schwarz for C), and the same as that along n:dS.

#include "dashpot/dissipation/bouc_wen_law.hpp"
#include "dashpot/dissipation/formula/hysteresis.hpp"
#include "dashpot/dissipation/formula/rate_density.hpp"
#include "dashpot/dissipation/law_held_strain.hpp"
#include "dashpot/dissipation/rate_blocks.hpp"
#include "dashpot/element/gather.hpp"

namespace dashpot {
namespace {

using math::Matrix3;
using math::Matrix32;
using math::Pack4;
using math::Symmetric3;

Symmetric3<Pack4> symmetric_of(const Pack4* x) {
  Symmetric3<Pack4> result;
  for (int k = 0; k < 6; ++k) result.m[k] = x[k];
  return result;
}

/// C:x of four elements; `numbers` an element, as Moduli has them.
template <int numbers>
void elastic_stress(const Pack4* C, const Pack4* x, Pack4* S) {
  if constexpr (numbers == 6) {
    S[0] = C[0] * x[0] + C[1] * x[1] + C[2] * x[2];
    S[1] = C[1] * x[0] + C[3] * x[1] + C[4] * x[2];
    S[2] = C[2] * x[0] + C[4] * x[1] + C[5] * x[2];
  } else {
    Symmetric3<Pack4> stress;
    if constexpr (numbers == 2) {
      stress = formula::isotropic_stress(C[0], C[1], symmetric_of(x));
    } else {
      formula::SolidViscosity<Pack4> all;
      for (int k = 0; k < 21; ++k) all.m[k] = C[k];
      stress = formula::multiply(all, symmetric_of(x));
    }
    for (int k = 0; k < 6; ++k) S[k] = stress.m[k];
  }
}

/// dS = take C:dE + left (right:dE).
template <int numbers, int components>
struct DahlStiffness {
  const Pack4* C;
  Pack4 take, left[components], right[components];
};

template <int numbers>
Symmetric3<Pack4> apply(const DahlStiffness<numbers, 6>& D, const Symmetric3<Pack4>& dE) {
  Pack4 S[6];
  elastic_stress<numbers>(D.C, dE.m, S);
  const Pack4 amount = GreenTets::dot(D.right, dE.m);
  for (int k = 0; k < 6; ++k) S[k] = D.take * S[k] + amount * D.left[k];
  return symmetric_of(S);
}

template <class Metric, int numbers>
class DahlOf : public Metric::Law, public BoucWenLaw {
 public:
  using Batch = typename Metric::Batch;
  static constexpr int n = Metric::components;

  DahlOf(std::shared_ptr<const Batch> batch, const Moduli& moduli, const BoucWenOptions& options)
      : batch_(std::move(batch)), options_(options), moduli_(at(numbers * batch_->num_packs()), Pack4(0.0)) {
    for (int i = 0; i < batch_->num_elements(); ++i)
      for (int k = 0; k < numbers; ++k)
        moduli_[at(numbers * (i / 4) + k)].set(i % 4, options.share * moduli.of(batch_->original(i))[k]);
  }
  const Batch& batch() const override { return *batch_; }
  bool has_symmetric_tangent(const DissipationRequest& request) const override {
    return !options_.has_exact_tangent || request.dq_scale == 0;
  }
  const PointLaw& point_law() const override { return *this; }
  int num_internal_variables() const override { return 4 * n * Metric::num_cells(*batch_); }
  std::unique_ptr<TermScratch> make_scratch() const override { return std::make_unique<HeldStrain>(); }
  void begin_step(const State& state, TermScratch& scratch) const override {
    hold_strains<Metric>(*batch_, state.q, state.v, static_cast<HeldStrain&>(scratch));
  }
  double stored_energy(const Vector& internal_variables) const override {
    double energy = 0;
    for (int cell = 0; cell < Metric::num_cells(*batch_); ++cell) {
      Pack4 xi[n];
      for (int c = 0; c < n; ++c) xi[c] = Pack4::load(internal_variables.data() + 4 * at(n * cell + c));
      const Pack4 density = twice_energy(cell, xi);
      for (int l = 0; l < 4; ++l) energy += 0.5 * density[l];
    }
    return energy;
  }
  std::complex<double> cycle_work(const Vector& q, const Vector& u, double amplitude) const override {
    HeldStrain strained;
    hold_strains<Metric>(*batch_, q, u, strained);
    std::complex<double> work = 0;
    for (int cell = 0; cell < Metric::num_cells(*batch_); ++cell) {
      const Pack4* e = &strained.rate[at(n * cell)];
      const Pack4 stiffness = twice_energy(cell, e), size = size_of(e);
      for (int l = 0; l < kernel::lanes_in_use(*batch_, Metric::pack_of(*batch_, cell)); ++l)
        if (size[l] > 0) work += stiffness[l] * first_harmonic(amplitude * size[l] / options_.yield, options_);
    }
    return work;
  }

 protected:
  /// Sets S = g C:xi, writes xi where it is wanted, and tells how S goes on.
  DahlStiffness<numbers, n> advance(const DissipationRequest& request, const typename Metric::Point& here,
                                    Pack4* S) const {
    const int cell = Metric::cell(*batch_, here);
    DahlStiffness<numbers, n> D{&moduli_[at(numbers * here.pack)], Pack4(1.0), {}, {}};
    Pack4 start[n], xi[n];
    for (int c = 0; c < n; ++c)
      xi[c] = start[c] = Pack4::load(request.internal_variables.data() + 4 * at(n * cell + c));
    if (request.dt > 0) {
      const HeldStrain& held = static_cast<const HeldStrain&>(*request.scratch);
      Pack4 change[n], keep(1.0);
      Metric::strain(here, change);
      for (int c = 0; c < n; ++c) change[c] -= held.strain[at(n * cell + c)];
      const Pack4 size = size_of(change);
      for (int l = 0; l < 4; ++l) {
        const formula::DahlStep step = formula::dahl_step(size[l] / options_.yield);
        keep.set(l, step.keep);
        D.take.set(l, step.take);
      }
      for (int c = 0; c < n; ++c) xi[c] = keep * start[c] + D.take * change[c];
      if (request.tangent != nullptr) set_direction(change, size, start, keep, D);
    }
    if (request.new_internal_variables != nullptr)
      for (int c = 0; c < n; ++c) xi[c].store(request.new_internal_variables->data() + 4 * at(n * cell + c));
    elastic_stress<numbers>(D.C, xi, S);
    return D;
  }

 private:
  static Pack4 size_of(const Pack4* e) {
    Pack4 dual[n];
    Metric::dual(e, dual);
    return sqrt(Metric::dot(e, dual));
  }
  /// w xi:g C:xi of four elements.
  Pack4 twice_energy(int cell, const Pack4* xi) const {
    Pack4 S[n];
    elastic_stress<numbers>(&moduli_[at(numbers * Metric::pack_of(*batch_, cell))], xi, S);
    return Metric::weight(*batch_, cell) * Metric::dot(xi, S);
  }
  /// What the direction of the way adds; nothing where there is none.
  void set_direction(const Pack4* change, Pack4 size, const Pack4* start, Pack4 keep,
                     DahlStiffness<numbers, n>& D) const {
    const Pack4 zero(0.0), one(1.0), moves = select(size > zero, one, zero),
                                     by = moves / select(size > zero, size, one),
                                     forgets = keep / Pack4(options_.yield);
    Pack4 way[n], turned[n];
    for (int c = 0; c < n; ++c) way[c] = by * change[c];
    if (options_.has_exact_tangent) {
      for (int c = 0; c < n; ++c) turned[c] = moves * ((keep - D.take) * way[c] - forgets * start[c]);
      elastic_stress<numbers>(D.C, turned, D.left);
      Metric::dual(way, D.right);
      return;
    }
    elastic_stress<numbers>(D.C, way, D.right);
    const Pack4 along = Metric::dot(way, D.right), has_stiffness = select(along > zero, one, zero),
                inverse = has_stiffness / select(along > zero, along, one),
                left = max(zero, keep * along - forgets * Metric::dot(start, D.right));
    for (int c = 0; c < n; ++c) D.left[c] = (left - D.take * along) * inverse * inverse * D.right[c];
  }

  std::shared_ptr<const Batch> batch_;
  BoucWenOptions options_;
  std::vector<Pack4> moduli_;  ///< g C by pack, zero in surplus lanes
};

template <int numbers>
class TetDahl final : public DahlOf<GreenTets, numbers> {
 public:
  using DahlOf<GreenTets, numbers>::DahlOf;
  TangentForm tangent_form() const override { return TangentForm::blocks; }
  void respond(const DissipationRequest& request, const PackPoint& here, Matrix3<Pack4>& P, GreenTangent<Pack4>&,
               StiffnessPacks K) const override {
    Pack4 S[6];
    const DahlStiffness<numbers, 6> D = this->advance(request, here, S);
    P = multiply(*here.F, symmetric_of(S));
    if (request.tangent == nullptr || request.dq_scale == 0) return;
    rate_kernel::add_strain_blocks(here, Pack4(request.dq_scale), symmetric_of(S), D, K);
  }
};

class SheetDahl final : public DahlOf<GreenSheets, 6> {
 public:
  using DahlOf::DahlOf;
  void respond(const DissipationRequest& request, const SheetPoint& here, Matrix32<Pack4>& P,
               StiffnessPacks K) const override {
    Pack4 S[3];
    const DahlStiffness<6, 3> D = advance(request, here, S);
    green_sheet_stress(*here.F, S, P);
    if (request.tangent == nullptr || request.dq_scale == 0) return;
    const Pack4 dq(request.dq_scale);
    const int entry[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
    Pack4 C[9];
    for (int k = 0; k < 9; ++k) C[k] = dq * (D.take * D.C[entry[k]] + D.left[k / 3] * D.right[k % 3]);
    add_green_sheet_blocks(*here.F, *here.F, C, here.area, here.g, K);
    add_sheet_stress_blocks(S, dq * here.area, here.g, K);
  }
};

}  // namespace

std::shared_ptr<const BoucWenLaw> make_dahl_law(const std::shared_ptr<ElementBatch>& batch, const Moduli& moduli,
                                                const BoucWenOptions& options) {
  if (moduli.kind == Moduli::Kind::sheet)
    return std::make_shared<SheetDahl>(std::static_pointer_cast<const TriangleBatch>(batch), moduli, options);
  const auto tets = std::static_pointer_cast<const TetBatch>(batch);
  if (moduli.kind == Moduli::Kind::lame) return std::make_shared<TetDahl<2>>(tets, moduli, options);
  return std::make_shared<TetDahl<21>>(tets, moduli, options);
}

}  // namespace dashpot
