#pragma once
// The touches of one sample with one surface (the inner sum of body_pair.hpp): simplices in reach give their counts to
// those that carry their closest points; a sample inside a solid is held by its closest simplex alone.

#include <cstdint>
#include <utility>
#include <vector>

#include "dashpot/contact/body_pair.hpp"
#include "dashpot/contact/surface_simplices.hpp"

namespace dashpot::contact {

class SampleSearch {
 public:
  /// `tree` holds the boxes of `tops`, simplices of `onto`. Simplices with a tied node are not felt.
  SampleSearch(const ContactSurface& onto, const PointPositions& x, const BoxTree& tree,
               const std::vector<Simplex>& tops, double reach, const TiedNodes& tied)
      : onto_(onto), x_(x), tree_(tree), tops_(tops), reach_(reach), tied_(tied) {}

  /// Appends the touches of `sample`.
  void run(const Sample& sample, std::vector<Touch>& touches);

 private:
  /// A simplex that carries closest points, the sum of the counts, and a triangle that has it (-1: none).
  struct Tally {
    Simplex carrier;
    int count = 0, triangle = -1;
  };
  void add(const Simplex& carrier, int count, int triangle);
  void add_counts(const Vec3& p);
  /// True when nothing outside is to be felt: p lies inside the solid, or nothing is in reach.
  bool add_inside(const Sample& sample, const Vec3& p, std::vector<Touch>& touches);
  bool is_tied(const Simplex& simplex) const;
  Touch make_touch(const Sample& sample, const Tally& entry, double side) const;

  const ContactSurface& onto_;
  const PointPositions& x_;
  const BoxTree& tree_;
  const std::vector<Simplex>& tops_;
  double reach_;
  const TiedNodes& tied_;
  std::vector<Tally> tally_;
  std::vector<int> near_;
  std::vector<std::pair<int, int>> edges_, corners_;  ///< (index, a triangle that has it)
};

}  // namespace dashpot::contact
