#include "dashpot/dissipation/laplacian_matrix.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/dissipation/coefficients.hpp"
#include "dashpot/linsolve/scalar_product.hpp"

namespace dashpot {
namespace {

bool is_amount(double x) { return std::isfinite(x) && x >= 0; }

void check_amounts(const char* name, const PartwiseValue& amounts, int num_elements, const std::string& place,
                   std::vector<Problem>& problems) {
  if (!amounts.of_element.empty() && static_cast<int>(amounts.of_element.size()) != num_elements)
    problems.push_back({place, fmt::format("{} values of {}", amounts.of_element.size(), name),
                        fmt::format("one for each of the {} elements", num_elements), ""});
  const auto bad = std::find_if_not(amounts.values.begin(), amounts.values.end(), is_amount);
  if (bad != amounts.values.end())
    problems.push_back(
        {place, fmt::format("{} = {}", name, *bad), "finite numbers >= 0", "less than nothing would create energy"});
}

}  // namespace

LaplacianMatrix::LaplacianMatrix(const std::string& body, LaplacianParts parts) : parts_(std::move(parts)) {
  const std::string place = fmt::format("laplacian damping of '{}'", body);
  std::vector<Problem> problems;
  if (parts_.mass != nullptr) check_amounts("alpha", parts_.alpha, parts_.mass->num_elements(), place, problems);
  if (parts_.laplacian != nullptr)
    check_amounts("beta", parts_.beta, parts_.laplacian->num_elements(), place, problems);
  if (!problems.empty()) throw Error(std::move(problems));
  if (parts_.mass != nullptr) alpha_ = parts_.alpha.expanded(parts_.mass->num_elements());
  if (parts_.laplacian != nullptr) beta_ = parts_.beta.expanded(parts_.laplacian->num_elements());
  has_mass_part_ = any_positive(alpha_);
  has_laplacian_part_ = any_positive(beta_);
}

ParameterList LaplacianMatrix::parameters() const {
  ParameterList list;
  if (parts_.mass != nullptr) list = parts_.alpha.parameters("alpha", Quantity::rate);
  if (parts_.laplacian != nullptr)
    for (ParameterInfo& info : parts_.beta.parameters("beta", Quantity::time)) list.push_back(std::move(info));
  return list;
}

LaplacianParts LaplacianMatrix::parts_with(const double* values, const Replacements& replacements) const {
  LaplacianParts parts = parts_;
  if (parts.mass != nullptr) parts.alpha = parts.alpha.with(values);
  if (parts.laplacian != nullptr) parts.beta = parts.beta.with(values);
  parts.mass = replacements.of(parts.mass);
  parts.laplacian = replacements.of(parts.laplacian);
  return parts;
}

void LaplacianMatrix::bind(const BlockPattern& pattern) {
  const DofLayout& layout = pattern.layout();
  if (!layout.is_uniform() || layout.leading_size() != 3)
    throw Error(Problem{
        "laplacian damping",
        layout.is_uniform() ? fmt::format("blocks of {} dofs", layout.leading_size()) : "blocks of different sizes",
        "nodes in space",
        "reduce the damped body instead of damping the reduced one; beside reduced bodies use rayleigh"});
  pattern_ = pattern.shared_from_this();
  BlockMatrix M;
  if (has_mass_part_) {
    rows_ = parts_.mass->mass_blocks().clipped(pattern.num_blocks());
    M = BlockMatrix(pattern_, rows_);
    parts_.mass->add_mass(alpha_, M);
  }
  std::vector<double> all;
  if (has_laplacian_part_) {
    all.assign(static_cast<std::size_t>(pattern.num_slots()), 0.0);
    parts_.laplacian->add_laplacian(beta_, all);
    for (int i = 0; i < pattern.num_blocks(); ++i)
      if (all[at(pattern.diagonal_slot(i))] != 0) rows_ = hull(rows_, {i, i + 1});
  }
  first_slot_ = pattern.row_start()[at(rows_.begin)];
  end_slot_ = pattern.row_start()[at(rows_.end)];
  mass_.assign(has_mass_part_ ? at(end_slot_ - first_slot_) : 0, 0.0);
  laplacian_.assign(at(end_slot_ - first_slot_), 0.0);
  if (has_laplacian_part_) std::copy(all.begin() + first_slot_, all.begin() + end_slot_, laplacian_.begin());
  if (has_mass_part_)
    for (int s = pattern.row_start()[at(M.rows().begin)]; s < pattern.row_start()[at(M.rows().end)]; ++s)
      mass_[at(s - first_slot_)] = M.block(s)[0];
}

std::vector<int> LaplacianMatrix::laplacian_blocks() const {
  std::vector<int> blocks;
  for (int i = rows_.begin; i < rows_.end; ++i)
    if (laplacian()[pattern_->diagonal_slot(i)] > 0) blocks.push_back(i);
  return blocks;
}

void LaplacianMatrix::add_to(double scale, std::vector<double>& of_slot) const {
  for (int s = first_slot_; s < end_slot_; ++s) of_slot[at(s)] += scaled(scale, s);
}

void LaplacianMatrix::add_to(double scale, BlockMatrix& tangent) const {
  for (int s = first_slot_; s < end_slot_; ++s) {
    const double d = scaled(scale, s);
    double* block = tangent.block(s);
    for (int c = 0; c < 3; ++c) block[4 * c] += d;
  }
}

double LaplacianMatrix::set_product(const double* x, double keep, double* y) const {
  const double of_laplacian = scalar_product(*pattern_, rows_, laplacian(), 1, x, keep, y);
  if (!has_mass_part_) return of_laplacian;
  return of_laplacian + scalar_product(*pattern_, rows_, mass_.data() - first_slot_, 1, x, 1, y);
}

void LaplacianMatrix::add_laplacian_product(const double* x, double* y) const {
  scalar_product(*pattern_, rows_, laplacian(), 1, x, 1, y);
}

}  // namespace dashpot
