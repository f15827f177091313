#pragma once
// Strains of elements as laws with memory see them, and those at the start of a step. A metric says what the strain of
// its elements is: of tets and triangles the Green strain, of springs, bends and hinges their measure. Held strains are
// taken by a law that does nothing but write them down, in the pass of all laws. For .cpp files of kernels only.

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "dashpot/dissipation/formula/strain_metric.hpp"
#include "dashpot/element/green_sheet.hpp"
#include "dashpot/element/hinge_law.hpp"
#include "dashpot/element/line_law.hpp"
#include "dashpot/element/tet_law.hpp"
#include "dashpot/model/hinge_batch.hpp"

namespace dashpot {

/// Of four elements each: `components` packs a cell. A cell is a quadrature point of four elements.
struct HeldStrain final : TermScratch {
  std::vector<math::Pack4> strain, rate;
};

/// (E11, E22, E33, E12, E13, E23), but for a constant.
struct GreenTets {
  using Law = TetLaw;
  using Batch = TetBatch;
  using Point = PackPoint;
  static constexpr int components = 6;
  static int num_cells(const Batch& batch) { return batch.num_packs() * batch.num_points(); }
  static int cell(const Batch& batch, const Point& here) { return here.pack * batch.num_points() + here.point; }
  static int pack_of(const Batch& batch, int cell) { return cell / batch.num_points(); }
  static math::Pack4 weight(const Batch& batch, int cell) {
    return math::Pack4::load(batch.pack_weights(cell / batch.num_points(), cell % batch.num_points()));
  }
  static void strain(const Point& here, math::Pack4* e) {
    const math::Symmetric3<math::Pack4> twice = math::gram(*here.F);
    for (int k = 0; k < 6; ++k) e[k] = math::Pack4(0.5) * twice.m[k];
  }
  static void rate(const Point& here, math::Pack4* e) {
    const math::Symmetric3<math::Pack4> r = formula::green_strain_rate(*here.F, *here.Fdot);
    for (int k = 0; k < 6; ++k) e[k] = r.m[k];
  }
  static math::Pack4 dot(const math::Pack4* e, const math::Pack4* S) {
    return e[0] * S[0] + e[1] * S[1] + e[2] * S[2] + math::Pack4(2.0) * (e[3] * S[3] + e[4] * S[4] + e[5] * S[5]);
  }
  /// The strain e as a stress S with e:x = S:x for every strain x.
  static void dual(const math::Pack4* e, math::Pack4* S) { std::copy(e, e + 6, S); }
};

/// (E11, E22, 2 E12), but for a constant.
struct GreenSheets {
  using Law = SheetLaw;
  using Batch = TriangleBatch;
  using Point = SheetPoint;
  static constexpr int components = 3;
  static int num_cells(const Batch& batch) { return batch.num_packs(); }
  static int cell(const Batch&, const Point& here) { return here.pack; }
  static int pack_of(const Batch&, int cell) { return cell; }
  static math::Pack4 weight(const Batch& batch, int cell) { return math::Pack4::load(batch.pack_areas(cell)); }
  static void strain(const Point& here, math::Pack4* e) {
    green_sheet_rate(*here.F, *here.F, e);
    for (int k = 0; k < 3; ++k) e[k] *= math::Pack4(0.5);
  }
  static void rate(const Point& here, math::Pack4* e) { green_sheet_rate(*here.F, *here.Fdot, e); }
  static math::Pack4 dot(const math::Pack4* e, const math::Pack4* S) { return e[0] * S[0] + e[1] * S[1] + e[2] * S[2]; }
  static void dual(const math::Pack4* e, math::Pack4* S) { S[0] = e[0], S[1] = e[1], S[2] = math::Pack4(0.5) * e[2]; }
};

/// The size of a spring or bend [m], the angle of a hinge [rad].
template <class LawOfKind, class BatchOfKind>
struct Measure {
  using Law = LawOfKind;
  using Batch = BatchOfKind;
  using Point = MeasurePoint;
  static constexpr int components = 1;
  static int num_cells(const Batch& batch) { return batch.num_packs(); }
  static int cell(const Batch&, const Point& here) { return here.pack; }
  static int pack_of(const Batch&, int cell) { return cell; }
  static math::Pack4 weight(const Batch&, int) { return math::Pack4(1.0); }
  static void strain(const Point& here, math::Pack4* e) { e[0] = here.measure; }
  static void rate(const Point& here, math::Pack4* e) { e[0] = here.rate; }
  static math::Pack4 dot(const math::Pack4* e, const math::Pack4* S) { return e[0] * S[0]; }
};
using LineMeasure = Measure<LineLaw, LineBatch>;
using HingeMeasure = Measure<HingeLaw, HingeBatch>;

/// Writes down strains and their rates.
template <class Metric>
class WritesStrain : public Metric::Law {
 public:
  WritesStrain(const typename Metric::Batch& batch, HeldStrain& held) : batch_(batch), held_(held) {}
  const typename Metric::Batch& batch() const override { return batch_; }
  bool has_symmetric_tangent(const DissipationRequest&) const override { return true; }

 protected:
  void write(const typename Metric::Point& here) const {
    const std::size_t first = at(Metric::components * Metric::cell(batch_, here));
    Metric::strain(here, &held_.strain[first]);
    Metric::rate(here, &held_.rate[first]);
  }

 private:
  const typename Metric::Batch& batch_;
  HeldStrain& held_;
};

template <class Metric>
class StrainWriter final : public WritesStrain<Metric> {
 public:
  using WritesStrain<Metric>::WritesStrain;
  void respond(const DissipationRequest&, const MeasurePoint& here, MeasureResponse& out) const override {
    out.tension = math::Pack4(0.0);
    this->write(here);
  }
};
template <>
class StrainWriter<GreenSheets> final : public WritesStrain<GreenSheets> {
 public:
  using WritesStrain::WritesStrain;
  void respond(const DissipationRequest&, const SheetPoint& here, math::Matrix32<math::Pack4>& P,
               StiffnessPacks) const override {
    for (math::Pack4& entry : P.m) entry = math::Pack4(0.0);
    write(here);
  }
};
template <>
class StrainWriter<GreenTets> final : public WritesStrain<GreenTets> {
 public:
  using WritesStrain::WritesStrain;
  TangentForm tangent_form() const override { return TangentForm::green; }
  void respond(const DissipationRequest&, const PackPoint& here, math::Matrix3<math::Pack4>& P,
               GreenTangent<math::Pack4>&, StiffnessPacks) const override {
    for (math::Pack4& entry : P.m) entry = math::Pack4(0.0);
    write(here);
  }
};

template <class Metric>
void hold_strains(const typename Metric::Batch& batch, const Vector& q, const Vector& v, HeldStrain& held) {
  const std::size_t size = at(Metric::components * Metric::num_cells(batch));
  held.strain.resize(size, math::Pack4(0.0));
  held.rate.resize(size, math::Pack4(0.0));
  const StrainWriter<Metric> writer(batch, held);
  const Vector none;
  evaluate_alone(writer, {q, v, none, 0, nullptr});
}

}  // namespace dashpot
