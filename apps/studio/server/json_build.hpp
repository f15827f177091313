#pragma once
// Small helpers to put together the JSON that the studio sends.

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "dashpot/core/json_document.hpp"
#include "dashpot/core/types.hpp"

namespace dashpot::studio {

/// null where the number is not finite, because JSON has no word for that.
JsonValue json(double value);
inline JsonValue json(int value) { return json(static_cast<double>(value)); }
inline JsonValue json(bool value) { return JsonValue::of(value); }
inline JsonValue json(const std::string& value) { return JsonValue::of(value); }
inline JsonValue json(const char* value) { return JsonValue::of(value); }
inline JsonValue json(JsonValue value) { return value; }
JsonValue json(const Vec3& value);
JsonValue json(const std::vector<double>& values);
JsonValue json(const std::vector<std::string>& values);

/// {"a": ..., "b": ...}
JsonValue object(std::initializer_list<std::pair<const char*, JsonValue>> members);

/// On one line, as messages are sent.
std::string compact(const JsonValue& value);

}  // namespace dashpot::studio
