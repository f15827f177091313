#include "dashpot/projective/free_parts.hpp"

namespace dashpot {

std::vector<std::vector<int>> free_parts(const System& system) {
  const BlockPattern& pattern = *system.pattern();
  std::vector<std::vector<int>> parts;
  std::vector<int> part_of(static_cast<std::size_t>(pattern.num_blocks()), -1);
  for (int seed = 0; seed < pattern.num_blocks(); ++seed) {
    if (part_of[static_cast<std::size_t>(seed)] >= 0) continue;
    std::vector<int> blocks{seed};
    part_of[static_cast<std::size_t>(seed)] = seed;
    bool is_free = true;
    for (std::size_t next = 0; next < blocks.size(); ++next) {
      const auto row = static_cast<std::size_t>(blocks[next]);
      for (std::size_t c = 0; c < 3; ++c) is_free &= system.is_free()[3 * row + c] != 0;
      for (int s = pattern.row_start()[row]; s < pattern.row_start()[row + 1]; ++s) {
        const int other = pattern.column()[static_cast<std::size_t>(s)];
        if (part_of[static_cast<std::size_t>(other)] >= 0) continue;
        part_of[static_cast<std::size_t>(other)] = seed;
        blocks.push_back(other);
      }
    }
    if (is_free) parts.push_back(std::move(blocks));
  }
  return parts;
}

}  // namespace dashpot
