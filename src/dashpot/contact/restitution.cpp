#include "dashpot/contact/restitution.hpp"

#include <cmath>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"

namespace dashpot::contact {
namespace {

/// y - ln(1 + y) without cancellation.
double energy_in(double y) {
  if (y > 1e-4) return y - std::log1p(y);
  return y * y * (0.5 - y * (1.0 / 3 - y * 0.25));
}

}  // namespace

double restitution_of(double damping, double speed) {
  const double y = damping * speed;
  if (y <= 0) return 1;
  double low = 0, high = 1;  // the energy given back rises with e
  for (int i = 0; i < 60; ++i) {
    const double e = 0.5 * (low + high), back = e * y;
    (back * back * (0.5 + back / 3) < energy_in(y) ? low : high) = e;
  }
  return 0.5 * (low + high);
}

double damping_for_restitution(double restitution, double speed) {
  if (!(restitution > 0 && restitution <= 1) || !(speed > 0) || !std::isfinite(speed))
    throw Error(Problem{"", fmt::format("restitution = {:.6g} at {:.6g} m/s", restitution, speed),
                        "0 < restitution <= 1 at a speed above zero", "1 is lossless, 0.5 a dead basketball"});
  if (restitution == 1) return 0;
  double low = 1e-12, high = 1e12;  // y; restitution falls from 1 towards 0 as y grows
  for (int i = 0; i < 200 && high > low * (1 + 1e-15); ++i) {
    const double y = std::sqrt(low * high);
    (restitution_of(y, 1) > restitution ? low : high) = y;
  }
  return std::sqrt(low * high) / speed;
}

}  // namespace dashpot::contact
