// Bouc-Wen hysteresis at springs and hinges.

#include <numbers>

#include "dashpot/dissipation/bouc_wen_law.hpp"
#include "dashpot/dissipation/formula/hysteresis.hpp"
#include "dashpot/dissipation/law_held_strain.hpp"
#include "dashpot/element/gather.hpp"

namespace dashpot {
namespace {

using math::Pack4;

template <class Metric>
class BoucWenOf final : public Metric::Law, public BoucWenLaw {
 public:
  using Batch = typename Metric::Batch;

  BoucWenOf(std::shared_ptr<const Batch> batch, const Moduli& moduli, const BoucWenOptions& options)
      : batch_(std::move(batch)),
        options_(options),
        stiffness_(at(batch_->num_packs()), Pack4(0.0)),
        yield_(at(batch_->num_packs()), Pack4(options.yield)) {
    for (int i = 0; i < batch_->num_elements(); ++i) {
      const int e = batch_->original(i);
      stiffness_[at(i / 4)].set(i % 4, options.share * moduli.of(e)[0]);
      if (!moduli.rest_size.empty()) yield_[at(i / 4)].set(i % 4, options.yield * moduli.rest_size[at(e)]);
    }
  }
  const Batch& batch() const override { return *batch_; }
  bool has_symmetric_tangent(const DissipationRequest&) const override { return true; }
  const PointLaw& point_law() const override { return *this; }
  int num_internal_variables() const override { return 4 * batch_->num_packs(); }
  std::unique_ptr<TermScratch> make_scratch() const override { return std::make_unique<HeldStrain>(); }
  void begin_step(const State& state, TermScratch& scratch) const override {
    hold_strains<Metric>(*batch_, state.q, state.v, static_cast<HeldStrain&>(scratch));
  }

  void respond(const DissipationRequest& request, const MeasurePoint& here, MeasureResponse& out) const override {
    const std::size_t pack = at(here.pack);
    Pack4 z = Pack4::load(request.internal_variables.data() + 4 * pack), slope(1.0);
    if (request.dt > 0) {
      const Pack4 y = z / yield_[pack],
                  u = (here.measure - static_cast<const HeldStrain&>(*request.scratch).strain[pack]) / yield_[pack];
      for (int l = 0; l < 4; ++l) {
        const formula::Hysteresis next = formula::follow_hysteresis(y[l], u[l], options_.exponent, options_.delta);
        z.set(l, next.y * yield_[pack][l]);
        slope.set(l, next.slope);
      }
    }
    if (request.new_internal_variables != nullptr) z.store(request.new_internal_variables->data() + 4 * pack);
    out.tension = stiffness_[pack] * z;
    out.by_measure = stiffness_[pack] * slope;
    out.by_rate = Pack4(0.0);
  }

  double stored_energy(const Vector& internal_variables) const override {
    double energy = 0;
    for (std::size_t pack = 0; pack < stiffness_.size(); ++pack) {
      const Pack4 z = Pack4::load(internal_variables.data() + 4 * pack), here = stiffness_[pack] * z * z;
      for (int l = 0; l < 4; ++l) energy += 0.5 * here[l];
    }
    return energy;
  }
  std::complex<double> cycle_work(const Vector& q, const Vector& u, double amplitude) const override {
    HeldStrain strained;
    hold_strains<Metric>(*batch_, q, u, strained);
    std::complex<double> work = 0;
    for (int i = 0; i < batch_->num_elements(); ++i) {
      const std::size_t pack = at(i / 4);
      const double s = strained.rate[pack][i % 4], stiffness = stiffness_[pack][i % 4];
      if (s != 0) work += stiffness * s * s * first_harmonic(amplitude * std::abs(s) / yield_[pack][i % 4], options_);
    }
    return work;
  }

 private:
  std::shared_ptr<const Batch> batch_;
  BoucWenOptions options_;
  std::vector<Pack4> stiffness_, yield_;  ///< g c, zero in surplus lanes, and z_0
};

}  // namespace

std::complex<double> first_harmonic(double A, const BoucWenOptions& options) {
  if (!(A > 0)) return 1;
  constexpr int points = 512, cycles = 4;  // Dahl's loop closes by exp(-2 A) a half cycle
  double y = 0, last = 0;
  std::complex<double> sum = 0;
  for (int i = 1; i <= cycles * points; ++i) {
    const double t = 2 * std::numbers::pi * i / points, u = A * std::sin(t);
    y = formula::follow_hysteresis(y, u - last, options.exponent, options.delta).y;
    last = u;
    if (i > (cycles - 1) * points) sum += y * std::complex<double>(std::sin(t), std::cos(t));
  }
  return 2.0 / (points * A) * sum;
}

std::shared_ptr<const BoucWenLaw> make_bouc_wen_law(const std::shared_ptr<ElementBatch>& batch, const Moduli& moduli,
                                                    const BoucWenOptions& options) {
  if (moduli.kind == Moduli::Kind::hinge)
    return std::make_shared<BoucWenOf<HingeMeasure>>(std::static_pointer_cast<const HingeBatch>(batch), moduli,
                                                     options);
  return std::make_shared<BoucWenOf<LineMeasure>>(std::static_pointer_cast<const LineBatch>(batch), moduli, options);
}

}  // namespace dashpot
