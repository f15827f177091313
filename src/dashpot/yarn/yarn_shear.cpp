#include "dashpot/yarn/yarn_shear.hpp"

#include <limits>

#include "dashpot/yarn/bend_elements.hpp"
#include "dashpot/yarn/family_parameters.hpp"
#include "dashpot/yarn/formula/shear.hpp"

namespace dashpot {

YarnShear::YarnShear(std::string body, std::shared_ptr<YarnBatch> corners, double stiffness)
    : body_(std::move(body)), corners_(std::move(corners)), stiffness_(stiffness) {
  check_family_values(body_, parameters());
}

double YarnShear::evaluate(const EnergyRequest& request) const {
  const YarnBatch& batch = *corners_;
  return batch.sum_over_chunks([&](int begin, int end) {
    double sum = 0;
    for (int i = begin; i < end; ++i) {
      const formula::Bend<double> corner = bend_difference(batch, corner_from, request.q, i);
      const formula::BendFrame<double> frame = formula::bend_frame(corner);
      if (!(frame.sine > 1e-9)) return std::numeric_limits<double>::infinity();
      formula::BendGradient<double> gradient;
      sum += formula::shear_energy(stiffness_, frame, gradient);
      if (request.gradient != nullptr) add_bend_force(batch, corner_from, i, gradient, *request.gradient);
      if (request.hessian == nullptr) continue;
      BendSum tangent(corner_from);
      if (request.projection == Projection::none) {
        const formula::PairHessian<double> H = formula::shear_hessian(stiffness_, corner, frame);
        double J[49] = {};
        for (int r = 0; r < 3; ++r)
          for (int c = 0; c < 3; ++c) {
            J[7 * r + c] = request.hessian_scale * H.aa[3 * r + c];
            J[7 * (3 + r) + 3 + c] = request.hessian_scale * H.bb[3 * r + c];
            J[7 * r + 3 + c] = J[7 * (3 + c) + r] = request.hessian_scale * H.ab[3 * r + c];
          }
        tangent.add_matrix(J);
      } else {
        tangent.add_square(request.hessian_scale * stiffness_, frame.of_angle);
      }
      tangent.scatter(batch, i, *request.hessian);
    }
    return sum;
  });
}

ParameterList YarnShear::parameters() const {
  ParameterInfo info;
  info.name = "shear";
  info.quantity = Quantity::energy;
  info.values = {stiffness_};
  info.low = 0;
  return {info};
}

std::shared_ptr<EnergyTerm> YarnShear::remade(const double* values, const Replacements&) const {
  if (values[0] == stiffness_) return nullptr;
  auto successor = std::make_shared<YarnShear>(*this);
  successor->stiffness_ = values[0];
  return successor;
}

}  // namespace dashpot
