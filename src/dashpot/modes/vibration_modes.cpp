#include "dashpot/modes/vibration_modes.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <numeric>

#include <fmt/format.h>
#include <Eigen/Eigenvalues>

#include "dashpot/core/error.hpp"
#include "dashpot/modes/shift_invert.hpp"

namespace dashpot {
namespace {

// Up to this many free dofs a dense solution takes milliseconds.
constexpr int dense_dofs = 150;

/// Largest K_ii / M_ii over free dofs: the scale of the highest omega^2. Throws when a free dof has no mass.
double highest_scale(const BlockMatrix& K, const BlockMatrix& M, const FreeDofs& dofs) {
  const BlockPattern& pattern = K.pattern();
  const DofLayout& layout = pattern.layout();
  double scale = 0;
  std::vector<int> massless;
  for (const int dof : dofs.to_dof) {
    const int block = layout.block_of(dof), slot = pattern.diagonal_slot(block);
    const int entry = (dof - layout.offset(block)) * (layout.size(block) + 1);
    const double mass = M.block(slot)[entry];
    if (mass > 0)
      scale = std::max(scale, std::abs(K.block(slot)[entry]) / mass);
    else
      massless.push_back(block);
  }
  if (!massless.empty())
    throw Error(
        Problem{"", fmt::format("{} free dofs without mass, the first at node {}", massless.size(), massless.front()),
                "a positive mass at every free node", "remove unused nodes, give them mass, or pin them"});
  return scale;
}

/// Rayleigh-Ritz: lambda and M-orthonormal combinations of the columns of `basis`, ascending.
void rayleigh_ritz(ShiftInvert& problem, Matrix& basis, Vector& lambda) {
  Matrix K_basis(basis.rows(), basis.cols()), M_basis(basis.rows(), basis.cols());
  for (Eigen::Index k = 0; k < basis.cols(); ++k) {
    problem.multiply_stiffness(basis.col(k).data(), K_basis.col(k).data());
    problem.multiply_mass(basis.col(k).data(), M_basis.col(k).data());
  }
  const Matrix small_K = basis.transpose() * K_basis, small_M = basis.transpose() * M_basis;
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> eigen(small_K, small_M);
  lambda = eigen.eigenvalues();
  basis = basis * eigen.eigenvectors();
}

/// Keeps the `count` columns whose lambda is nearest to sigma, in ascending order of lambda.
void keep_nearest(double sigma, int count, Matrix& basis, Vector& lambda) {
  std::vector<int> order(static_cast<std::size_t>(lambda.size()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int i, int j) { return std::abs(lambda[i] - sigma) < std::abs(lambda[j] - sigma); });
  order.resize(std::min(order.size(), static_cast<std::size_t>(std::max(count, 0))));
  std::sort(order.begin(), order.end());
  basis = Matrix(basis(Eigen::all, order));
  lambda = Vector(lambda(order));
}

struct FreeModes {
  Matrix shapes;  ///< over free dofs
  Vector lambda;
  bool converged = true;
};

/// The `count` modes nearest to the shift, with every copy of repeated ones.
FreeModes lanczos_modes(ShiftInvert& problem, int count, double tolerance) {
  FreeModes modes;
  modes.shapes = problem.nearest(count, Matrix(problem.num_free(), 0), tolerance);
  if (modes.shapes.cols() > 0) rayleigh_ritz(problem, modes.shapes, modes.lambda);
  // Look again among what is M-orthogonal to the modes found, until that holds nothing nearer than the farthest of
  // them.
  for (int round = 0; round < count + 2; ++round) {
    const int wanted = std::clamp(count - static_cast<int>(modes.shapes.cols()), 2, 6);
    Matrix extra = problem.nearest(wanted, modes.shapes, tolerance);
    if (extra.cols() == 0) break;
    const double farthest =
        modes.lambda.size() >= count ? (modes.lambda.array() - problem.sigma()).abs().maxCoeff() : INFINITY;
    Vector extra_lambda;
    rayleigh_ritz(problem, extra, extra_lambda);
    const double nearest = (extra_lambda.array() - problem.sigma()).abs().minCoeff();
    if (nearest >= farthest * (1 - 1e-9)) break;
    Matrix all(problem.num_free(), modes.shapes.cols() + extra.cols());
    all << modes.shapes, extra;
    modes.shapes = all;
    rayleigh_ritz(problem, modes.shapes, modes.lambda);
    keep_nearest(problem.sigma(), count, modes.shapes, modes.lambda);
  }
  modes.converged = modes.shapes.cols() >= count;
  return modes;
}

FreeModes dense_modes(const BlockMatrix& K, const BlockMatrix& M, const FreeDofs& dofs) {
  const Matrix free_K = K.dense()(dofs.to_dof, dofs.to_dof), free_M = M.dense()(dofs.to_dof, dofs.to_dof);
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> eigen(free_K, free_M);
  if (eigen.info() != Eigen::Success || !eigen.eigenvalues().allFinite())
    throw Error(Problem{"", "a mass matrix that is not positive definite, or entries that are not finite",
                        "finite K and positive definite M", "check densities and element volumes"});
  return {eigen.eigenvectors(), eigen.eigenvalues(), true};
}

int count_rigid(const Vector& lambda, double limit) {
  return static_cast<int>((lambda.array().abs() <= limit).count());
}

/// Smallest |lambda| that is not rigid; `scale` when there is none.
double first_elastic(const Vector& lambda, double rigid_limit, double scale) {
  double first = scale;
  for (const double value : lambda)
    if (std::abs(value) > rigid_limit) first = std::min(first, std::abs(value));
  return first;
}

void require_factor(const ShiftInvert& problem) {
  if (problem.status() == SolveStatus::ok) return;
  throw Error(Problem{
      "", fmt::format("K - sigma M at sigma = {:.6g} rad^2/s^2 is {}", problem.sigma(), to_string(problem.status())),
      "finite, symmetric K and M and a shift that is not itself an eigenvalue", "change near_frequency slightly"});
}

/// Factors at `sigma`, or as far below as an unstable state needs: all eigenvalues are then above the shift.
std::unique_ptr<ShiftInvert> factor_below(const BlockMatrix& K, const BlockMatrix& M,
                                          const std::vector<std::uint8_t>& is_free, double sigma, double scale) {
  for (;; sigma *= 10) {
    auto problem = std::make_unique<ShiftInvert>(K, M, is_free, sigma, false);
    if (problem->status() != SolveStatus::not_positive_definite || -sigma > 1e3 * scale) return problem;
  }
}

/// Lowest modes: as many rigid ones as there are, and num_modes others.
FreeModes lowest_modes(const BlockMatrix& K, const BlockMatrix& M, const std::vector<std::uint8_t>& is_free,
                       const FreeDofs& dofs, double scale, const ModesOptions& options, std::string& solver) {
  // A body without any prescribed dof floats: it has at least the rigid motions of its dimension.
  constexpr int rigid_motions[] = {0, 1, 3, 6};
  const bool floats = dofs.num_free() == K.pattern().num_dofs();
  const double rigid_limit = options.rigid_tolerance * scale;
  int num_rigid = floats ? rigid_motions[std::min(3, K.pattern().layout().leading_size())] : 0;
  double sigma = -1e-8 * scale;
  FreeModes modes;
  for (int attempt = 0; attempt < 8; ++attempt) {
    const int count = options.num_modes + num_rigid;
    if (3 * count >= dofs.num_free()) return solver = "dense", dense_modes(K, M, dofs);
    const std::unique_ptr<ShiftInvert> problem = factor_below(K, M, is_free, sigma, scale);
    require_factor(*problem);
    solver = problem->solver().name();
    modes = lanczos_modes(*problem, count, options.tolerance);
    const int found_rigid = count_rigid(modes.lambda, rigid_limit);
    // Elastic modes much closer to zero than the shift look alike from there: come nearer.
    const double elastic = first_elastic(modes.lambda, rigid_limit, scale);
    const bool too_far = attempt < 4 && problem->sigma() == sigma && elastic < 0.01 * -sigma;
    if (found_rigid <= num_rigid && !too_far) break;
    if (too_far) sigma = -std::max(elastic, 10 * rigid_limit);
    num_rigid = found_rigid >= count ? 2 * count : std::max(num_rigid, found_rigid);
  }
  return modes;
}

void finish(const BlockMatrix& K, const BlockMatrix& M, const FreeDofs& dofs, double elastic, const FreeModes& modes,
            ModesResult& result) {
  const Eigen::Index k = modes.lambda.size();
  const int n = K.pattern().num_dofs();
  result.lambda = modes.lambda;
  result.converged = modes.converged;
  result.shapes = Matrix::Zero(n, k);
  result.frequencies.resize(k);
  result.residuals.resize(k);
  Vector K_phi(n), M_phi(n);
  for (Eigen::Index i = 0; i < k; ++i) {
    Vector shape = modes.shapes.col(i);
    Eigen::Index largest = 0;
    shape.cwiseAbs().maxCoeff(&largest);
    if (shape[largest] < 0) shape = -shape;
    result.shapes(dofs.to_dof, i) = shape;
    const double lambda = modes.lambda[i];
    result.frequencies[i] = std::copysign(std::sqrt(std::abs(lambda)), lambda) / (2 * std::numbers::pi);
    K.multiply(result.shapes.col(i), K_phi);
    M.multiply(result.shapes.col(i), M_phi);
    const Vector free_M_phi = M_phi(dofs.to_dof), r = Vector(K_phi(dofs.to_dof)) - lambda * free_M_phi;
    result.residuals[i] = r.norm() / (std::max(std::abs(lambda), elastic) * free_M_phi.norm());
  }
}

}  // namespace

void ModesOptions::check() const {
  std::vector<Problem> problems;
  const auto require = [&](bool ok, std::string found, std::string expected) {
    if (!ok) problems.push_back({"", std::move(found), std::move(expected), ""});
  };
  require(num_modes >= 1, fmt::format("num_modes = {}", num_modes), "at least 1");
  require(near_frequency >= 0 && std::isfinite(near_frequency), fmt::format("near_frequency = {} Hz", near_frequency),
          "0 or above");
  require(tolerance > 0 && tolerance < 1e-2, fmt::format("tolerance = {}", tolerance), "0 < tolerance < 0.01");
  require(rigid_tolerance > 0 && rigid_tolerance < 1, fmt::format("rigid_tolerance = {}", rigid_tolerance),
          "0 < rigid_tolerance < 1");
  if (!problems.empty()) throw Error(std::move(problems));
}

ModesResult vibration_modes(const BlockMatrix& K, const BlockMatrix& M, const std::vector<std::uint8_t>& is_free,
                            const ModesOptions& options) {
  options.check();
  const FreeDofs dofs(K.pattern(), is_free);
  const auto require_dofs = [&](int count) {
    if (count > dofs.num_free())
      throw Error(Problem{"", fmt::format("{} modes asked for ({} of them rigid)", count, count - options.num_modes),
                          fmt::format("at most {}, the number of free dofs", dofs.num_free()),
                          "ask for fewer modes or refine the mesh"});
  };
  require_dofs(options.num_modes);
  const double scale = highest_scale(K, M, dofs), rigid_limit = options.rigid_tolerance * scale;
  ModesResult result;
  FreeModes modes;
  const double omega = 2 * std::numbers::pi * options.near_frequency, near = omega * omega;
  if (dofs.num_free() <= dense_dofs || 3 * options.num_modes >= dofs.num_free()) {
    modes = dense_modes(K, M, dofs);
    result.solver = "dense";
  } else if (near > 0) {
    ShiftInvert problem(K, M, is_free, near, true);
    require_factor(problem);
    modes = lanczos_modes(problem, options.num_modes, options.tolerance);
    result.solver = problem.solver().name();
  } else {
    modes = lowest_modes(K, M, is_free, dofs, scale, options, result.solver);
  }
  const int kept_rigid = near > 0 ? 0 : count_rigid(modes.lambda, rigid_limit);
  require_dofs(options.num_modes + kept_rigid);
  keep_nearest(near > 0 ? near : modes.lambda.minCoeff(), options.num_modes + kept_rigid, modes.shapes, modes.lambda);
  result.num_rigid = count_rigid(modes.lambda, rigid_limit);
  result.num_unstable = static_cast<int>((modes.lambda.array() < -rigid_limit).count());
  finish(K, M, dofs, first_elastic(modes.lambda, rigid_limit, scale), modes, result);
  return result;
}

}  // namespace dashpot
