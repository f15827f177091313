#pragma once
// Looking into pages and drawings.

#include <string>

namespace dashpot::render {

/// How often a word stands in a text.
inline int count(const std::string& text, const std::string& word) {
  int n = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++n;
  return n;
}

}  // namespace dashpot::render
