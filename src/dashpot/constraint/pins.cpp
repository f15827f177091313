#include "dashpot/constraint/pins.hpp"

#include <cassert>
#include <cmath>
#include <numbers>

namespace dashpot {

Pins::Pins(std::vector<int> dofs, std::vector<double> values) : dofs_(std::move(dofs)), values_(std::move(values)) {
  assert(dofs_.size() == values_.size());
}

void Pins::prescribe(double, Vector* q, Vector* v, Vector* a) const {
  for (std::size_t i = 0; i < dofs_.size(); ++i) {
    if (q) (*q)[dofs_[i]] = values_[i];
    if (v) (*v)[dofs_[i]] = 0;
    if (a) (*a)[dofs_[i]] = 0;
  }
}

std::array<double, 3> HarmonicMotion::evaluate(double time) const {
  const double t = time - start;
  if (t < 0) return {0, 0, 0};
  const double w = 2 * std::numbers::pi * frequency;
  const double s = std::sin(w * t + phase), c = std::cos(w * t + phase);
  const std::array<double, 3> wave = {s, w * c, -w * w * s};
  if (ramp <= 0 || t >= ramp) return wave;
  const double x = t / ramp;  // fade 10x^3 - 15x^4 + 6x^5 and its derivatives
  const double f0 = x * x * x * (10 + x * (-15 + 6 * x));
  const double f1 = 30 * x * x * (1 - x) * (1 - x) / ramp;
  const double f2 = 60 * x * (1 - x) * (1 - 2 * x) / (ramp * ramp);
  return {f0 * wave[0], f1 * wave[0] + f0 * wave[1], f2 * wave[0] + 2 * f1 * wave[1] + f0 * wave[2]};
}

ShakenSupport::ShakenSupport(std::vector<int> dofs, std::vector<int> axes, std::vector<double> values,
                             HarmonicMotion motion)
    : dofs_(std::move(dofs)), axes_(std::move(axes)), values_(std::move(values)), motion_(std::move(motion)) {
  assert(dofs_.size() == values_.size() && dofs_.size() == axes_.size());
}

void ShakenSupport::prescribe(double time, Vector* q, Vector* v, Vector* a) const {
  const std::array<double, 3> s = motion_.evaluate(time);
  for (std::size_t i = 0; i < dofs_.size(); ++i) {
    const double amplitude = motion_.amplitude[axes_[i]];
    if (q) (*q)[dofs_[i]] = values_[i] + amplitude * s[0];
    if (v) (*v)[dofs_[i]] = amplitude * s[1];
    if (a) (*a)[dofs_[i]] = amplitude * s[2];
  }
}

}  // namespace dashpot
