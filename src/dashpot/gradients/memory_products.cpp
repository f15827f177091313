#include "dashpot/gradients/memory_products.hpp"

#include <algorithm>

#include "dashpot/model/element_batch.hpp"

namespace dashpot {

bool MemoryProducts::are_offered_by(const DissipationTerm& term) {
  const ElementBatch* batch = term.capabilities().batch;
  return batch != nullptr && batch->num_packs() > 0 &&
         term.num_internal_variables() % (ElementBatch::lanes * batch->num_packs()) == 0;
}

MemoryProducts::MemoryProducts(const DissipationTerm& term)
    : batch_(term.capabilities().batch),
      per_element_(term.num_internal_variables() / (ElementBatch::lanes * batch_->num_packs())) {
  const int nodes = batch_->nodes_per_element();
  std::vector<std::vector<int>> colors_of(static_cast<std::size_t>(batch_->touched_blocks().end));
  for (int e = 0; e < batch_->num_elements(); ++e) {
    const auto taken = [&](int color) {
      return std::any_of(batch_->blocks(e), batch_->blocks(e) + nodes, [&](int block) {
        const std::vector<int>& there = colors_of[static_cast<std::size_t>(block)];
        return std::find(there.begin(), there.end(), color) != there.end();
      });
    };
    int color = 0;
    while (taken(color)) ++color;
    if (color == static_cast<int>(independent_.size())) independent_.emplace_back();
    independent_[static_cast<std::size_t>(color)].push_back(e);
    for (int a = 0; a < nodes; ++a) colors_of[static_cast<std::size_t>(batch_->blocks(e)[a])].push_back(color);
  }
}

Eigen::Index MemoryProducts::place(int e, int k) const {
  const int lanes = ElementBatch::lanes;
  return Eigen::Index{e / lanes} * lanes * per_element_ + Eigen::Index{k} * lanes + e % lanes;
}

void MemoryProducts::add_force_product(const Vector& xi, double shift,
                                       FunctionRef<void(const Vector& xi, Vector& f)> force, const DofLayout& layout,
                                       const Matrix& mu, Matrix& of_xi) const {
  Vector moved = xi, above(mu.rows()), below(mu.rows());
  for (const std::vector<int>& elements : independent_)
    for (int k = 0; k < per_element_; ++k) {
      const auto move = [&](double by) {
        for (const int e : elements) moved[place(e, k)] = xi[place(e, k)] + by;
      };
      move(shift);
      force(moved, above.setZero());
      move(-shift);
      force(moved, below.setZero());
      move(0);
      above = (above - below) / (2 * shift);
      for (const int e : elements)
        for (int a = 0; a < batch_->nodes_per_element(); ++a) {
          const int block = batch_->blocks(e)[a];
          const Eigen::Index first = layout.offset(block), size = layout.size(block);
          of_xi.row(place(e, k)) += above.segment(first, size).transpose() * mu.middleRows(first, size);
        }
    }
}

void MemoryProducts::add_memory_product(const Vector& xi, double shift,
                                        FunctionRef<void(const Vector& xi, Vector& next)> memory, const Matrix& lambda,
                                        Matrix& of_xi) const {
  Vector moved = xi, above(xi.size()), below(xi.size());
  for (int k = 0; k < per_element_; ++k) {
    const auto move = [&](double by) {
      for (int e = 0; e < batch_->num_elements(); ++e) moved[place(e, k)] = xi[place(e, k)] + by;
    };
    move(shift);
    memory(moved, above);
    move(-shift);
    memory(moved, below);
    move(0);
    above = (above - below) / (2 * shift);
    for (int e = 0; e < batch_->num_elements(); ++e)
      for (int m = 0; m < per_element_; ++m) of_xi.row(place(e, k)) += above[place(e, m)] * lambda.row(place(e, m));
  }
}

void MemoryProducts::add_motion_product(const Vector& x, double shift,
                                        FunctionRef<void(const Vector& x, Vector& next)> memory,
                                        const ColoredJacobian& colors, const DofLayout& layout, const Matrix& lambda,
                                        Matrix& of_x) const {
  const BlockRange touched = batch_->touched_blocks();
  Vector moved = x, above(lambda.rows()), below(lambda.rows());
  std::vector<int> color_of(static_cast<std::size_t>(touched.end), -1);
  for (int color = 0; color < colors.num_colors(); ++color)
    for (const int block : colors.blocks_of(color))
      if (block >= touched.begin && block < touched.end) color_of[static_cast<std::size_t>(block)] = color;
  for (int color = 0; color < colors.num_colors(); ++color) {
    int largest = 0;
    for (const int block : colors.blocks_of(color)) largest = std::max(largest, static_cast<int>(layout.size(block)));
    for (int c = 0; c < largest; ++c) {
      const auto move = [&](double by) {
        for (const int block : colors.blocks_of(color))
          if (c < layout.size(block)) moved[layout.offset(block) + c] = x[layout.offset(block) + c] + by;
      };
      move(shift);
      memory(moved, above);
      move(-shift);
      memory(moved, below);
      move(0);
      above = (above - below) / (2 * shift);
      for (int e = 0; e < batch_->num_elements(); ++e) {
        const int *begin = batch_->blocks(e), *end = begin + batch_->nodes_per_element();
        const int* node =
            std::find_if(begin, end, [&](int block) { return color_of[static_cast<std::size_t>(block)] == color; });
        if (node == end || c >= layout.size(*node)) continue;
        for (int k = 0; k < per_element_; ++k)
          of_x.row(layout.offset(*node) + c) += above[place(e, k)] * lambda.row(place(e, k));
      }
    }
  }
}

}  // namespace dashpot
