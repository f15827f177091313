#include "dashpot/learn/nelder_mead.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "dashpot/core/error.hpp"

namespace dashpot::learn {
namespace {

struct Corner {
  Vector x;
  double value;
};

class Simplex {
 public:
  Simplex(const BoxedFunction& function, const SearchBudget& budget, CountedFunction& counted)
      : function_(function), budget_(budget), counted_(counted) {}

  /// Until it is small, flat, or the budget is used up.
  void search(const Vector& start, double size) {
    begin(start, size);
    while (!counted_.is_over() && !is_small() && !is_flat()) improve();
  }

 private:
  void begin(const Vector& start, double size) {
    corners_.assign(1, {start, counted_(start)});
    for (Eigen::Index k = 0; k < start.size(); ++k) {
      Vector x = start;
      // Towards the inside, where the border is near.
      x[k] += x[k] + size <= function_.high[k] ? size : -size;
      x = function_.into_box(x);
      corners_.push_back({x, counted_(x)});
    }
    sort();
  }

  void improve() {
    const auto n = static_cast<double>(corners_.size() - 1), dimension = std::max(n, 2.0);
    Vector center = Vector::Zero(corners_[0].x.size());
    for (std::size_t k = 0; k + 1 < corners_.size(); ++k) center += corners_[k].x / n;
    Corner& worst = corners_.back();
    const Vector away = center - worst.x;
    const auto tried = [&](double reach) {
      const Vector x = function_.into_box(center + reach * away);
      return Corner{x, counted_(x)};
    };
    const double contraction = 0.75 - 0.5 / dimension;
    const Corner reflected = tried(1);
    Corner chosen = reflected;
    if (reflected.value < corners_[0].value) {
      const Corner expanded = tried(1 + 2 / dimension);
      if (expanded.value < reflected.value) chosen = expanded;
    } else if (!(reflected.value < corners_[corners_.size() - 2].value)) {
      const bool outside = reflected.value < worst.value;
      const Corner contracted = tried(outside ? contraction : -contraction);
      if (!(contracted.value < std::min(reflected.value, worst.value))) return shrink(1 - 1 / dimension);
      chosen = contracted;
    }
    if (counted_.is_over()) return;
    worst = chosen;
    sort();
  }

  void shrink(double factor) {
    for (std::size_t k = 1; k < corners_.size(); ++k) {
      corners_[k].x = corners_[0].x + factor * (corners_[k].x - corners_[0].x);
      corners_[k].value = counted_(corners_[k].x);
    }
    sort();
  }

  bool is_small() const {
    double size = 0;
    for (const Corner& corner : corners_) size = std::max(size, (corner.x - corners_[0].x).cwiseAbs().maxCoeff());
    return size <= budget_.least_size;
  }
  bool is_flat() const {
    return std::isfinite(corners_.back().value) &&
           corners_.back().value - corners_.front().value < budget_.least_decrease;
  }
  void sort() {
    std::stable_sort(corners_.begin(), corners_.end(),
                     [](const Corner& a, const Corner& b) { return a.value < b.value; });
  }

  const BoxedFunction& function_;
  const SearchBudget& budget_;
  CountedFunction& counted_;
  std::vector<Corner> corners_;  ///< best first
};

}  // namespace

SearchOutcome nelder_mead(const BoxedFunction& function, const Vector& start, const SearchBudget& budget) {
  check_box(function, start);
  CountedFunction counted(function, budget);
  SearchOutcome& outcome = counted.outcome();
  Simplex simplex(function, budget, counted);
  double size = budget.first_size;
  simplex.search(function.into_box(start), size);
  while (!counted.is_over() && outcome.num_restarts < budget.max_restarts) {
    const double before = outcome.value;
    size *= 0.5;
    ++outcome.num_restarts;
    simplex.search(Vector(outcome.x), size);
    if (!(outcome.value < before - budget.least_decrease)) break;
  }
  return outcome;
}

}  // namespace dashpot::learn
