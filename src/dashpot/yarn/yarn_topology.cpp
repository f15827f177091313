#include "dashpot/yarn/yarn_topology.hpp"

#include <array>
#include <numeric>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"

namespace dashpot {
namespace {

/// Adds all runs of `length` crossings that follow each other.
void add_runs(const Yarn& yarn, int length, YarnPieces& pieces) {
  const int count = static_cast<int>(yarn.crossings.size());
  const bool is_ring = yarn.ring_length > 0;
  for (int first = 0; first < (is_ring ? count : count - length + 1); ++first) {
    for (int k = 0; k < length; ++k) pieces.crossings.push_back(yarn.crossings[at((first + k) % count)]);
    pieces.families.push_back(yarn.family);
    pieces.shifts.push_back(first + length > count ? yarn.ring_length : 0);
  }
}

YarnPieces runs_of(const std::vector<Yarn>& yarns, int length) {
  YarnPieces pieces;
  pieces.nodes = length;
  for (const Yarn& yarn : yarns) add_runs(yarn, length, pieces);
  return pieces;
}

std::vector<int> all_of(std::size_t count) {
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

}  // namespace

YarnPieces segments_of(const std::vector<Yarn>& yarns) { return runs_of(yarns, 2); }
YarnPieces bends_of(const std::vector<Yarn>& yarns) { return runs_of(yarns, 3); }

YarnPieces corners_of(const std::vector<Yarn>& yarns, int num_crossings) {
  std::vector<std::array<std::array<int, 2>, 2>> neighbors(at(num_crossings), {{{-1, -1}, {-1, -1}}});
  const YarnPieces segments = segments_of(yarns);
  for (std::size_t s = 0; s < segments.families.size(); ++s) {
    const int a = segments.crossings[2 * s], b = segments.crossings[2 * s + 1];
    const auto family = static_cast<std::size_t>(segments.families[s]);
    neighbors[at(a)][family][1] = b;
    neighbors[at(b)][family][0] = a;
  }
  YarnPieces corners;
  corners.nodes = 3;
  for (int i = 0; i < num_crossings; ++i)
    for (const int warp : neighbors[at(i)][0])
      for (const int weft : neighbors[at(i)][1]) {
        if (warp < 0 || weft < 0) continue;
        corners.crossings.insert(corners.crossings.end(), {i, warp, weft});
        corners.families.push_back(YarnFamily::warp);
        corners.shifts.push_back(0);
      }
  return corners;
}

YarnBatch::YarnBatch(const YarnPieces& pieces, int num_crossings)
    : ElementBatch(pieces.nodes, pieces.crossings, all_of(pieces.families.size()), num_crossings, 0, 256),
      family_(pieces.families.size()),
      shift_(pieces.families.size()) {
  for (int i = 0; i < num_elements(); ++i) {
    family_[index(i)] = pieces.families[index(original(i))];
    shift_[index(i)] = pieces.shifts[index(original(i))];
  }
}

void check_yarns(const std::vector<Yarn>& yarns, int num_crossings) {
  std::vector<std::array<int, 2>> count(at(num_crossings), {0, 0});
  std::vector<Problem> problems;
  const auto report = [&](std::size_t yarn, std::string found, std::string expected) {
    if (problems.size() < 10)
      problems.push_back({fmt::format("yarn {}", yarn), std::move(found), std::move(expected), ""});
  };
  for (std::size_t y = 0; y < yarns.size(); ++y) {
    if (yarns[y].crossings.size() < (yarns[y].ring_length > 0 ? 3U : 2U))
      report(y, fmt::format("{} crossings", yarns[y].crossings.size()), "at least 2, of a ring 3");
    for (const int i : yarns[y].crossings) {
      if (i < 0 || i >= num_crossings)
        report(y, fmt::format("crossing {}", i), fmt::format("0 to {}", num_crossings - 1));
      else
        ++count[at(i)][static_cast<std::size_t>(yarns[y].family)];
    }
  }
  for (int i = 0; i < num_crossings && problems.size() < 10; ++i)
    if (count[at(i)] != std::array<int, 2>{1, 1})
      problems.push_back({fmt::format("crossing {}", i),
                          fmt::format("{} warp and {} weft yarns", count[at(i)][0], count[at(i)][1]),
                          "one warp and one weft yarn", ""});
  if (!problems.empty()) throw Error(problems);
}

}  // namespace dashpot
