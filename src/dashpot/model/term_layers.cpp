#include "dashpot/model/term_layers.hpp"

#include <map>

#include "dashpot/core/types.hpp"

namespace dashpot {
namespace {

/// What a layer already holds, by the begin of each range; ranges do not overlap.
using Held = std::map<int, int>;

bool overlaps(const Held& held, const BlockRange& range) {
  const auto next = held.lower_bound(range.begin);
  if (next != held.end() && next->first < range.end) return true;
  return next != held.begin() && std::prev(next)->second > range.begin;
}

}  // namespace

TermLayers assign_layers(const std::vector<BlockRange>& touched) {
  TermLayers layers;
  std::vector<Held> held;
  for (int i = 0; i < static_cast<int>(touched.size()); ++i) {
    const BlockRange& range = touched[at(i)];
    std::size_t layer = 0;
    while (layer < held.size() && overlaps(held[layer], range)) ++layer;
    if (layer == held.size()) {
      held.emplace_back();
      layers.terms.emplace_back();
    }
    if (!range.is_empty()) held[layer].emplace(range.begin, range.end);
    layers.terms[layer].push_back(i);
    layers.layer_of.push_back(static_cast<int>(layer));
  }
  return layers;
}

}  // namespace dashpot
