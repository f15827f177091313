#pragma once
// Values of a shape file with their units and ranges; every slip becomes a Problem with file:line:column and reading
// goes on. Internal to the shape reader.

#include <string>
#include <vector>

#include "dashpot/core/json_document.hpp"
#include "dashpot/core/types.hpp"
#include "dashpot/core/units.hpp"

namespace dashpot {

struct ValueReader {
  std::string file;
  std::vector<Problem> problems;

  void problem(const JsonValue& at, std::string found, std::string expected, std::string remedy = {});
  void warn(const JsonValue& at, std::string found, std::string remedy);
  bool has_errors() const;

  // Each returns whether `out` was set. `what` names the value in messages.
  bool number(const JsonValue& value, const std::string& what, Quantity quantity, double low, double high, double& out);
  /// A length that must be positive.
  bool size(const JsonValue& value, const std::string& what, double& out);
  bool integer(const JsonValue& value, const std::string& what, int low, int high, int& out);
  bool vector(const JsonValue& value, const std::string& what, Quantity quantity, Vec3& out);
  bool sizes(const JsonValue& value, const std::string& what, Vec3& out);
  /// Three angles; plain numbers are degrees.
  bool degrees(const JsonValue& value, const std::string& what, Vec3& out);
  /// A direction, "x", "y", "z" or three numbers, normalized.
  bool direction(const JsonValue& value, const std::string& what, Vec3& out);
  /// "#rrggbb".
  bool color(const JsonValue& value, Vec3& out);
  bool text(const JsonValue& value, const std::string& what, std::string& out);
};

/// The members of one object: asked for one by one, the rest is unknown.
class ObjectReader {
 public:
  ObjectReader(ValueReader& reader, const JsonValue& object, std::string what);
  /// The member, or nullptr; its name is known from now on.
  const JsonValue* find(const std::string& name);
  /// The same, with a problem when it is missing.
  const JsonValue* need(const std::string& name, const std::string& example);
  /// Reports members nobody asked for.
  void finish();

 private:
  ValueReader& reader_;
  const JsonValue& object_;
  std::string what_;
  std::vector<std::string> known_;
};

}  // namespace dashpot
