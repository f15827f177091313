#include "dashpot/integrate/stage_table.hpp"

#include <algorithm>
#include <cmath>

namespace dashpot {

LinearForm::LinearForm(Known known) : coefficient_(static_cast<std::size_t>(known) + 1, 0.0) {
  coefficient_.back() = 1;
}

LinearForm& LinearForm::operator+=(const LinearForm& other) {
  if (other.size() > size()) coefficient_.resize(other.size(), 0.0);
  for (std::size_t i = 0; i < other.size(); ++i) coefficient_[i] += other.coefficient_[i];
  return *this;
}

LinearForm& LinearForm::operator*=(double scale) {
  for (double& c : coefficient_) c *= scale;
  return *this;
}

LinearForm operator+(LinearForm a, const LinearForm& b) { return a += b; }
LinearForm operator-(const LinearForm& a, const LinearForm& b) { return a + (-1.0) * b; }
LinearForm operator*(double scale, LinearForm a) { return a *= scale; }
LinearForm operator/(const LinearForm& a, double divisor) { return (1 / divisor) * a; }

bool agree(const LinearForm& a, const LinearForm& b, double tolerance) {
  double largest = 0, difference = 0;
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    largest = std::max({largest, std::abs(a[i]), std::abs(b[i])});
    difference = std::max(difference, std::abs(a[i] - b[i]));
  }
  return difference <= tolerance * largest;
}

bool StageTable::evaluates(Evaluation where) const {
  for (const WorkInterval& interval : work)
    for (const Weight& weight : interval.force)
      if (weight.where == where && weight.weight != 0) return true;
  return false;
}

double StageTable::time_of(Evaluation where) const {
  if (where == Evaluation::start) return 0;
  if (where == Evaluation::end) return 1;
  return stages[static_cast<std::size_t>(where) - static_cast<std::size_t>(Evaluation::first_stage)].time;
}

StageTable one_stage_table(const LinearForm& v, const LinearForm& a, const LinearForm& guess,
                           const std::vector<Weight>& force, std::vector<Weight> residual) {
  const LinearForm d = stage_unknown(0);
  StageTable table;
  table.stages = {Stage{1, v, a, guess}};
  table.displacement_end = d;
  table.v_end = v;
  table.a_end = a;
  table.work = {WorkInterval{d, 1, force, std::move(residual), force}};
  return table;
}

}  // namespace dashpot
