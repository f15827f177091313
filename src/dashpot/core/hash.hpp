#pragma once
// FNV-1a, 64 bit: fingerprints of states and input files (not cryptographic).
#include <cstddef>
#include <cstdint>
#include <string>

#include "dashpot/core/types.hpp"

namespace dashpot {

class Hash {
 public:
  Hash& bytes(const void* data, std::size_t size) {
    const auto* p = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < size; ++i) value_ = (value_ ^ p[i]) * 1099511628211ULL;
    return *this;
  }
  Hash& vector(const ConstVectorRef& v) { return bytes(v.data(), static_cast<std::size_t>(v.size()) * sizeof(double)); }
  Hash& text(const std::string& s) { return bytes(s.data(), s.size()); }
  Hash& number(double d) { return bytes(&d, sizeof d); }
  std::uint64_t value() const { return value_; }
  std::string hex() const;

 private:
  std::uint64_t value_ = 14695981039346656037ULL;
};

}  // namespace dashpot
