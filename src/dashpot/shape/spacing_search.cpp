#include "dashpot/shape/spacing_search.hpp"

#include <algorithm>
#include <cmath>

namespace dashpot {

double find_spacing(FunctionRef<double(double)> measure, double width, double wanted, int dimension,
                    const std::function<void(int)>& on_trial) {
  int trial = 0;
  const auto count = [&](double a) {
    if (on_trial) on_trial(trial++);
    return measure(a);
  };
  constexpr double enough = 200;  // elements from which on the power law is a good guide
  double a = 0.5 * width, n = 0;
  for (int step = 0; step < 30; ++step) {
    n = count(a);
    if (n >= enough || n >= wanted) break;
    a *= n > 20 ? 0.7 : 0.5;
  }
  double fine = 0, coarse = 0, best = a, best_error = 1e300;  // spacings with too many and too few elements
  for (int step = 0; step < 25; ++step) {
    const double error = std::abs(std::log(std::max(n, 0.5) / wanted));
    if (error < best_error) {
      best_error = error;
      best = a;
    }
    if (error < 0.005 || (step > 6 && best_error < 0.02)) break;
    (n > wanted ? fine : coarse) = a;
    double next = a * std::pow(std::max(n, 1.0) / wanted, 1.0 / dimension);
    // A guess beyond the bracket, or one that creeps: halve the bracket.
    if (fine > 0 && coarse > 0 && (!(next > fine && next < coarse) || step > 5)) next = std::sqrt(fine * coarse);
    if (next == a) break;
    a = next;
    n = count(a);
  }
  return best;
}

}  // namespace dashpot
