#pragma once
// Option values with units: "5 ms", "2 Hz:0.02,20 Hz:0.02". All that cannot be read is reported at once.
#include <string>
#include <utility>
#include <vector>

#include "dashpot/core/error.hpp"
#include "dashpot/core/units.hpp"

namespace dashpot::cli {

/// The command line itself is wrong: exit code 2.
class UsageError : public Error {
  using Error::Error;
};

/// Reads option values and remembers what was wrong with them.
class OptionReader {
 public:
  /// Value in SI units; NaN (and a problem) when it cannot be read. `option` is its name, e.g. "--dt".
  double quantity(const std::string& option, const std::string& text, Quantity quantity);
  /// "1 Hz, 2 Hz": one value per comma.
  std::vector<double> list(const std::string& option, const std::string& text, Quantity quantity);
  /// "2 Hz:0.02, 20 Hz:0.03": pairs.
  std::vector<std::pair<double, double>> pairs(const std::string& option, const std::string& text, Quantity first,
                                               Quantity second);
  void add_problem(Problem problem) { problems_.push_back(std::move(problem)); }
  /// Throws UsageError with all problems, if there are any.
  void finish() const;

 private:
  std::vector<Problem> problems_;
};

/// A positive length [m] in an option such as "--spacing"; 0 where it was not given. Throws UsageError.
double length_option(const std::string& option, const std::string& text);

/// "a, b,c" -> {"a", "b", "c"}, blanks trimmed; empty pieces are kept.
std::vector<std::string> split_list(const std::string& text, char separator);

}  // namespace dashpot::cli
