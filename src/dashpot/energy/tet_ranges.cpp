#include "dashpot/energy/tet_ranges.hpp"

#include <algorithm>
#include <map>

#include "dashpot/core/spin_team.hpp"

namespace dashpot {
namespace {

constexpr int max_ranges = 8;
constexpr int least_tets = 256;  // in a range: some ten microseconds of work

constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

TetRanges::TetRanges(const TetBatch& batch, int lanes) : lanes_(lanes) {
  const int num_ranges = std::clamp(batch.num_tets() / least_tets, 1, max_ranges);
  const std::vector<int>& packs = batch.curve_packs();
  for (int r = 0; r < num_ranges; ++r) {
    const auto piece = [&](int k) { return static_cast<int>(packs.size() * at(k) / at(num_ranges)); };
    Range range;
    range.first_pack = num_packs();
    for (int k = piece(r); k < piece(r + 1); ++k)
      for (int i = packs[at(k)] * TetBatch::lanes; i < std::min((packs[at(k)] + 1) * TetBatch::lanes, batch.num_tets());
           ++i)
        element_.push_back(i);
    while (element_.size() % at(lanes_) != 0) element_.push_back(-1);
    range.end_pack = num_packs();
    ranges_.push_back(range);
  }
  number_nodes(batch);
}

void TetRanges::number_nodes(const TetBatch& batch) {
  std::map<int, int> num_ranges_of;  // by block
  std::vector<std::vector<int>> blocks_of(ranges_.size());
  for (std::size_t r = 0; r < ranges_.size(); ++r) {
    std::vector<int>& blocks = blocks_of[r];
    for (int k = ranges_[r].first_pack * lanes_; k < ranges_[r].end_pack * lanes_; ++k)
      if (element_[at(k)] >= 0)
        blocks.insert(blocks.end(), batch.blocks(element_[at(k)]), batch.blocks(element_[at(k)]) + 4);
    std::sort(blocks.begin(), blocks.end());
    blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
    for (const int block : blocks) ++num_ranges_of[block];
  }
  std::map<int, std::vector<int>> places;  // of shared blocks
  node_.resize(4 * element_.size());
  for (std::size_t r = 0; r < ranges_.size(); ++r) {
    Range& range = ranges_[r];
    range.first_node = static_cast<int>(block_.size());
    std::map<int, int> local;
    const auto append = [&](bool shared) {
      for (const int block : blocks_of[r]) {
        if ((num_ranges_of[block] > 1) != shared) continue;
        local[block] = static_cast<int>(block_.size()) - range.first_node;
        if (shared) places[block].push_back(static_cast<int>(block_.size()));
        block_.push_back(block);
      }
    };
    append(false);
    range.end_private = static_cast<int>(block_.size());
    append(true);
    range.end_node = static_cast<int>(block_.size());
    int last = 0;
    for (int k = range.first_pack * lanes_; k < range.end_pack * lanes_; ++k) {
      if (element_[at(k)] >= 0) last = element_[at(k)];
      for (int a = 0; a < 4; ++a)
        node_[at(4 * lanes_ * (k / lanes_) + lanes_ * a + k % lanes_)] = local[batch.blocks(last)[a]];
    }
  }
  shared_start_ = {0};
  for (const auto& [block, where] : places) {
    shared_at_.insert(shared_at_.end(), where.begin(), where.end());
    shared_start_.push_back(static_cast<int>(shared_at_.size()));
  }
  x_.resize(block_.size());
  f_.resize(block_.size());
}

void TetRanges::run(const Vector& q, Vector& force, Body body) {
  const auto add = [&](int k, const Four& f) {
    double* to = force.data() + 3 * at(block_[at(k)]);
    for (int c = 0; c < 3; ++c) to[c] += f.v[c];
  };
  spin_parallel_for(static_cast<int>(ranges_.size()), [&](int r) {
    const Range& range = ranges_[at(r)];
    for (int k = range.first_node; k < range.end_node; ++k) {
      const double* from = q.data() + 3 * at(block_[at(k)]);
      x_[at(k)] = {{from[0], from[1], from[2], 0}};
      f_[at(k)] = Four{};
    }
    body(range.first_pack, range.end_pack, x_.data() + range.first_node, f_.data() + range.first_node);
    for (int k = range.first_node; k < range.end_private; ++k) add(k, f_[at(k)]);
  });
  for (std::size_t s = 0; s + 1 < shared_start_.size(); ++s)
    for (int k = shared_start_[s]; k < shared_start_[s + 1]; ++k) add(shared_at_[at(k)], f_[at(shared_at_[at(k)])]);
}

}  // namespace dashpot
