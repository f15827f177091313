#include "dashpot/design/mode_shares.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dashpot/core/error.hpp"
#include "dashpot/modes/system_modes.hpp"

namespace dashpot::design {
namespace {

constexpr int most_dofs = 60000;
constexpr double idle_below = 0.1;

/// C X for the damping that the examples change, at rest.
Matrix damped(const System& system, const ExampleBased& term, const Matrix& X) {
  const std::unique_ptr<TermScratch> scratch = term.base().make_scratch();
  term.base().begin_step(system.initial_state(), scratch.get());
  Matrix CX;
  const DofLayout& layout = system.pattern()->layout();
  const BlockRange blocks = term.base().touched_blocks().clipped(layout.num_blocks());
  apply_within(*term.base().capabilities().viscous, scratch.get(), layout.dofs(blocks), {0, layout.num_dofs()}, X, CX);
  return CX;
}

}  // namespace

double ModeShares::largest(int i) const { return shares.cols() == 0 ? 0 : shares.row(i).maxCoeff(); }

int ModeShares::largest_mode(int i) const {
  Eigen::Index k = 0;
  if (shares.cols() > 0) shares.row(i).maxCoeff(&k);
  return static_cast<int>(k) + 1;
}

ModeShares mode_shares(const System& system, const ExampleBased& term, int num_modes) {
  ModeShares result;
  if (system.num_dofs() > most_dofs || term.examples().empty()) return result;
  ModesResult modes;
  try {
    const int most = static_cast<int>(std::count(system.is_free().begin(), system.is_free().end(), 1)) - 7;
    if (most < 1) return result;
    modes = system_modes(system, system.initial_state(), {.num_modes = std::min(num_modes, most)});
  } catch (const Error&) {
    return result;  // a body without modes has no shares of them
  }
  const auto k = static_cast<Eigen::Index>(term.examples().size());
  Matrix X(system.num_dofs(), k);
  for (Eigen::Index i = 0; i < k; ++i) X.col(i) = term.shape(static_cast<std::size_t>(i));
  const Matrix CX = damped(system, term, X), CPhi = damped(system, term, modes.shapes);
  std::vector<Vector> columns;
  const double scale = std::max(1e-300, modes.shapes.cwiseProduct(CPhi).colwise().sum().maxCoeff());
  for (Eigen::Index m = 0; m < modes.shapes.cols(); ++m) {
    const double whole = modes.shapes.col(m).dot(CPhi.col(m));
    if (!(modes.lambda[m] > 0) || !(whole > 1e-12 * scale)) continue;  // rigid, or of another body
    Vector share(k);
    for (Eigen::Index i = 0; i < k; ++i) {
      const double along = X.col(i).dot(CPhi.col(m)), own = X.col(i).dot(CX.col(i));
      share[i] = own > 0 ? along * along / (own * whole) : 0;
    }
    columns.push_back(std::move(share));
    result.frequencies.push_back(modes.frequencies[m]);
  }
  result.shares.resize(k, static_cast<Eigen::Index>(columns.size()));
  for (std::size_t m = 0; m < columns.size(); ++m) result.shares.col(static_cast<Eigen::Index>(m)) = columns[m];
  return result;
}

std::vector<std::string> idle_example_warnings(const ModeShares& shares, const ExampleBased& term) {
  std::vector<std::string> warnings;
  for (Eigen::Index i = 0; i < shares.shares.rows() && shares.shares.cols() > 0; ++i)
    if (const int example = static_cast<int>(i); shares.largest(example) < idle_below)
      warnings.push_back(fmt::format(
          "{}: \"{}\" acts on no slow vibration: it changes at most {:.2g} % of the damping of the first {} modes "
          "(mode "
          "{}). Shapes that are bent or pulled far hold stiff, fast parts; \"relaxed\": true takes their static, "
          "linearized form instead, which does not",
          term.body(), term.examples()[static_cast<std::size_t>(i)].name, 100 * shares.largest(example),
          shares.shares.cols(), shares.largest_mode(example)));
  return warnings;
}

}  // namespace dashpot::design
