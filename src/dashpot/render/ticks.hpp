#pragma once
// Where an axis is labeled, and how numbers are written there.
#include <string>
#include <vector>

namespace dashpot::render {

struct Ticks {
  std::vector<double> major;
  std::vector<double> minor;        ///< logarithmic axes only
  std::vector<std::string> labels;  ///< one per major tick
  std::string unit;                 ///< unit after scaling: "mJ", "10⁻⁹ m", "10³"
};

/// Steps of 1, 2 or 5 times a power of ten, about `wanted` of them within [low, high]; large and small numbers are
/// scaled by powers of 1000 into the unit (an SI prefix where the unit has one).
Ticks linear_ticks(double low, double high, int wanted, const std::string& unit);
/// Whole decades (or every n-th); 1, 2, 5 or all digits when there are fewer than two decades, even steps when not
/// even two digits lie inside. 0 < low < high.
Ticks log_ticks(double low, double high, int wanted, const std::string& unit);

/// A unit with a prefix (or power of ten) in which numbers of size `magnitude` read well: value / factor is in `unit`.
struct ReadableUnit {
  double factor = 1;
  std::string unit;
};
ReadableUnit readable_unit(double magnitude, const std::string& unit);

/// "10⁻³".
std::string power_of_ten(int exponent);
/// A number for people: `digits` significant ones, powers of ten spelled "1.2×10⁻⁵", a real minus sign, "—" for NaN.
std::string plain_number(double value, int digits = 4);

}  // namespace dashpot::render
