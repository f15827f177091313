#include "compass_search.hpp"

#include <cmath>

#include "interrupt.hpp"

namespace dashpot::cli {

Lowest compass_search(const std::function<double(const std::vector<double>&)>& f, std::vector<double> x, double step,
                      double precision) {
  Lowest best{x, f(x), 1};
  while (step >= precision && !interrupted()) {
    bool better = false;
    for (std::size_t i = 0; i < x.size() && !better; ++i)
      for (const double sign : {1.0, -1.0}) {
        std::vector<double> trial = best.x;
        trial[i] *= std::pow(10, sign * step);
        const double value = f(trial);
        ++best.evaluations;
        if (!(value < 0.999 * best.value)) continue;
        best.x = trial, best.value = value, better = true;
        break;
      }
    if (!better) step /= 2;
  }
  return best;
}

}  // namespace dashpot::cli
