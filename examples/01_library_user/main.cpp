// A rubber bar in fifteen lines of C++: clamp it, set it ringing in its first vibration mode under Rayleigh damping,
// and measure the damping ratio that was asked for. Nothing is written to disk.
#include <cmath>
#include <cstdio>

#include <dashpot/analysis/measurement.hpp>
#include <dashpot/core/error.hpp>
#include <dashpot/scene/scene.hpp>
#include <dashpot/scene/simulate.hpp>

using namespace dashpot::scene;

int main() {
  try {
    const double asked = 0.03;
    Scene scene;
    scene.time = {.dt = 6e-3 /* s */, .end = 2.5};
    Body& bar = scene.bodies.emplace_back();
    bar.mesh = mesh::bar{.size = {1, 0.1, 0.1} /* m */, .cells = {12, 2, 2}};
    bar.material = material::stvk{.young = 20e6 /* Pa */, .poisson = 0.3, .density = 1000 /* kg/m^3 */};
    bar.damping = {damping::rayleigh{.zeta = {{{.mode = 1, .zeta = asked}}}}};
    bar.pins = {{.where = where::box{.corners = {{{-1, -1, -1}, {1e-6, 1, 1}}}}}};
    bar.start = start::mode{.mode = 1, .amplitude = 1e-3 /* m */};
    scene.record.probes = {{.name = "tip", .where = where::nearest{.point = {1, 0.1, 0.1}}}};

    const dashpot::RunResult run = dashpot::simulate(dashpot::compile(scene));
    const dashpot::analysis::RingDown ring = dashpot::analysis::measure_ring_down(run.probe("tip"));
    std::printf("first mode %.3f Hz; damping ratio asked %.4f, measured %.4f\n", ring.frequency, asked, ring.zeta);
    std::printf("of %.3g J the damping took %.3g J, the integrator %.3g J\n", run.initial_energy(),
                run.final_value("damping.body.rayleigh"), run.final_value("numerical"));
    return std::abs(ring.zeta / asked - 1) < 0.02 ? 0 : 1;
  } catch (const dashpot::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 3;
  }
}
