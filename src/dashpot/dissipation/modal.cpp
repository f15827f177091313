#include "dashpot/dissipation/modal.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/dissipation/frozen_masses.hpp"
#include "dashpot/linsolve/block_columns.hpp"
#include "dashpot/linsolve/tall_product.hpp"

namespace dashpot {
namespace {

std::string place_of(std::size_t i, const std::string& body) { return fmt::format("mode {} of '{}'", i + 1, body); }

/// Blocks where a mode moves.
BlockRange moving_blocks(const std::vector<DampedMode>& modes, const DofLayout& layout) {
  BlockRange moving;
  for (const DampedMode& mode : modes) {
    Eigen::Index first = 0, last = mode.shape.size();
    while (first < last && mode.shape[first] == 0) ++first;
    while (first < last && mode.shape[last - 1] == 0) --last;
    if (first == last) continue;
    moving = hull(moving, {layout.block_of(static_cast<int>(first)), layout.block_of(static_cast<int>(last) - 1) + 1});
  }
  return moving;
}

/// Whether every column of M Phi, nodes in space, sums to zero along each axis.
bool has_no_momentum(const Matrix& momentum, bool are_nodes) {
  if (!are_nodes) return false;
  for (Eigen::Index k = 0; k < momentum.cols(); ++k) {
    Vec3 sum = Vec3::Zero();
    for (Eigen::Index i = 0; i < momentum.rows(); i += 3) sum += momentum.col(k).segment<3>(i);
    if (sum.norm() > 1e-8 * momentum.col(k).lpNorm<1>()) return false;
  }
  return true;
}

}  // namespace

ModalDamping::ModalDamping(std::string body, std::unique_ptr<DissipationTerm> base, const ViscousOperator* C,
                           const MassSource& mass, Vector rest, std::vector<DampedMode> modes)
    : body_(std::move(body)),
      base_(std::move(base)),
      C_(C),
      mass_(&mass),
      rest_(std::move(rest)),
      modes_(std::move(modes)) {
  assert(static_cast<bool>(base_) == static_cast<bool>(C_));
  std::vector<Problem> problems;
  for (std::size_t i = 0; i < modes_.size(); ++i) {
    const DampedMode& mode = modes_[i];
    const std::string place = place_of(i, body_);
    if (mode.shape.size() != rest_.size())
      problems.push_back({place, fmt::format("{} entries", mode.shape.size()),
                          fmt::format("one for each of the {} dofs", rest_.size()), ""});
    else if (!mode.shape.allFinite())
      problems.push_back({place, "an entry that is not finite", "finite numbers", ""});
    if (!(mode.omega > 0) || !std::isfinite(mode.omega))
      problems.push_back({place, fmt::format("omega = {} rad/s", mode.omega), "omega > 0",
                          "leave rigid modes out: they have no damping ratio"});
    if (!(mode.zeta >= 0) || !std::isfinite(mode.zeta))
      problems.push_back({place, fmt::format("zeta = {}", mode.zeta), "zeta >= 0", ""});
  }
  if (!problems.empty()) throw Error(std::move(problems));
}

DissipationTraits ModalDamping::traits() const {
  DissipationTraits traits;
  if (base_)
    traits = base_->traits();
  else
    traits.constant = true;
  // Modes of a free body are M-orthogonal to translations and, at rest only, to rotations; of a pinned body to neither.
  traits.keeps_linear_momentum = (!base_ || traits.keeps_linear_momentum) && modes_have_no_momentum_;
  traits.objective = traits.keeps_angular_momentum = false;
  return traits;
}

void ModalDamping::couple(PatternBuilder& pattern) const {
  if (base_) base_->couple(pattern);
}

void ModalDamping::bind(const BlockPattern& pattern) {
  if (base_) base_->bind(pattern);
  layout_ = pattern.shared_layout();
  const int num_blocks = pattern.num_blocks();
  const BlockRange of_base = base_ ? base_->touched_blocks().clipped(num_blocks) : BlockRange();
  touched_ = hull(hull(moving_blocks(modes_, *layout_), mass_->mass_blocks().clipped(num_blocks)), of_base);
  dofs_ = layout_->dofs(touched_);
  base_dofs_ = layout_->dofs(of_base);
  rest_ = rest_.segment(dofs_.begin, dofs_.size()).eval();
  for (DampedMode& mode : modes_) mode.shape = mode.shape.segment(dofs_.begin, dofs_.size()).eval();

  const Eigen::Index k = static_cast<Eigen::Index>(modes_.size());
  BlockMatrix M(pattern.shared_from_this(), touched_);
  mass_->add_mass(std::vector<double>(static_cast<std::size_t>(mass_->num_elements()), 1.0), M);
  Matrix Phi(dofs_.size(), k), U;
  for (Eigen::Index i = 0; i < k; ++i) Phi.col(i) = modes_[static_cast<std::size_t>(i)].shape;
  multiply_columns(M, Phi, U);
  modes_have_no_momentum_ = has_no_momentum(U, pattern.is_uniform() && layout_->leading_size() == 3);
  const Matrix G = Phi.transpose() * U;
  const double worst = k > 0 ? (G - Matrix::Identity(k, k)).cwiseAbs().maxCoeff() : 0;
  if (!(worst <= 1e-6))
    throw Error(Problem{fmt::format("modal damping of '{}'", body_),
                        fmt::format("phi^T M phi differs from the unit matrix by {:.2g}", worst),
                        "modes orthonormal in the mass of the body", "use the modes of this very mesh and mass"});
  U_ = std::move(U);
  set_rates();
}

void ModalDamping::set_rates() {
  const Matrix& U = *U_;
  const Eigen::Index n = U.rows(), k = U.cols();
  Matrix Phi(n, k), C_Phi = Matrix::Zero(n, k);
  for (Eigen::Index i = 0; i < k; ++i) Phi.col(i) = modes_[static_cast<std::size_t>(i)].shape;
  if (base_) {
    State at_rest;
    at_rest.q = at_rest.v = at_rest.a = Vector::Zero(layout_->num_dofs());
    at_rest.q.segment(dofs_.begin, n) = rest_;
    const std::unique_ptr<TermScratch> scratch = base_->make_scratch();
    base_->begin_step(at_rest, scratch.get());
    apply_within(*C_, scratch.get(), base_dofs_, dofs_, Phi, C_Phi);
  }
  const Matrix C_modes = Phi.transpose() * C_Phi;
  rate_.resize(k);
  for (Eigen::Index i = 0; i < k; ++i) {
    const DampedMode& mode = modes_[static_cast<std::size_t>(i)];
    rate_[i] = 2 * mode.zeta * mode.omega - C_modes(i, i);
    if (std::abs(rate_[i]) <= 1e-12 * C_modes(i, i)) rate_[i] = 0;
  }
  // Reactions at dofs where no mode moves (pins) do no work.
  Matrix left_over = C_Phi - U * C_modes;
  for (Eigen::Index i = 0; i < n; ++i)
    if (Phi.row(i).isZero(0)) left_over.row(i).setZero();
  check_passive(C_modes, k > 0 && C_Phi.norm() > 0 ? left_over.norm() / C_Phi.norm() : 0);
}

ParameterList ModalDamping::parameters() const {
  ParameterInfo zeta{"zeta", Quantity::ratio, {}};
  for (const DampedMode& mode : modes_) zeta.values.push_back(mode.zeta);
  ParameterList list{std::move(zeta)};
  if (base_)
    for (ParameterInfo& info : prefixed("over", base_->parameters())) list.push_back(std::move(info));
  return list;
}

std::shared_ptr<DissipationTerm> ModalDamping::remade(const double* values, const Replacements& replacements) const {
  refuse_new_masses(replacements, model(), body_);
  auto successor = std::make_shared<ModalDamping>(*this);
  for (DampedMode& mode : successor->modes_) mode.zeta = *values++;
  if (base_) {
    if (std::shared_ptr<DissipationTerm> base = base_->remade(values, replacements)) successor->base_ = std::move(base);
    successor->C_ = successor->base_->capabilities().viscous;
  }
  successor->set_rates();
  return successor;
}

/// C + M Phi diag(d) Phi^T M is positive semidefinite if it is on the span of the modes and C does not couple the modes
/// to what is M-orthogonal to them; the latter holds for modes of Rayleigh and Caughey bases. A coupled base is
/// refused.
void ModalDamping::check_passive(const Matrix& C_modes, double coupling) const {
  std::vector<Problem> problems;
  const bool lagged = base_ && !base_->traits().constant;
  const auto refuse = [&](Eigen::Index i, const std::string& remedy) {
    const DampedMode& mode = modes_[static_cast<std::size_t>(i)];
    problems.push_back({place_of(static_cast<std::size_t>(i), body_),
                        fmt::format("zeta = {:.4g}, less than the {:.4g} that the base damping gives", mode.zeta,
                                    C_modes(i, i) / (2 * mode.omega)),
                        "at least that", remedy});
  };
  if (lagged) {
    for (Eigen::Index i = 0; i < rate_.size(); ++i)
      if (rate_[i] < 0) refuse(i, "the base changes with the shape: lower it, or use the stiffness at rest");
  } else if (rate_.size() > 0 && rate_.minCoeff() < 0) {
    Matrix total = 0.5 * (C_modes + C_modes.transpose());
    total.diagonal() += rate_;
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(total, Eigen::EigenvaluesOnly);
    if (coupling > 1e-5 || eigen.eigenvalues()[0] < -1e-9 * C_modes.diagonal().maxCoeff())
      for (Eigen::Index i = 0; i < rate_.size(); ++i)
        if (rate_[i] < 0) refuse(i, "the base couples the modes, so that less damping here would create energy");
  }
  if (!problems.empty()) throw Error(std::move(problems));
}

void ModalDamping::begin_step(const State& state, TermScratch* scratch) const {
  if (base_) base_->begin_step(state, scratch);
}

double ModalDamping::evaluate(const DissipationRequest& request) const {
  double power = base_ ? base_->evaluate(request) : 0;
  if (rate_.size() == 0) return power;
  const Vector w = transposed_times(*U_, request.v.segment(dofs_.begin, dofs_.size())), dw = rate_.cwiseProduct(w);
  if (request.force) add_times(*U_, dw, request.force->segment(dofs_.begin, dofs_.size()));
  if (request.low_rank && request.dv_scale != 0)
    request.low_rank->push_back({U_, request.dv_scale * Matrix(rate_.asDiagonal()), U_, {}, dofs_.begin});
  return power + w.dot(dw);
}

void ModalDamping::apply(const TermScratch* scratch, const Eigen::Ref<const Matrix>& X, Matrix& CX) const {
  if (base_)
    apply_within(*C_, scratch, base_dofs_, dofs_, X, CX);
  else
    CX.setZero(X.rows(), X.cols());
  if (rate_.size() > 0) CX += *U_ * (rate_.asDiagonal() * (U_->transpose() * X));
}

Vector caughey_ratios(const std::vector<double>& coefficients, const std::vector<int>& powers, const Vector& omega) {
  assert(coefficients.size() == powers.size());
  Vector zeta = Vector::Zero(omega.size());
  for (Eigen::Index i = 0; i < omega.size(); ++i)
    for (std::size_t j = 0; j < powers.size(); ++j)
      zeta[i] += 0.5 * coefficients[j] * std::pow(omega[i], 2 * powers[j] - 1);
  return zeta;
}

std::vector<double> caughey_coefficients(const std::vector<int>& powers, const std::vector<double>& omega,
                                         const std::vector<double>& zeta) {
  const Eigen::Index k = static_cast<Eigen::Index>(powers.size());
  std::vector<Problem> problems;
  if (powers.empty() || omega.size() != powers.size() || zeta.size() != powers.size())
    problems.push_back({"Caughey damping",
                        fmt::format("{} powers, {} frequencies, {} ratios", powers.size(), omega.size(), zeta.size()),
                        "as many of each", ""});
  for (const double w : omega)
    if (!(w > 0) || !std::isfinite(w))
      problems.push_back({"Caughey damping", fmt::format("omega = {} rad/s", w), "omega > 0", ""});
  if (!problems.empty()) throw Error(std::move(problems));
  // Frequencies in units of their geometric mean: powers of plain ones would overflow the condition of the matrix.
  double log_mean = 0;
  for (const double w : omega) log_mean += std::log(w) / static_cast<double>(k);
  const double unit = std::exp(log_mean);
  Matrix A(k, k);
  Vector b(k);
  for (Eigen::Index i = 0; i < k; ++i) {
    b[i] = zeta[static_cast<std::size_t>(i)];
    for (Eigen::Index j = 0; j < k; ++j)
      A(i, j) = 0.5 * std::pow(omega[static_cast<std::size_t>(i)] / unit, 2 * powers[static_cast<std::size_t>(j)] - 1);
  }
  const Eigen::FullPivLU<Matrix> lu(A);
  if (!lu.isInvertible())
    throw Error(Problem{"Caughey damping", "frequencies or powers that repeat", "different ones", ""});
  const Vector a = lu.solve(b);
  std::vector<double> result;
  for (Eigen::Index j = 0; j < k; ++j)
    result.push_back(a[j] * std::pow(unit, 1 - 2 * powers[static_cast<std::size_t>(j)]));
  return result;
}

Vector flat_ratios(const Vector& omega, double low, double high, double inside, double outside) {
  Vector zeta(omega.size());
  for (Eigen::Index i = 0; i < omega.size(); ++i) zeta[i] = omega[i] >= low && omega[i] <= high ? inside : outside;
  return zeta;
}

}  // namespace dashpot
