#include "dashpot/dissipation/example_based.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/dissipation/example_scratch.hpp"

namespace dashpot {
namespace {

void check_example(const DampingExample& example, const std::string& body, Eigen::Index num_dofs, GainInput input,
                   std::vector<Problem>& problems) {
  const std::string place = fmt::format("example '{}' of '{}'", example.name, body);
  if (example.shape.size() != num_dofs)
    problems.push_back({place, fmt::format("{} displacements", example.shape.size()),
                        fmt::format("one for each of the {} dofs", num_dofs), ""});
  else if (!example.shape.allFinite())
    problems.push_back({place, "a displacement that is not finite", "finite numbers [m]", ""});
  else if (example.shape.isZero(0))
    problems.push_back(
        {place, "no displacement anywhere", "a deformation", "a zero example has no direction that could be damped"});
  if (input == GainInput::constant && !example.gain.is_constant())
    problems.push_back({place, "a gain curve although gains are constant", "one number",
                        "let gains depend on displacement or velocity"});
}

/// A few steps of power iteration from a fixed, rough start: ||C||_2 up to some ten percent.
double estimate_norm(const ViscousOperator& C, const TermScratch* scratch, Eigen::Index rows) {
  Matrix x = Matrix::Zero(rows, 1), y;
  for (Eigen::Index i = 0; i < rows; ++i) x(i, 0) = i % 2 ? -1.0 : 1.0 + 0.5 * static_cast<double>(i % 7);
  double norm = 0;
  for (int i = 0; i < 12; ++i) {
    x /= x.norm();
    C.apply(scratch, x, y);
    norm = y.norm();
    if (!(norm > 0)) break;
    x = y;
  }
  return norm;
}

}  // namespace

std::string to_string(GainInput input) {
  switch (input) {
    case GainInput::constant:
      return "constant";
    case GainInput::displacement:
      return "displacement";
    case GainInput::velocity:
      return "velocity";
  }
  return "unknown";
}

ExampleBased::ExampleBased(std::string body, std::unique_ptr<DissipationTerm> base, const ViscousOperator* C,
                           const MassSource& mass, Vector rest, int first_block, int num_blocks,
                           std::vector<DampingExample> examples, ExampleBasedOptions options)
    : body_(std::move(body)),
      base_(std::move(base)),
      C_(C),
      mass_(&mass),
      rest_(std::move(rest)),
      first_block_(first_block),
      num_blocks_(num_blocks),
      options_(std::move(options)),
      X_(rest_.size(), static_cast<Eigen::Index>(examples.size())) {
  assert(base_ && C_);
  std::vector<Problem> problems;
  if (!(options_.rank_tolerance >= 1e-7 && options_.rank_tolerance <= 1e-2))
    problems.push_back({fmt::format("example_based damping of '{}'", body_),
                        fmt::format("rank_tolerance = {}", options_.rank_tolerance), "1e-7 <= rank_tolerance <= 1e-2",
                        "1e-6 is a good choice"});
  for (const DampingExample& example : examples) check_example(example, body_, rest_.size(), options_.input, problems);
  if (options_.origin.size() > 0 && (options_.origin.size() != rest_.size() || !options_.origin.allFinite()))
    problems.push_back({fmt::format("example_based damping of '{}'", body_),
                        fmt::format("{} positions to count from", options_.origin.size()),
                        fmt::format("{} finite ones", rest_.size()), ""});
  if (!problems.empty()) throw Error(std::move(problems));
  for (std::size_t i = 0; i < examples.size(); ++i) {
    X_.col(static_cast<Eigen::Index>(i)) = examples[i].shape;
    examples_.push_back({std::move(examples[i].name), std::move(examples[i].gain)});
  }
}

Vector ExampleBased::shape(std::size_t example) const {
  Vector all = Vector::Zero(pattern_->num_dofs());
  all.segment(begin_, rows_) = X_.col(static_cast<Eigen::Index>(example));
  return all;
}

Vector ExampleBased::origin_displacement() const {
  Vector all = Vector::Zero(pattern_->num_dofs());
  all.segment(begin_, rows_) = origin_ - rest_;
  return all;
}

ParameterList ExampleBased::parameters() const {
  using math::GainCurve;
  ParameterList list;
  for (std::size_t i = 0; i < examples_.size(); ++i) {
    const GainCurve& curve = examples_[i].gain;
    const std::string place = fmt::format("examples/{}/", i);
    ParameterInfo gamma{
        place + "gamma", Quantity::number, {}, curve.is_constant() ? 0 : GainCurve::smallest, GainCurve::largest};
    ParameterInfo at{place + "at", options_.input == GainInput::velocity ? Quantity::rate : Quantity::number, {}};
    for (const GainCurve::Point& knot : curve.knots()) {
      gamma.values.push_back(knot.gamma);
      at.values.push_back(knot.x);
    }
    list.push_back(std::move(gamma));
    if (!curve.is_constant()) list.push_back(std::move(at));
  }
  for (ParameterInfo& info : prefixed("over", base_->parameters())) list.push_back(std::move(info));
  return list;
}

std::shared_ptr<DissipationTerm> ExampleBased::remade(const double* values, const Replacements& replacements) const {
  std::vector<math::GainCurve> gains;
  for (const ExampleGain& example : examples_) {
    std::vector<math::GainCurve::Point> knots = example.gain.knots();
    for (math::GainCurve::Point& knot : knots) knot.gamma = *values++;
    if (!example.gain.is_constant())
      for (math::GainCurve::Point& knot : knots) knot.x = *values++;
    gains.push_back(example.gain.is_constant() ? math::GainCurve::constant(knots[0].gamma)
                                               : math::GainCurve::through(knots, example.gain.kind()));
  }
  std::shared_ptr<ExampleBased> successor = with_gains(gains);
  successor->mass_ = replacements.of(mass_);
  if (std::shared_ptr<DissipationTerm> base = base_->remade(values, replacements)) {
    successor->base_ = std::move(base);
    successor->C_ = successor->base_->capabilities().viscous;
    successor->measure(*pattern_);
  }
  return successor;
}

std::shared_ptr<ExampleBased> ExampleBased::with_gains(const std::vector<math::GainCurve>& gains) const {
  assert(gains.size() == examples_.size());
  auto successor = std::make_shared<ExampleBased>(*this);
  for (std::size_t i = 0; i < gains.size(); ++i) successor->examples_[i].gain = gains[i];
  return successor;
}

DissipationTraits ExampleBased::traits() const {
  // U = C Q: rigid velocities that C does not see are not seen by U^T, and C's forces without resultant stay so.
  DissipationTraits traits = base_->traits();
  const bool linear =
      options_.input == GainInput::constant && (!options_.isotropic || options_.isotropic->curve.is_constant());
  traits.symmetric = traits.symmetric && linear && (is_symmetric(options_.coupling) || examples_.empty());
  traits.constant = traits.constant && linear && !turns();
  if (options_.input == GainInput::velocity) traits.linear_in_velocity = false;
  return traits;
}

void ExampleBased::bind(const BlockPattern& pattern) {
  pattern_ = pattern.shared_from_this();
  base_->bind(pattern);
  const DofRange dofs = pattern.layout().dofs({first_block_, first_block_ + num_blocks_});
  const int b = pattern.layout().size(first_block_);
  begin_ = dofs.begin;
  rows_ = dofs.size();
  std::vector<Problem> problems;
  if (turns() && b != 3)
    problems.push_back({fmt::format("example_based damping of '{}'", body_),
                        fmt::format("examples that turn, for blocks of {} dofs", b), "nodes in space", ""});
  for (std::size_t i = 0; i < examples_.size(); ++i) {
    const auto shape = X_.col(static_cast<Eigen::Index>(i));
    if (!shape.head(begin_).isZero(0) || !shape.tail(shape.size() - begin_ - rows_).isZero(0))
      problems.push_back({fmt::format("example '{}' of '{}'", examples_[i].name, body_),
                          "displacements outside the body", "zero there", ""});
  }
  const int num_blocks = pattern.num_blocks();
  const BlockRange of_base = base_->touched_blocks().clipped(num_blocks);
  const BlockRange of_both = hull(of_base, mass_->mass_blocks().clipped(num_blocks));
  if (hull(of_both, touched_blocks()) != touched_blocks())
    problems.push_back({fmt::format("example_based damping of '{}'", body_), "a mass or a base of other bodies too",
                        "those of this body", ""});
  if (!problems.empty()) throw Error(std::move(problems));

  base_dofs_ = pattern.layout().dofs(of_base);
  if (options_.locally_turned) local_ = LocalRotations(pattern, rest_, first_block_, num_blocks_);
  X_ = X_.middleRows(begin_, rows_).eval();
  rest_ = rest_.segment(begin_, rows_).eval();
  counts_from_rest_ = options_.origin.size() == 0;
  origin_ = counts_from_rest_ ? rest_ : Vector(options_.origin.segment(begin_, rows_));
  options_.origin.resize(0);
  measure(pattern);
}

void ExampleBased::measure(const BlockPattern& pattern) {
  BlockMatrix M(pattern.shared_from_this(), touched_blocks());
  mass_->add_mass(std::vector<double>(static_cast<std::size_t>(mass_->num_elements()), 1.0), M);
  measure_ = ExampleMeasure(std::move(M), X_, rest_, counts_no_rigid_motion());
  P_origin_ = measure_.P_transposed().transpose() * origin_;

  State at_rest;
  at_rest.q = at_rest.v = at_rest.a = Vector::Zero(pattern.num_dofs());
  at_rest.q.segment(begin_, rows_) = rest_;
  const std::unique_ptr<TermScratch> scratch = base_->make_scratch();
  base_->begin_step(at_rest, scratch.get());
  norm_C_ = estimate_norm(*C_, scratch.get(), base_dofs_.size());
}

std::unique_ptr<TermScratch> ExampleBased::make_scratch_beside(std::span<const EnergyScratch> energies) const {
  auto scratch = std::make_unique<Scratch>();
  scratch->base = base_->make_scratch_beside(energies);
  return scratch;
}

void ExampleBased::begin_step(const State& state, TermScratch* scratch) const {
  auto& mine = static_cast<Scratch&>(*scratch);
  base_->begin_step(state, mine.base.get());
  if (mine.has_basis && has_constant_basis()) return;
  mine.has_basis = true;
  if (options_.corotated) mine.rotation = measure_.rotation(state.q.segment(begin_, rows_));
  Matrix CX;
  const Matrix turned = turns() ? turned_examples(state.q, mine.rotation, mine.rotations) : Matrix();
  const Matrix& X = turns() ? turned : X_;
  apply_within(*C_, mine.base.get(), base_dofs_, body_dofs(), X, CX);
  mine.basis = make_example_basis(X, CX, norm_C_, options_.rank_tolerance, basis_kind(options_.coupling));
  // A velocity is measured against the examples as they stand; a displacement against those of the body's frame.
  const bool locally = options_.locally_turned && options_.input == GainInput::velocity;
  if (locally || options_.corotated) mine.turned_P = measure_.P_transposed();
  if (locally)
    LocalRotations::turn(mine.rotations, mine.turned_P);
  else if (options_.corotated)
    turn(mine.rotation, mine.turned_P);
  share_factors(X, locally || options_.corotated, mine);
}

void ExampleBased::share_factors(const Matrix& X, bool measure_turned, Scratch& mine) const {
  if (options_.input == GainInput::constant && is_symmetric(options_.coupling)) return;  // only U is needed
  const bool same_examples = !mine.reach.empty() && mine.shared == mine.basis.kept;
  mine.shared = mine.basis.kept;
  if (!same_examples || turns()) mine.reach = kept_columns(X, mine.shared);
  if (!same_examples || measure_turned) mine.V = kept_columns(P_of(mine), mine.shared);
}

Matrix ExampleBased::turned_examples(const Vector& q, const Mat3& rotation, std::vector<Mat3>& rotations) const {
  Matrix turned = X_;
  if (options_.locally_turned) {
    local_.evaluate(q, rotations);
    LocalRotations::turn(rotations, turned);
  } else {
    turn(rotation, turned);
  }
  return turned;
}

const Matrix& ExampleBased::P_of(const Scratch& mine) const {
  return mine.turned_P.size() > 0 ? mine.turned_P : measure_.P_transposed();
}

const ExampleBasis& ExampleBased::basis(const TermScratch* scratch) const {
  return static_cast<const Scratch&>(*scratch).basis;
}

ExampleDiagnosis ExampleBased::diagnose(const State& state) const {
  const std::unique_ptr<TermScratch> scratch = base_->make_scratch();
  base_->begin_step(state, scratch.get());
  Matrix X = X_, CX;
  std::vector<Mat3> rotations;
  if (turns()) X = turned_examples(state.q, measure_.rotation(state.q.segment(begin_, rows_)), rotations);
  apply_within(*C_, scratch.get(), base_dofs_, body_dofs(), X, CX);
  return diagnose_examples(X, CX, norm_C_, options_.rank_tolerance);
}

}  // namespace dashpot
