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
  mass_.assign(static_cast<std::size_t>(pattern.num_slots()), 0.0);
  laplacian_ = mass_;
  if (has_mass_part_) {
    BlockMatrix M(pattern_);
    parts_.mass->add_mass(alpha_, M);
    for (int s = 0; s < pattern.num_slots(); ++s) mass_[static_cast<std::size_t>(s)] = M.block(s)[0];
  }
  if (has_laplacian_part_) parts_.laplacian->add_laplacian(beta_, laplacian_);
}

std::vector<int> LaplacianMatrix::laplacian_blocks() const {
  std::vector<int> blocks;
  for (int i = 0; i < pattern_->num_blocks(); ++i)
    if (laplacian_[static_cast<std::size_t>(pattern_->diagonal_slot(i))] > 0) blocks.push_back(i);
  return blocks;
}

void LaplacianMatrix::add_to(double scale, std::vector<double>& of_slot) const {
  for (std::size_t s = 0; s < mass_.size(); ++s) of_slot[s] += scale * mass_[s] + scale * laplacian_[s];
}

void LaplacianMatrix::add_to(double scale, BlockMatrix& tangent) const {
  for (std::size_t s = 0; s < mass_.size(); ++s) {
    const double d = scale * mass_[s] + scale * laplacian_[s];
    double* block = tangent.block(static_cast<int>(s));
    for (int c = 0; c < 3; ++c) block[4 * c] += d;
  }
}

double LaplacianMatrix::set_product(const double* x, double keep, double* y) const {
  const double of_laplacian = scalar_product(*pattern_, laplacian_.data(), 1, x, keep, y);
  return has_mass_part_ ? of_laplacian + scalar_product(*pattern_, mass_.data(), 1, x, 1, y) : of_laplacian;
}

void LaplacianMatrix::add_laplacian_product(const double* x, double* y) const {
  scalar_product(*pattern_, laplacian_.data(), 1, x, 1, y);
}

}  // namespace dashpot
