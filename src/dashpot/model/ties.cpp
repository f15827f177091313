#include "dashpot/model/ties.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "dashpot/core/error.hpp"
#include "dashpot/core/types.hpp"

namespace dashpot {
namespace {

constexpr double weight_tolerance = 1e-9;  // of the sum of weights

void check_tie(const Tie& tie, const DofLayout& layout, std::vector<Problem>& problems) {
  const int num_blocks = layout.num_blocks();
  const auto exists = [&](int block) { return block >= 0 && block < num_blocks; };
  const auto refuse = [&](std::string found, std::string expected, std::string remedy = {}) {
    problems.push_back(
        {"", fmt::format("block {} is tied {}", tie.block, found), std::move(expected), std::move(remedy)});
  };
  if (!exists(tie.block)) return refuse("but does not exist", fmt::format("blocks 0 to {}", num_blocks - 1));
  for (const int master : tie.masters)
    if (!exists(master))
      return refuse(fmt::format("to block {}", master), fmt::format("blocks 0 to {}", num_blocks - 1));
  const int size = layout.size(tie.block);
  if (tie.offset.size() != 0 && (tie.offset.size() != size || !tie.offset.allFinite()))
    refuse("with an offset of wrong size or not finite", fmt::format("{} finite numbers", size));
  if (!tie.maps.empty()) {
    bool fits = tie.maps.size() == tie.masters.size();
    for (std::size_t k = 0; fits && k < tie.maps.size(); ++k)
      fits = tie.maps[k].rows() == size && tie.maps[k].cols() == layout.size(tie.masters[k]) && tie.maps[k].allFinite();
    if (!fits) refuse("by maps of wrong size or not finite", "one finite map a block, of the sizes of both");
    return;
  }
  if (tie.masters.empty() || tie.masters.size() != tie.weights.size())
    return refuse(fmt::format("to {} blocks with {} weights", tie.masters.size(), tie.weights.size()),
                  "as many weights as blocks, at least one");
  for (const int master : tie.masters)
    if (layout.size(master) != size)
      refuse(fmt::format("to block {}, which has {} coordinates", master, layout.size(master)),
             fmt::format("blocks of {} coordinates, or a map", size));
  double sum = 0, total = 0;
  for (const double weight : tie.weights) {
    sum += weight;
    total += std::abs(weight);
  }
  if (!(std::abs(sum - 1) <= weight_tolerance * std::max(1.0, total)))
    refuse(fmt::format("by weights that sum to {:.9g}", sum), "weights that sum to 1",
           "divide the weights by their sum");
}

/// Part of a master in what follows it: a number times the identity, or a map.
struct Share {
  double weight = 0;
  Matrix map;  ///< empty: the number counts

