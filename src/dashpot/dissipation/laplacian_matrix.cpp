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

void check_amounts(const char* name, const std::vector<double>& values, int num_elements, const std::string& place,
                   std::vector<Problem>& problems) {
  if (static_cast<int>(values.size()) != num_elements)
    problems.push_back({place, fmt::format("{} values of {}", values.size(), name),
                        fmt::format("one for each of the {} elements", num_elements), ""});
  const auto bad = std::find_if_not(values.begin(), values.end(), is_amount);
  if (bad != values.end())
    problems.push_back(
        {place, fmt::format("{} = {}", name, *bad), "finite numbers >= 0", "less than nothing would create energy"});
}

}  // namespace

void LaplacianCoefficients::set(double alpha_scale, double beta_scale) {
  if (!is_amount(alpha_scale) || !is_amount(beta_scale))
    throw Error(Problem{"factors of Laplacian damping", fmt::format("{} and {}", alpha_scale, beta_scale),
                        "finite numbers >= 0", ""});
  if (alpha_scale == alpha_scale_ && beta_scale == beta_scale_) return;
  alpha_scale_ = alpha_scale;
  beta_scale_ = beta_scale;
  ++revision_;
}

LaplacianMatrix::LaplacianMatrix(const std::string& body, LaplacianParts parts) : parts_(std::move(parts)) {
  const std::string place = fmt::format("laplacian damping of '{}'", body);
  std::vector<Problem> problems;
  if (parts_.mass != nullptr) check_amounts("alpha", parts_.alpha, parts_.mass->num_elements(), place, problems);
  if (parts_.laplacian != nullptr)
    check_amounts("beta", parts_.beta, parts_.laplacian->num_elements(), place, problems);
  if (!problems.empty()) throw Error(std::move(problems));
  has_mass_part_ = parts_.mass != nullptr && any_positive(parts_.alpha);
  has_laplacian_part_ = parts_.laplacian != nullptr && any_positive(parts_.beta);
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
    parts_.mass->add_mass(parts_.alpha, M);
    for (int s = 0; s < pattern.num_slots(); ++s) mass_[static_cast<std::size_t>(s)] = M.block(s)[0];
  }
  if (has_laplacian_part_) parts_.laplacian->add_laplacian(parts_.beta, laplacian_);
}

std::vector<int> LaplacianMatrix::laplacian_blocks() const {
  std::vector<int> blocks;
  for (int i = 0; i < pattern_->num_blocks(); ++i)
    if (laplacian_[static_cast<std::size_t>(pattern_->diagonal_slot(i))] > 0) blocks.push_back(i);
  return blocks;
}

void LaplacianMatrix::add_to(double scale, std::vector<double>& of_slot) const {
  const double a = scale * alpha_scale(), b = scale * beta_scale();
  for (std::size_t s = 0; s < mass_.size(); ++s) of_slot[s] += a * mass_[s] + b * laplacian_[s];
}

void LaplacianMatrix::add_to(double scale, BlockMatrix& tangent) const {
  const double a = scale * alpha_scale(), b = scale * beta_scale();
  for (std::size_t s = 0; s < mass_.size(); ++s) {
    const double d = a * mass_[s] + b * laplacian_[s];
    double* block = tangent.block(static_cast<int>(s));
    for (int c = 0; c < 3; ++c) block[4 * c] += d;
  }
}

double LaplacianMatrix::set_product(const double* x, double keep, double* y) const {
  const double of_laplacian = scalar_product(*pattern_, laplacian_.data(), beta_scale(), x, keep, y);
  return has_mass_part_ ? of_laplacian + scalar_product(*pattern_, mass_.data(), alpha_scale(), x, 1, y) : of_laplacian;
}

void LaplacianMatrix::add_laplacian_product(const double* x, double* y) const {
  scalar_product(*pattern_, laplacian_.data(), beta_scale(), x, 1, y);
}

}  // namespace dashpot
