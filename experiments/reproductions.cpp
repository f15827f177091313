#include "reproductions.hpp"

#include <algorithm>

namespace dashpot::cli {

// Declares and lists the function of every file reproduce_<name>.cpp; written by experiments/CMakeLists.txt.
#include "reproduction_list.inc"

const std::vector<Reproduction>& all_reproductions() {
  static const std::vector<Reproduction> table = [] {
    std::vector<Reproduction> all = listed_reproductions();
    std::sort(all.begin(), all.end(), [](const Reproduction& a, const Reproduction& b) { return a.name < b.name; });
    return all;
  }();
  return table;
}

}  // namespace dashpot::cli