  Share times(const Share& inner) const {
    if (map.size() == 0) return {weight * inner.weight, weight * inner.map};
    return {0, inner.map.size() == 0 ? Matrix(inner.weight * map) : Matrix(map * inner.map)};
  }
  Vector times(const Vector& x) const { return map.size() == 0 ? Vector(weight * x) : Vector(map * x); }
  void add(const Share& other) {
    if (map.size() == 0 && other.map.size() == 0) {
      weight += other.weight;
    } else {
      const auto dense = [](const Share& share, Eigen::Index rows, Eigen::Index columns) {
        return share.map.size() > 0 ? share.map : Matrix(share.weight * Matrix::Identity(rows, columns));
      };
      const Matrix& sized = map.size() > 0 ? map : other.map;
      map = dense(*this, sized.rows(), sized.cols()) + dense(other, sized.rows(), sized.cols());
      weight = 0;
    }
  }
};

}  // namespace

Ties::Ties(DofLayout layout, const std::vector<Tie>& ties) : layout_(std::move(layout)) {
  if (ties.empty()) return;
  std::vector<Problem> problems;
  for (const Tie& tie : ties) check_tie(tie, layout_, problems);
  if (!problems.empty()) throw Error(std::move(problems));
  for (const Tie& tie : ties) block_.push_back(tie.block);
  std::sort(block_.begin(), block_.end());
  for (std::size_t i = 1; i < block_.size(); ++i)
    if (block_[i] == block_[i - 1])
      problems.push_back({"", fmt::format("block {} is tied twice", block_[i]), "one tie a block", ""});
  if (!problems.empty()) throw Error(std::move(problems));
  tie_of_.assign(at(layout_.num_blocks()), -1);
  for (std::size_t i = 0; i < block_.size(); ++i) tie_of_[at(block_[i])] = static_cast<int>(i);
  resolve(ties);
}

/// Replaces masters that are tied themselves by what they follow, in an order in which those are resolved first.
void Ties::resolve(const std::vector<Tie>& ties) {
  std::vector<const Tie*> tie_at(block_.size());
  for (const Tie& tie : ties) tie_at[at(tie_of_[at(tie.block)])] = &tie;
  struct Resolved {
    std::map<int, Share> share_of;
    Vector offset;
    int open_masters = 0;  ///< tied masters not yet resolved
  };
  std::vector<Resolved> resolved(block_.size());
  std::vector<std::vector<int>> followers(block_.size());
  std::vector<int> ready;
  for (std::size_t i = 0; i < block_.size(); ++i) {
    for (const int master : tie_at[i]->masters)
      if (tie_of_[at(master)] >= 0) {
        followers[at(tie_of_[at(master)])].push_back(static_cast<int>(i));
        ++resolved[i].open_masters;
      }
    if (resolved[i].open_masters == 0) ready.push_back(static_cast<int>(i));
  }
  std::size_t done = 0;
  for (; done < ready.size(); ++done) {
    const std::size_t i = at(ready[done]);
    const Tie& tie = *tie_at[i];
    resolved[i].offset = tie.offset.size() > 0 ? tie.offset : Vector::Zero(layout_.size(tie.block));
    for (std::size_t k = 0; k < tie.masters.size(); ++k) {
      const int next = tie_of_[at(tie.masters[k])];
      const Share share = tie.maps.empty() ? Share{tie.weights[k], {}} : Share{0, tie.maps[k]};
      if (next < 0) {
        resolved[i].share_of[tie.masters[k]].add(share);
        continue;
      }
      for (const auto& [block, inner] : resolved[at(next)].share_of)
        resolved[i].share_of[block].add(share.times(inner));
      resolved[i].offset += share.times(resolved[at(next)].offset);
    }
    for (const int follower : followers[i])
      if (--resolved[at(follower)].open_masters == 0) ready.push_back(follower);
  }
  if (done < block_.size()) {
    const auto stuck =
        std::find_if(resolved.begin(), resolved.end(), [](const Resolved& tie) { return tie.open_masters > 0; });
    throw Error(
        Problem{"", fmt::format("block {} is tied in a circle", block_[at(static_cast<int>(stuck - resolved.begin()))]),
                "ties that end at blocks that are free", "remove one of the attachments of the circle"});
  }
  for (const Resolved& tie : resolved)
    for (const auto& [block, share] : tie.share_of) master_.push_back(block);
  std::sort(master_.begin(), master_.end());
  master_.erase(std::unique(master_.begin(), master_.end()), master_.end());
  master_start_.push_back(0);
  for (const int block : master_) master_start_.push_back(master_start_.back() + layout_.size(block));
  start_.push_back(0);
  for (std::size_t i = 0; i < block_.size(); ++i) {
    for (const auto& [block, share] : resolved[i].share_of) {
      const auto found = std::lower_bound(master_.begin(), master_.end(), block);
      Link link{static_cast<int>(found - master_.begin()), share.weight};
      if (share.map.size() > 0) {
        link.map = static_cast<int>(maps_.size());
        maps_.push_back(share.map);
      }
      links_.push_back(link);
    }
    start_.push_back(static_cast<int>(links_.size()));
    offset_.push_back(resolved[i].offset);
  }
}

}  // namespace dashpot
