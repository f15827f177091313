#pragma once
// Attachments by elimination: a tied block follows a weighted set of other blocks,
//
//     q_s = sum_k w_k q_{m_k} + offset_s,    v_s = sum_k w_k v_{m_k},    a_s = sum_k w_k a_{m_k},    sum_k w_k = 1,
//
// so that q = T q~ + d with T constant. Where what it follows has other coordinates (a point of a reduced body), a map
// W_k of size(s) x size(m_k) numbers takes the place of w_k: dx/dq of that point. The forces on a tied block act on the
// blocks it follows, T^T f, and matrices become T^T A T; both are assembled over all blocks first and condensed
// afterwards, through slots that were looked up once. The cost is proportional to the number of entries in tied rows.
//
// A tie does no work: f_s . v_s = sum_k (W_k^T f_s) . v_{m_k}. It keeps linear momentum because the weights sum to one,
// and angular momentum where the offset is zero (an offset does not turn with the body; docs/theory/constraint.md).
// A block that follows tied blocks follows what those follow; circles are refused, as are blocks tied twice.

#include <memory>
#include <vector>

#include "dashpot/core/types.hpp"
#include "dashpot/linsolve/block_matrix.hpp"
#include "dashpot/linsolve/dynamic_blocks.hpp"

namespace dashpot {

class PatternBuilder;

/// One tied block.
struct Tie {
  int block = 0;                ///< the block that follows
  std::vector<int> masters;     ///< the blocks it follows
  std::vector<double> weights;  ///< one per master; they sum to one
  Vector offset;                ///< [m], one entry per component; empty: zero
  std::vector<Matrix> maps{};   ///< one per master; where given, they take the place of weights
};

class Ties {
 public:
  Ties() = default;
  /// Throws dashpot::Error naming blocks that do not exist, are tied twice or in a circle, weights that do not sum to
  /// one, and blocks or maps whose sizes do not fit.
  Ties(DofLayout layout, const std::vector<Tie>& ties);

  /// Blocks that others follow, ascending.
  const std::vector<int>& masters() const { return master_; }
  /// First number of each master in a vector of masters alone, and the size of that vector.
  const std::vector<int>& master_start() const { return master_start_; }
  /// Masters of tie i are masters()[k] with weight w, or map W, for (k, w) in the range links(i).
  struct Link {
    int master;  ///< index into masters()
    double weight;
    int map = -1;  ///< index of W; -1: w times the identity
  };
  const Matrix& map(const Link& link) const { return maps_[static_cast<std::size_t>(link.map)]; }
  struct Range {
    const Link *first, *last;
    const Link* begin() const { return first; }
    const Link* end() const { return last; }
  };
  Range links(int i) const {
    const Link* data = links_.data();
    return {data + start_[static_cast<std::size_t>(i)], data + start_[static_cast<std::size_t>(i) + 1]};
  }

  bool empty() const { return block_.empty(); }
  int size() const { return static_cast<int>(block_.size()); }
  /// The tied blocks, ascending.
  const std::vector<int>& blocks() const { return block_; }
  bool is_tied(int block) const { return !empty() && tie_of_[static_cast<std::size_t>(block)] >= 0; }
  /// Adds the couplings that condensing a matrix of pattern `before` needs.
  void couple(const BlockPattern& before, PatternBuilder& pattern) const;
  void bind(const BlockPattern& pattern);

  /// Puts tied blocks where they belong.
  void place(Vector& q) const;
  /// Gives tied blocks the velocity, acceleration or displacement of what they follow. Columns are separate vectors.
  void follow(Eigen::Ref<Matrix> v) const;
  /// T^T f: adds forces on tied blocks to what they follow and leaves zero there. Columns are separate forces.
  void condense(Eigen::Ref<Matrix> f) const;
  /// T^T A T over the blocks that are not tied; rows and columns of tied blocks keep what was assembled. Couplings
  /// (finished) of tied blocks move to what those follow, into A where it has a slot.
  void condense(BlockMatrix& A, DynamicBlocks* couplings = nullptr) const;
  /// W_row^T block W_column: what a block of a tied row, column or both adds to that of what they follow.
  Matrix condensed(const Link& row, const Eigen::Ref<const Matrix>& block, const Link& column) const;
  /// What condensing adds to the sum of f_i^2 over the free dofs.
  double condensed_norm_gain(const Vector& f, const std::vector<std::uint8_t>& is_free) const;

 private:
  void resolve(const std::vector<Tie>& ties);
  void condense_couplings(BlockMatrix& A, DynamicBlocks& couplings) const;
  void add_folds(const BlockPattern& pattern, int row, int column, int slot);

  struct Condensation {
    int from, to;  ///< slots
    double weight;
  };
  /// The same where a row or a column is mapped.
  struct MappedCondensation {
    int from_row, from, to_row, to;
    Link row, column;
  };
  DofLayout layout_;
  std::vector<int> block_;         ///< tied blocks
  std::vector<int> tie_of_;        ///< per block: index into block_, or -1
  std::vector<int> master_;        ///< blocks that are followed
  std::vector<int> master_start_;  ///< their first numbers in a vector of masters, and its size
  std::vector<int> start_;         ///< links of tie i: links_[start_[i]] ..
  std::vector<Link> links_;
  std::vector<Matrix> maps_;
  std::vector<Vector> offset_;  ///< of each tie [m]
  std::vector<Condensation> condensations_;
  std::vector<MappedCondensation> mapped_condensations_;
};

}  // namespace dashpot
