// Frames of projective dynamics: a swinging ARAP bar, midpoint, 10 iterations, 10 ms; the same with Laplacian damping;
// a frame in which the damping was changed live; and a loop at 60 frames a second that is disturbed by such changes.
//
// Floor of a frame at 16.5k tets on two threads (bench/bench_projective.cpp has the kernels): ten local steps of 25 ns
// a tet and ten solves of 0.12 ms are 3.3 ms. The rest is the ledger: energies of stage and end by singular values.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "benchmarks.hpp"
#include "dashpot/constraint/pins.hpp"
#include "dashpot/dissipation/laplacian.hpp"
#include "dashpot/energy/gravity.hpp"
#include "dashpot/energy/materials.hpp"
#include "dashpot/mesh/generate.hpp"
#include "dashpot/mesh/mass.hpp"
#include "dashpot/model/nodal_inertia.hpp"
#include "dashpot/projective/projective_stepper.hpp"
#include "dashpot/projective/realtime_loop.hpp"
#include "interrupt.hpp"
#include "stopwatch.hpp"

namespace dashpot::cli {
namespace {

constexpr double density = 1000, dt = 0.01;  // [kg/m^3], [s]
constexpr double beta = 2e-3;                // of the damping, while nobody turns it [s]

struct Bar {
  std::shared_ptr<const System> system;
  int tets = 0;
};

/// A bar of 4 : 1 : 1 held at one end.
Bar make_swinging_bar(int tets, bool damped) {
  const int n = std::max(1, static_cast<int>(std::lround(std::cbrt(tets / 24.0))));
  const Mesh mesh = make_bar({1, 0.25, 0.25}, {4 * n, n, n});
  const ElementGroup& group = *mesh.tets();
  Vector rest(3 * mesh.num_nodes());
  for (int i = 0; i < mesh.num_nodes(); ++i) rest.segment<3>(3 * i) = mesh.nodes[static_cast<std::size_t>(i)];
  SystemBuilder builder(3, rest);
  const auto mass = std::make_shared<ElementMass>(4, group.nodes, lumped_element_masses(mesh, group, density), true);
  builder.set_inertia(std::make_unique<NodalInertia>(std::vector<std::shared_ptr<ElementMass>>{mass}));
  builder.set_kinematics(std::make_unique<NodalKinematics>(mesh.num_nodes()));
  auto elastic = make_isotropic("bar", std::make_shared<TetBatch>(mesh.nodes, group.nodes, 4, 0), IsotropicLaw::arap,
                                {Isotropic{1e5, 0.3}});
  const auto* laplacian = dynamic_cast<const LaplacianSource*>(elastic.get());
  builder.add(std::unique_ptr<EnergyTerm>(std::move(elastic)));
  const Vector node_mass = lumped_node_masses(mesh, group, {density});
  builder.add(std::unique_ptr<EnergyTerm>(
      std::make_unique<Gravity>("bar", std::vector<double>(node_mass.data(), node_mass.data() + node_mass.size()),
                                mesh.nodes, 0, Vec3(0, -9.81, 0))));
  Bar bar;
  bar.tets = group.size();
  if (damped) {
    LaplacianParts parts;
    parts.laplacian = laplacian;
    parts.beta = PartwiseValue(beta);
    builder.add(std::unique_ptr<DissipationTerm>(std::make_unique<LaplacianDamping>("bar", std::move(parts))));
  }
  std::vector<int> dofs;
  std::vector<double> values;
  for (int i = 0; i < mesh.num_nodes(); ++i)
    for (int c = 0; c < 3 && mesh.nodes[static_cast<std::size_t>(i)].x() < 1e-9; ++c)
      dofs.push_back(3 * i + c), values.push_back(rest[3 * i + c]);
  builder.add(std::unique_ptr<Constraint>(std::make_unique<Pins>(std::move(dofs), std::move(values))));
  bar.system = builder.build();
  return bar;
}

class Swing {
 public:
  explicit Swing(Bar bar)
      : bar_(std::move(bar)),
        stepper_(make_projective_stepper(Integrator("midpoint"), ProjectiveOptions{})),
        state_(bar_.system->initial_state()),
        system_(*bar_.system, state_) {
    make_consistent(*system_, state_, system_.workspace());
  }
  double frame() {
    return milliseconds([&] {
      system_.follow(state_);
      stepper_->step(*system_, state_, system_.workspace(), dt);
    });
  }
  void turn(double factor) { turn(factor, state_); }
  void turn(double factor, State& state) const {
    bar_.system->parameters().set("bar/laplacian/beta", factor * beta, state.parameters);
  }
  const Bar& bar() const { return bar_; }
  State& state() { return state_; }
  Stepper& stepper() { return *stepper_; }

