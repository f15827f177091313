#include "dashpot/yarn/weave.hpp"

#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"

namespace dashpot {
namespace {

int modulo(int i, int n) { return ((i % n) + n) % n; }

/// The crossings of a sheet by warp and weft; -1 where there is none.
class CrossingGrid {
 public:
  CrossingGrid(int warp_yarns, int weft_yarns) : wefts_(weft_yarns), number_(at(warp_yarns) * at(weft_yarns), -1) {}
  int& operator()(int warp, int weft) { return number_[at(warp) * at(wefts_) + at(weft)]; }

 private:
  int wefts_;
  std::vector<int> number_;
};

/// Takes away crossings at which a yarn has no neighbor, until none is left.
void cut_off_strays(const WeaveSheet& sheet, CrossingGrid& grid) {
  const auto has = [&](int i, int j) {
    if (sheet.weft_rings) i = modulo(i, sheet.warp_yarns);
    return i >= 0 && j >= 0 && i < sheet.warp_yarns && j < sheet.weft_yarns && grid(i, j) >= 0;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (int i = 0; i < sheet.warp_yarns; ++i)
      for (int j = 0; j < sheet.weft_yarns; ++j)
        if (has(i, j) && (!(has(i, j - 1) || has(i, j + 1)) || !(has(i - 1, j) || has(i + 1, j)))) {
          grid(i, j) = -1;
          changed = true;
        }
  }
}

/// The yarns of one family: runs of crossings without a gap.
void add_yarns(YarnFamily family, int yarns, int crossings, bool are_rings, double spacing,
               const std::function<int(int yarn, int k)>& crossing, WovenCloth& cloth) {
  for (int y = 0; y < yarns; ++y) {
    std::vector<int> places;
    for (int k = 0; k < crossings; ++k) places.push_back(crossing(y, k));
    const bool is_whole = std::none_of(places.begin(), places.end(), [](int i) { return i < 0; });
    int first = 0;
    if (are_rings && is_whole) {
      cloth.yarns.push_back({family, places, spacing * crossings});
      for (int k = 0; k < crossings; ++k) cloth.rest[crossing_size * places[at(k)] + label_of(family)] = spacing * k;
      continue;
    }
    if (are_rings)  // begin behind a gap, so that no run is cut in two
      for (int k = 0; k < crossings; ++k)
        if (places[at(k)] < 0) first = k;
    Yarn yarn{family, {}, 0};
    for (int k = 0; k <= crossings; ++k) {
      const int place = k < crossings ? places[at((first + k) % crossings)] : -1;
      if (place >= 0) {
        cloth.rest[crossing_size * place + label_of(family)] = spacing * static_cast<double>(yarn.crossings.size());
        yarn.crossings.push_back(place);
      } else if (!yarn.crossings.empty()) {
        cloth.yarns.push_back(std::move(yarn));
        yarn = {family, {}, 0};
      }
    }
  }
}

void check(const WeaveSheet& sheet) {
  std::vector<Problem> problems;
  for (const auto& [name, count] :
       {std::pair("warp yarns", sheet.warp_yarns), std::pair("weft yarns", sheet.weft_yarns)})
    if (count < 2) problems.push_back({name, fmt::format("{}", count), "at least 2", ""});
  for (const auto& [name, spacing] :
       {std::pair("spacing of the warp", sheet.spacing.warp), std::pair("spacing of the weft", sheet.spacing.weft)})
    if (!(spacing > 0) || !std::isfinite(spacing))
      problems.push_back({name, fmt::format("{:.6g} m", spacing), "more than 0 m", ""});
  if (!problems.empty()) throw Error(problems);
  sheet.pattern.check();
}

}  // namespace

bool WeavePattern::above(int warp, int weft) const {
  switch (kind) {
    case Kind::plain:
      return modulo(warp + weft, 2) == 0;
    case Kind::twill:
      return modulo(warp - weft, over + under) < over;
    case Kind::satin:
      return modulo(warp - step * weft, repeat) != 0;
  }
  return true;
}

void WeavePattern::check() const {
  if (kind == Kind::twill && (over < 1 || under < 1))
    throw Error(Problem{"twill", fmt::format("over {}, under {}", over, under), "both at least 1", ""});
  if (kind == Kind::satin && (repeat < 5 || step < 2 || step > repeat - 2 || std::gcd(repeat, step) != 1))
    throw Error(Problem{"satin", fmt::format("repeat {}, step {}", repeat, step),
                        "repeat of at least 5, step from 2 to repeat - 2 and without a common divisor",
                        "for instance repeat 5, step 2, or repeat 8, step 3"});
}

std::vector<int> WovenCloth::end_labels() const {
  std::vector<int> dofs;
  for (const Yarn& yarn : yarns)
    if (yarn.ring_length == 0)
      for (const int crossing : {yarn.crossings.front(), yarn.crossings.back()})
        dofs.push_back(crossing_size * crossing + label_of(yarn.family));
  return dofs;
}

std::shared_ptr<const BlockChains> WovenCloth::chains() const {
  auto chains = std::make_shared<BlockChains>();
  chains->families.resize(2);
  for (const Yarn& yarn : yarns) chains->families[static_cast<std::size_t>(yarn.family)].push_back(yarn.crossings);
  chains->places = places;
  return chains;
}

WovenCloth weave_sheet(const WeaveSheet& sheet) {
  check(sheet);
  CrossingGrid grid(sheet.warp_yarns, sheet.weft_yarns);
  const auto x = [&](int warp) { return sheet.spacing.warp * warp; };
  const auto y = [&](int weft) { return sheet.spacing.weft * weft; };
  for (int i = 0; i < sheet.warp_yarns; ++i)
    for (int j = 0; j < sheet.weft_yarns; ++j) grid(i, j) = !sheet.is_inside || sheet.is_inside(x(i), y(j)) ? 0 : -1;
  cut_off_strays(sheet, grid);
  WovenCloth cloth;
  std::vector<Vec3> places;
  for (int i = 0; i < sheet.warp_yarns; ++i)
    for (int j = 0; j < sheet.weft_yarns; ++j) {
      if (grid(i, j) < 0) continue;
      grid(i, j) = static_cast<int>(places.size());
      places.push_back(sheet.place ? sheet.place(x(i), y(j)) : Vec3(x(i), y(j), 0));
      cloth.warp_is_upper.push_back(sheet.pattern.above(i, j) ? 1 : 0);
      cloth.places.push_back({i, j});
    }
  if (places.empty()) throw Error(Problem{"outline", "no crossing lies inside", "a part of the cloth", ""});
  cloth.rest = Vector::Zero(crossing_size * static_cast<Eigen::Index>(places.size()));
  for (std::size_t i = 0; i < places.size(); ++i)
    cloth.rest.segment<3>(crossing_size * static_cast<Eigen::Index>(i)) = places[i];
  add_yarns(
      YarnFamily::warp, sheet.warp_yarns, sheet.weft_yarns, false, sheet.spacing.weft,
      [&](int yarn, int k) { return grid(yarn, k); }, cloth);
  add_yarns(
      YarnFamily::weft, sheet.weft_yarns, sheet.warp_yarns, sheet.weft_rings, sheet.spacing.warp,
      [&](int yarn, int k) { return grid(k, yarn); }, cloth);
  return cloth;
}

}  // namespace dashpot
