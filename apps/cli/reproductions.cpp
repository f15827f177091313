#include "reproductions.hpp"

namespace dashpot::cli {

const std::vector<Reproduction>& all_reproductions() {
  static const std::vector<Reproduction> table = {};
  return table;
}

}  // namespace dashpot::cli
