#pragma once
// Which yarns cross where. A woven cloth is a set of crossings, each of one warp and one weft yarn that stay in contact
// and slide through each other [CirioEtAl2014]. Block i of the System is crossing i, five numbers:
//
//     q_i = (x_i [m], u_i [m], v_i [m]),
//
// its place, and the arc lengths (labels) of the warp and of the weft yarn that lie there. Labels grow along a yarn.

#include <cstdint>
#include <memory>
#include <vector>

#include "dashpot/core/types.hpp"
#include "dashpot/model/element_batch.hpp"

namespace dashpot {

enum class YarnFamily : std::uint8_t { warp = 0, weft = 1 };

/// Place of a family's label in a block.
constexpr int label_of(YarnFamily family) { return 3 + static_cast<int>(family); }
constexpr int crossing_size = 5;

/// A number of each family.
struct PerFamily {
  double warp = 0, weft = 0;
  double operator[](YarnFamily family) const { return family == YarnFamily::warp ? warp : weft; }
};

/// One yarn: its crossings in the order of their labels.
struct Yarn {
  YarnFamily family = YarnFamily::warp;
  std::vector<int> crossings;
  /// A ring: its last crossing is followed by the first. [m], its whole length; 0: it has two ends.
  double ring_length = 0;
};

/// Pieces of yarns with the crossings they depend on: `nodes` of them each, and what is to be added to the difference
/// of the last label and the first (the length of a ring where a piece closes it).
struct YarnPieces {
  int nodes = 2;
  std::vector<int> crossings;
  std::vector<YarnFamily> families;
  std::vector<double> shifts;
};

/// Between neighbors along a yarn; x_0, x_1 = crossings of a piece.
YarnPieces segments_of(const std::vector<Yarn>& yarns);
/// Two segments that follow each other; the middle one of three crossings is where the yarn bends.
YarnPieces bends_of(const std::vector<Yarn>& yarns);
/// At each crossing, every warp segment with every weft segment there: the crossing, the neighbor along the warp, the
/// neighbor along the weft. `families` and `shifts` mean nothing for them.
YarnPieces corners_of(const std::vector<Yarn>& yarns, int num_crossings);

/// Pieces as elements.
class YarnBatch : public ElementBatch {
 public:
  YarnBatch(const YarnPieces& pieces, int num_crossings);
  YarnFamily family(int i) const { return family_[index(i)]; }
  double shift(int i) const { return shift_[index(i)]; }
  /// First coordinate of node a of element i.
  std::ptrdiff_t offset(int i, int a) const { return std::ptrdiff_t{crossing_size} * blocks(i)[a]; }

 private:
  std::vector<YarnFamily> family_;
  std::vector<double> shift_;
};

/// Throws dashpot::Error for crossings out of range, yarns of one crossing, and crossings that are not of one warp and
/// one weft yarn.
void check_yarns(const std::vector<Yarn>& yarns, int num_crossings);

/// out(block) += m at the rows and columns (x, y, z, label), m column-major.
inline void add_to_block(double* block, int row_label, int column_label, const double m[16]) {
  const int rows[4] = {0, 1, 2, row_label}, columns[4] = {0, 1, 2, column_label};
  for (int c = 0; c < 4; ++c)
    for (int r = 0; r < 4; ++r) block[crossing_size * columns[c] + rows[r]] += m[4 * c + r];
}

}  // namespace dashpot
