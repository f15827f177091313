#include "dashpot/linsolve/free_rows.hpp"

#include <limits>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/core/parallel.hpp"

namespace dashpot {
namespace {}  // namespace

bool all_finite(const double* values, std::size_t count) {
  // x * 0 is 0 for finite x and NaN otherwise: one pass without branches, in SIMD.
  return (Eigen::Map<const Eigen::ArrayXd>(values, static_cast<Eigen::Index>(count)) * 0.0).sum() == 0.0;
}

FreeDofs::FreeDofs(const BlockPattern& pattern, const std::vector<std::uint8_t>& is_free) {
  if (is_free.size() != at(pattern.num_dofs()))
    throw Error(Problem{"", fmt::format("{} flags of free dofs", is_free.size()),
                        fmt::format("one per dof: {}", pattern.num_dofs()), ""});
  to_free.assign(is_free.size(), -1);
  for (std::size_t dof = 0; dof < is_free.size(); ++dof)
    if (is_free[dof]) {
      to_free[dof] = num_free();
      to_dof.push_back(static_cast<int>(dof));
    }
}

FreeRows::FreeRows(const BlockPattern& pattern, const FreeDofs& dofs, bool upper_only) {
  const DofLayout& layout = pattern.layout();
  start_.reserve(at(dofs.num_free()) + 1);
  for (int i = 0; i < dofs.num_free(); ++i) {
    const int dof = dofs.to_dof[at(i)], row = layout.block_of(dof), r = dof - layout.offset(row);
    for (int s = pattern.row_start()[at(row)]; s < pattern.row_start()[at(row) + 1]; ++s) {
      const int column = pattern.column()[at(s)], first = layout.offset(column);
      for (int c = 0; c < layout.size(column); ++c) {
        const int j = dofs.to_free[at(first + c)];
        if (j < 0 || (upper_only && j < i)) continue;
        index_.push_back(j);
        source_.push_back(pattern.position(s) + std::int64_t{c} * layout.size(row) + r);
      }
    }
    if (index_.size() > at(std::numeric_limits<int>::max()))
      throw Error(Problem{"", "a matrix with more than 2^31 entries", "a smaller system", "use conjugate_gradient"});
    start_.push_back(static_cast<int>(index_.size()));
  }
}

bool FreeRows::gather(const BlockMatrix& A, std::vector<double>& values) const {
  values.resize(index_.size());
  constexpr int entries_per_range = 16384;
  const double* from = A.values();
  const double not_finite = parallel_sum(num_entries(), entries_per_range, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) values[at(i)] = from[source_[at(i)]];
    return all_finite(values.data() + begin, at(end - begin)) ? 0.0 : 1.0;
  });
  return not_finite == 0.0;
}

}  // namespace dashpot
