// Strain-rate laws of springs, bends and hinges: T = c a(|sdot|) sdot.

#include <utility>
#include <vector>

#include "dashpot/dissipation/law_rate.hpp"
#include "dashpot/dissipation/rate_factor.hpp"
#include "dashpot/element/hinge_law.hpp"
#include "dashpot/element/line_law.hpp"

namespace dashpot {
namespace {

using math::Pack4;

template <class Kind, class Batch>
class MeasureRateLaw : public Kind {
 public:
  MeasureRateLaw(std::shared_ptr<const Batch> batch, const Moduli& coefficients, const StrainRateOptions& options)
      : batch_(std::move(batch)),
        options_(options),
        c_(at(batch_->num_packs()), Pack4(0.0)),
        over_(at(batch_->num_packs()), Pack4(1.0)) {
    for (int i = 0; i < batch_->num_elements(); ++i) {
      c_[at(i / 4)].set(i % 4, coefficients.of(batch_->original(i))[0]);
      if (!coefficients.rest_size.empty())
        over_[at(i / 4)].set(i % 4, 1 / coefficients.rest_size[at(batch_->original(i))]);
    }
  }
  const Batch& batch() const override { return *batch_; }
  bool has_exact_tangent() const override { return options_.tangent == RateTangent::exact; }
  void respond(const DissipationRequest&, const MeasurePoint& here, MeasureResponse& out) const override {
    const Pack4 c = c_[at(here.pack)], strain_rate = over_[at(here.pack)] * here.rate,
                square = strain_rate * strain_rate;
    const formula::RateFactor<Pack4> a = rate_factor(options_, square);
    out.tension = c * a.factor * here.rate;
    out.by_measure = Pack4(0.0);
    out.by_rate = c * (a.factor + Pack4(2.0) * a.slope * square);
  }

 protected:
  std::shared_ptr<const Batch> batch_;
  StrainRateOptions options_;
  std::vector<Pack4> c_, over_;  ///< [N s/m] or [J s], and what makes the measure a strain, of four elements
};

class LineRateLaw final : public MeasureRateLaw<LineLaw, LineBatch> {
 public:
  using MeasureRateLaw::MeasureRateLaw;
  /// Bends of strands: their size is their angle, of straight edges at rest length. Springs have no small sizes.
  Blend blend() const override {
    return batch_->nodes_per_element() == 3 ? Blend{0.5 * options_.blend, options_.blend} : Blend{};
  }
};

using HingeRateLaw = MeasureRateLaw<HingeLaw, HingeBatch>;

}  // namespace

std::shared_ptr<const PointLaw> line_rate_law(std::shared_ptr<const LineBatch> batch, const Moduli& coefficients,
                                              const StrainRateOptions& options) {
  return std::make_shared<LineRateLaw>(std::move(batch), coefficients, options);
}

std::shared_ptr<const PointLaw> hinge_rate_law(std::shared_ptr<const HingeBatch> batch, const Moduli& coefficients,
                                               const StrainRateOptions& options) {
  return std::make_shared<HingeRateLaw>(std::move(batch), coefficients, options);
}

}  // namespace dashpot
