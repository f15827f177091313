#pragma once
// Lines of a VegaFEM .veg file, with those of the files it includes.

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dashpot/mesh/raw_mesh.hpp"
#include "dashpot/mesh/read.hpp"
#include "dashpot/mesh/text_scanner.hpp"

namespace dashpot {

/// Lines with content, following *INCLUDE.
class VegLines {
 public:
  VegLines(std::string_view bytes, RawMesh& raw, const IncludeLoader& include);

  /// Next line that is neither empty nor a comment; nothing at the end.
  std::optional<std::string_view> next();
  /// The last line is read again.
  void put_back() { kept_ = last_; }
  RawMesh::Place place() const { return place_; }
  /// Bytes that can still follow, in all open files.
  std::size_t remaining() const;

 private:
  struct Open {
    TextScanner scanner;
    std::size_t file;
  };
  void open_include(std::string_view name);

  RawMesh& raw_;
  const IncludeLoader& include_;
  std::vector<Open> open_;
  std::deque<std::string> contents_;
  std::optional<std::string_view> kept_;
  std::string_view last_;
  RawMesh::Place place_ = 0;
};

}  // namespace dashpot