 private:
  Bar bar_;
  std::unique_ptr<Stepper> stepper_;
  State state_;
  LiveSystem system_;
};

/// Two seconds at 60 frames a second, the damping turned every half second.
RealtimeTimings play_live(Swing& swing) {
  RealtimeLoop loop(swing.stepper(), *swing.bar().system, swing.state(), {});
  for (int frame = 0; frame < 120 && !interrupted(); ++frame) {
    if (frame % 30 == 15) loop.post([&swing, frame](State& state) { swing.turn(frame % 60 == 15 ? 3.0 : 1.0, state); });
    loop.frame();
    loop.wait();
  }
  return loop.timings();
}

}  // namespace

std::vector<Measurement> bench_projective(const BenchRequest& request) {
  std::vector<Measurement> results;
  for (const int wanted : request.sizes) {
    Swing plain(make_swinging_bar(wanted, false)), damped(make_swinging_bar(wanted, true));
    const int tets = plain.bar().tets;
    for (int i = 0; i < 3; ++i) plain.frame(), damped.frame();
    std::vector<double> plain_ms, damped_ms, ratio, turned_ms;
    for (int i = 0; i < std::max(15, 5 * request.repeats) && !interrupted(); ++i) {
      plain_ms.push_back(plain.frame());
      damped_ms.push_back(damped.frame());
      ratio.push_back(100 * (damped_ms.back() / plain_ms.back() - 1));
    }
    for (int i = 0; i < request.repeats && !interrupted(); ++i) {
      damped.turn(i % 2 == 0 ? 2 : 1);
      turned_ms.push_back(damped.frame() - median(damped_ms));
    }
    if (turned_ms.empty()) break;
    const RealtimeTimings live = play_live(damped);
    const bool is_16k = tets > 14000 && tets<18000, is_7k = tets> 6000 && tets < 8000;
    const std::optional<double> bar = is_16k ? std::optional(15.0) : is_7k ? std::optional(6.0) : std::nullopt;
    results.push_back({"frame", tets, median(plain_ms), "ms", bar, {}});
    results.push_back({"frame with Laplacian damping", tets, median(damped_ms), "ms", bar, {}});
    results.push_back({"Laplacian damping adds", tets, median(ratio), "%", 3.0, {}});
    results.push_back({"a live change of damping adds to its frame",
                       tets,
                       median(turned_ms),
                       "ms",
                       is_16k ? std::optional(30.0) : std::nullopt,
                       {}});
    results.push_back({"real time, 60 Hz: work of a frame, median",
                       tets,
                       1e3 * RealtimeTimings::quantile(live.work, 0.5),
                       "ms",
                       {},
                       {}});
    results.push_back({"real time, 60 Hz: work of a frame, 99 %",
                       tets,
                       1e3 * RealtimeTimings::quantile(live.work, 0.99),
                       "ms",
                       {},
                       {}});
    results.push_back({"real time, 60 Hz: latency of a change, worst",
                       tets,
                       1e3 * RealtimeTimings::quantile(live.latency, 1),
                       "ms",
                       {},
                       {}});
    results.push_back(
        {"real time, 60 Hz: late frames of 120", tets, static_cast<double>(live.late_frames), "1", {}, {}});
  }
  return results;
}

}  // namespace dashpot::cli
