#pragma once
// Triangular solves with a supernodal Cholesky factor for three right-hand sides, one number of each per row. For .cpp
// files of linsolve/ only.
//
// A supernode is a range of columns of L with the same rows below it: a dense triangle L1 over a rectangle L2. Stored
// is the panel P = [L1^-1; -L2 L1^-1]. Then both sweeps are products with dense panels, without a single dependent
// division:
//     forward:  (y1; y2) = (0; y2) + P y1        backward:  x1 = P^T (y1; x2)
// where y2, x2 are the rows below. Panels are column-major with rows padded to a multiple of four; a register holds
// four rows of one column, so every number of L is loaded once a sweep and meets three right-hand sides.
//
// The elimination tree is cut into parts that share no row, each a set of subtrees, and a top that couples them. Parts
// run side by side (core/spin_team.hpp) and collect what they add to rows of the top in buffers of their own; the
// buffers are added in a fixed order. The cut depends on the factor alone, so bits do not depend on the thread count.

#include <cstddef>
#include <vector>

namespace dashpot {

/// Structure of a supernodal factor in CHOLMOD's layout. Supernodes are postordered.
struct SupernodalStructure {
  std::vector<int> first_column;  ///< size num_supernodes + 1
  std::vector<int> row_start;     ///< into rows, size num_supernodes + 1
  std::vector<int> rows;          ///< ascending; the first ones are the supernode's own columns
  std::vector<int> block_of;      ///< which block stands at each row of the factor
};

class SupernodalSolve {
 public:
  /// Copies and renumbers the structure; num_blocks counts the blocks of right-hand sides.
  void analyze(const SupernodalStructure& factor, int num_blocks);

  /// The panel of a supernode (numbered as in analyze), to be filled in: ld x columns, rows beyond `rows` stay zero.
  struct Panel {
    double* values;
    int ld, rows, columns;
  };
  int num_supernodes() const { return static_cast<int>(nodes_.size()); }
  Panel panel(int supernode);

  /// 3 numbers per block; x == b is allowed. Blocks that are not in the factor get x = 0.
  void solve(const double* b, double* x);

  std::size_t num_entries() const { return 4 * values_.size(); }
  int num_parts() const { return static_cast<int>(parts_.size()); }
  double sequential_share() const;

 private:
  struct Node {
    std::size_t values = 0;  ///< start of the panel, in fours
    int rows_begin = 0;      ///< of the rows below the triangle, in rows_
    int num_inner = 0;       ///< how many of those belong to the same part (all, in the top)
    int num_below = 0;       ///< all rows below
    int column = 0, num_columns = 0;
    int ld = 0;
  };
  struct Range {
    int begin = 0, end = 0;  ///< in order_
    int first_row = 0, last_row = 0;
  };
  void cut_tree(const SupernodalStructure& factor);
  void renumber(const SupernodalStructure& factor);
  void gather(const Range& range, const double* b);
  void scatter(const Range& range, double* x) const;
  void forward(const Node& node, double* above, double* work);
  void backward(const Node& node, double* work);

  std::vector<Node> nodes_;
  std::vector<int> order_;    ///< supernodes: part by part, then the top; each postordered
  std::vector<int> part_of_;  ///< by supernode; -1: top
  std::vector<Range> parts_;
  Range top_;
  std::vector<int> rows_;      ///< renumbered rows below the triangles
  std::vector<int> block_of_;  ///< by renumbered row
  std::vector<int> absent_;    ///< blocks that are not in the factor
  struct alignas(32) Four {    ///< as much as a register holds
    double v[4];
  };
  std::vector<Four> values_;  ///< the panels
  std::vector<Four> rows4_;   ///< the right-hand sides, four numbers per row
  std::vector<Four> above4_;  ///< what each part adds to the rows of the top
  std::vector<Four> work_;    ///< one supernode's rows, for each part and the top
  std::size_t work_size_ = 0;

  /// The numbers from the k-th four on; the vector may be empty.
  static double* from(std::vector<Four>& fours, std::size_t k) { return reinterpret_cast<double*>(fours.data() + k); }
  static const double* from(const std::vector<Four>& fours, std::size_t k) {
    return reinterpret_cast<const double*>(fours.data() + k);
  }
  double* work(int part) { return from(work_, static_cast<std::size_t>(part) * work_size_); }
};

}  // namespace dashpot
