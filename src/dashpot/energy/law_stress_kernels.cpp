#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/energy/feature_forces.hpp"
#include "dashpot/energy/formula/stress_kernels.hpp"
#include "dashpot/energy/formula/stretch_tangent.hpp"
#include "dashpot/energy/stress_kernels.hpp"
#include "dashpot/energy/tet_kernel.hpp"

namespace dashpot {
namespace {

using math::Pack4;

formula::StressKernelForm checked_form(const StressKernels& kernels) {
  std::vector<Problem> problems;
  if (!(kernels.scale > 0) || !(kernels.width > 0))
    problems.push_back(
        {"stress_kernels", fmt::format("scale {:g} Pa, width {:g}", kernels.scale, kernels.width), "both above 0", ""});
  if (kernels.weights.size() != 3 * kernels.centers.size())
    problems.push_back({"stress_kernels", fmt::format("{} weights", kernels.weights.size()),
                        fmt::format("three of each of {} centers", kernels.centers.size()), ""});
  for (const double w : kernels.weights)
    if (!std::isfinite(w)) problems.push_back({"stress_kernels", fmt::format("weight {}", w), "finite numbers", ""});
  for (const std::array<double, 3>& c : kernels.centers)
    if (!std::isfinite(c[0] + c[1] + c[2]))
      problems.push_back({"stress_kernels", "a center", "three finite numbers", ""});
  if (!problems.empty()) throw Error(problems);
  formula::StressKernelForm form{kernels.scale, kernels.kind, kernels.width, kernels.centers, kernels.weights, {}};
  for (const std::array<double, 3>& c : kernels.centers) {
    const double r2 = (1 - c[0]) * (1 - c[0]) + (1 - c[1]) * (1 - c[1]) + (1 - c[2]) * (1 - c[2]);
    form.at_rest.push_back(2 * math::sample(kernels.kind, r2, kernels.width).value);
  }
  return form;
}

class StressKernelTerm final : public DissipationTerm {
 public:
  StressKernelTerm(std::string body, std::shared_ptr<TetBatch> batch, StressKernels kernels)
      : body_(std::move(body)), batch_(std::move(batch)), kernels_(std::move(kernels)), form_(checked_form(kernels_)) {}

  const std::string& body() const override { return body_; }
  std::string model() const override { return "stress_kernels"; }
  DissipationTraits traits() const override {
    DissipationTraits traits;
    traits.keeps_linear_momentum = traits.keeps_angular_momentum = true;
    traits.linear_in_velocity = traits.exact_in_place = false;
    return traits;
  }
  BlockRange touched_blocks() const override { return batch_->touched_blocks(); }
  void couple(PatternBuilder& pattern) const override { batch_->couple(pattern); }
  void bind(const BlockPattern& pattern) override { batch_->bind(pattern); }

  double evaluate(const DissipationRequest& request) const override {
    Vector force = Vector::Zero(request.q.size());
    PassTask task;
    task.q = request.q.data();
    task.gradient = force.data();
    task.stiffness = request.tangent;
    task.stiffness_scale = request.dq_scale;
    task.kind = request.tangent != nullptr ? formula::TangentKind::exact : formula::TangentKind::none;
    batch_->for_each_chunk([&](int begin, int end) {
      batch_->nodes_per_tet() == 4 ? loop<4>(task, begin, end) : loop<10>(task, begin, end);
    });
    if (request.force != nullptr) *request.force += force;
    return request.v.dot(force);
  }

  ParameterList parameters() const override {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (kernels_.weights.empty()) return {};
    return {{"stress_kernels", Quantity::number, kernels_.weights, -infinity, infinity, true}};
  }
  std::shared_ptr<DissipationTerm> remade(const double* values, const Replacements&) const override {
    StressKernels others = kernels_;
    for (double& weight : others.weights) weight = *values++;
    return std::make_shared<StressKernelTerm>(body_, batch_, std::move(others));
  }
  bool add_parameter_forces(const DissipationRequest& request, std::span<const int> which,
                            Matrix& columns) const override {
    batch_->for_each_chunk([&](int begin, int end) {
      batch_->nodes_per_tet() == 4 ? feature_loop<4>(request.q.data(), which, begin, end, columns)
                                   : feature_loop<10>(request.q.data(), which, begin, end, columns);
    });
    return true;
  }

 private:
  template <int N>
  void loop(const PassTask& task, int begin, int end) const {
    const formula::StressKernelParameters<Pack4> m{&form_};
    for (int pack = begin / 4; pack < (end + 3) / 4; ++pack)
      kernel::run_pack<N>(
          *batch_, task, pack,
          [&m](const math::Matrix3<Pack4>& F, formula::TangentKind kind, formula::PointResponse<Pack4>& out) {
            formula::stretch_response<formula::StressKernelLaw>(m, F, kind, out);
          });
  }

  template <int N>
  void feature_loop(const double* q, std::span<const int> which, int begin, int end, Matrix& columns) const {
    for (int pack = begin / 4; pack < (end + 3) / 4; ++pack) {
      const int lanes = kernel::lanes_in_use(*batch_, pack);
      Pack4 x[3 * N], f[3 * N], r[3];
      kernel::gather<N>(*batch_, q, pack, lanes, x);
      kernel::PointFrames<N> at[kernel::num_points<N>];
      for (int p = 0; p < kernel::num_points<N>; ++p)
        at[p] = kernel::PointFrames<N>(x, batch_->pack_gradients(pack, p), Pack4::load(batch_->pack_weights(pack, p)));
      for (std::size_t i = 0; i < which.size(); ++i) {
        for (Pack4& component : f) component = Pack4(0.0);
        for (const kernel::PointFrames<N>& point : at) {
          formula::StressKernelLaw::feature(form_, static_cast<std::size_t>(which[i] / 3), which[i] % 3, point.s, r);
          point.add_force(r, f);
        }
        kernel::scatter_force<N>(*batch_, pack, lanes, f, columns.col(static_cast<Eigen::Index>(i)).data());
      }
    }
  }

  std::string body_;
  std::shared_ptr<TetBatch> batch_;
  StressKernels kernels_;
  formula::StressKernelForm form_;
};

}  // namespace

std::unique_ptr<DissipationTerm> make_stress_kernels(std::string body, std::shared_ptr<TetBatch> batch,
                                                     const StressKernels& kernels) {
  return std::make_unique<StressKernelTerm>(std::move(body), std::move(batch), kernels);
}

}  // namespace dashpot
