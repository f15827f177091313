#include "dashpot/gradients/colored_jacobian.hpp"

#include <algorithm>

namespace dashpot {

std::vector<int> mirrored_slots(const BlockPattern& pattern) {
  const std::vector<int>&start = pattern.row_start(), &column = pattern.column();
  std::vector<int> mirrored(column.size()), next(start.begin(), start.end() - 1);
  // Rows ascend and are sorted by column: block (j, i) is the next one of row j that was not met.
  for (int i = 0; i < pattern.num_blocks(); ++i)
    for (int s = start[static_cast<std::size_t>(i)]; s < start[static_cast<std::size_t>(i) + 1]; ++s)
      mirrored[static_cast<std::size_t>(s)] = next[static_cast<std::size_t>(column[static_cast<std::size_t>(s)])]++;
  return mirrored;
}

ColoredJacobian::ColoredJacobian(std::shared_ptr<const BlockPattern> pattern) : pattern_(std::move(pattern)) {
  const std::vector<int>&start = pattern_->row_start(), &column = pattern_->column();
  const auto count = static_cast<std::size_t>(pattern_->num_blocks());
  mirrored_ = mirrored_slots(*pattern_);
  std::vector<int> color(count, -1), taken_by;
  int num_colors = 0;
  for (std::size_t j = 0; j < count; ++j) {  // greedy: the first color that no block two rows away has
    const auto mark = static_cast<int>(j);
    for (int s = start[j]; s < start[j + 1]; ++s) {
      const auto row = static_cast<std::size_t>(column[static_cast<std::size_t>(s)]);
      for (int t = start[row]; t < start[row + 1]; ++t) {
        const int other = color[static_cast<std::size_t>(column[static_cast<std::size_t>(t)])];
        if (other >= 0) taken_by[static_cast<std::size_t>(other)] = mark;
      }
    }
    int free = 0;
    while (free < num_colors && taken_by[static_cast<std::size_t>(free)] == mark) ++free;
    if (free == num_colors) ++num_colors, taken_by.push_back(-1);
    color[j] = free;
  }
  blocks_.reserve(count);
  first_.push_back(0);
  for (int c = 0; c < num_colors; ++c) {
    for (std::size_t j = 0; j < count; ++j)
      if (color[j] == c) blocks_.push_back(static_cast<int>(j));
    first_.push_back(static_cast<int>(blocks_.size()));
  }
}

void ColoredJacobian::add(const Vector& x, double shift, double scale, BlockRange touched,
                          FunctionRef<void(const Vector& x, Vector& f)> force, BlockMatrix& J) const {
  const DofLayout& layout = pattern_->layout();
  const std::vector<int>&start = pattern_->row_start(), &column = pattern_->column();
  Vector moved = x, above(x.size()), below(x.size());
  for (int color = 0; color < num_colors(); ++color) {
    const auto begin = blocks_.begin() + first_[static_cast<std::size_t>(color)],
               end = blocks_.begin() + first_[static_cast<std::size_t>(color) + 1];
    int largest = 0;
    for (auto it = begin; it != end; ++it) largest = std::max(largest, layout.size(*it));
    for (int c = 0; c < largest; ++c) {
      const auto move = [&](double by) {
        bool any = false;
        for (auto it = begin; it != end; ++it) {
          if (c >= layout.size(*it) || *it < touched.begin || *it >= touched.end) continue;
          moved[layout.offset(*it) + c] = x[layout.offset(*it) + c] + by;
          any = true;
        }
        return any;
      };
      if (!move(shift)) continue;
      force(moved, above.setZero());
      move(-shift);
      force(moved, below.setZero());
      move(0);
      for (auto it = begin; it != end; ++it) {
        if (c >= layout.size(*it) || *it < touched.begin || *it >= touched.end) continue;
        const auto j = static_cast<std::size_t>(*it);
        for (int s = start[j]; s < start[j + 1]; ++s) {
          const int row = column[static_cast<std::size_t>(s)];
          const Eigen::Index first = layout.offset(row), size = layout.size(row);
          J.view(row, mirrored_[static_cast<std::size_t>(s)]).col(c) +=
              scale / (2 * shift) * (above.segment(first, size) - below.segment(first, size));
        }
      }
    }
  }
}

}  // namespace dashpot
