#include "dashpot/model/terms.hpp"

namespace dashpot {

void PatternBuilder::add_group(const int* blocks, int count) {
  blocks_.insert(blocks_.end(), blocks, blocks + count);
  start_.push_back(static_cast<int>(blocks_.size()));
}

std::shared_ptr<const BlockPattern> PatternBuilder::build(int block_size, int num_blocks) const {
  return std::make_shared<const BlockPattern>(block_size, num_blocks, start_, blocks_);
}

}  // namespace dashpot
