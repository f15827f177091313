#pragma once
// Bytes as a shape file, where the reader accepts them without an error.
#include <cstdint>
#include <optional>
#include <string_view>

#include "dashpot/shape/shape.hpp"

namespace dashpot {

inline std::optional<Shape> accepted_shape(const std::uint8_t* data, std::size_t size) {
  ParsedShape parsed = parse_shape(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz.json");
  for (const Problem& problem : parsed.problems)
    if (problem.severity == Problem::Severity::error) return std::nullopt;
  return std::move(parsed.shape);
}

/// The node that is meshed; -1: none.
inline int meshed_node(const Shape& shape) { return shape.sheet ? shape.sheet->node : shape.root; }

}  // namespace dashpot
