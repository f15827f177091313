#include "dashpot/model/pattern_builder.hpp"

namespace dashpot {

void PatternBuilder::add_group(const int* blocks, int count) {
  blocks_.insert(blocks_.end(), blocks, blocks + count);
  start_.push_back(static_cast<int>(blocks_.size()));
}

std::shared_ptr<const BlockPattern> PatternBuilder::build(const DofLayout& layout) const {
  return std::make_shared<const BlockPattern>(layout, start_, blocks_);
}

}  // namespace dashpot
