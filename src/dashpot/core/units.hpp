#pragma once
// Physical quantities as people write them: "12 kPa", "3 Hz", "5 %", "5 ms", "0.1 /s", "1 g/cm3". SI inside.
//
// A unit is a product of symbols with integer exponents: "kg/m3", "N s/m", "m/s^2", "/s". After a slash only further
// slashes may follow ("N/m/s", never "kg/m s"), so that no expression has two readings. Dimensions are exponents of
// mass, length, time and turn (a full rotation): a frequency [Hz = turn/s] is not a rate [1/s], but "6.28 rad/s" is a
// frequency. The number is shifted in decimal before it is rounded: "0.1 ms" is bit for bit 0.0001.

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace dashpot {

/// What a number means. A plain number without a unit is in the SI unit of its quantity.
enum class Quantity {
  number,              ///< dimensionless
  ratio,               ///< dimensionless, "5 %" accepted
  length,              ///< [m]
  area,                ///< [m^2]
  time,                ///< [s]
  mass,                ///< [kg]
  frequency,           ///< [Hz]
  rate,                ///< [1/s]
  angle,               ///< [rad]
  angular_velocity,    ///< [rad/s]
  velocity,            ///< [m/s]
  acceleration,        ///< [m/s^2]
  force,               ///< [N]
  pressure,            ///< [Pa]: moduli, stresses
  density,             ///< [kg/m^3]
  stiffness,           ///< [N/m]: springs
  viscosity,           ///< [Pa s]
  damper,              ///< [N s/m]: dashpots
  energy,              ///< [J]
  pressure_stiffness,  ///< [Pa/m]: contact pressure per overlap
  slowness,            ///< [s/m]: inverse speed
  bending_viscosity,   ///< [J s]: of sheets, moment per length and rate of curvature
  linear_density,      ///< [kg/m]: of yarns
  rod_bending,         ///< [N m^2]: of yarns, moment per curvature
};

/// Exponents of mass, length, time and turn.
using Dimension = std::array<int, 4>;

/// What is known of a quantity; one row of a table.
struct QuantityInfo {
  Quantity quantity;
  const char* name;     ///< "a time"
  const char* unit;     ///< "s"; empty for plain numbers
  const char* example;  ///< "5 ms"
};
const QuantityInfo& quantity_info(Quantity quantity);
const std::vector<QuantityInfo>& all_quantities();

/// Result of reading a quantity; `error` is empty on success.
struct ParsedQuantity {
  double value = 0;   ///< in the SI unit of the quantity
  std::string error;  ///< "found '3 kg', expected a time such as '5 ms'"
};

/// Reads "5 ms" (or "0.005") as the quantity asked for. Never throws.
ParsedQuantity parse_quantity(std::string_view text, Quantity quantity);

/// The shortest text that parse_quantity reads back to the same bits: "5 ms", "12 kPa", "0.4".
std::string format_quantity(double value, Quantity quantity);

/// For people, rounded to `digits` significant digits: "4.93 kPa".
std::string describe_quantity(double value, Quantity quantity, int digits = 4);

}  // namespace dashpot
