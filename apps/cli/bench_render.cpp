// What a picture costs: 900 x 600 pixels of a ball with about 50 000 surface triangles on its ground, default quality.
//
// Floors (2 cores): shading asks 92 depth maps for each of 0.54 M pixels, of which about 62 face the surface: 33 M
// lookups of four neighboring texels, some 2 ns each while the maps' rows stay in L2: 33 ms on two cores. Drawing the
// maps sets up 50 000 x 92 = 4.6 M triangles of a few texels, some 30 ns each: 69 ms. Coverage writes 16 samples a
// pixel, 8.6 M samples of 8 bytes in tiles that stay in L2: 10 ms.
#include <algorithm>
#include <chrono>

#include "benchmarks.hpp"
#include "dashpot/core/parallel.hpp"
#include "dashpot/mesh/generate.hpp"
#include "dashpot/render/body_skin.hpp"
#include "dashpot/render/png.hpp"
#include "dashpot/render/rasterizer.hpp"
#include "interrupt.hpp"

namespace dashpot::cli {
namespace {

template <class F>
double median_ms(int repeats, F&& work) {
  std::vector<double> times;
  for (int i = 0; i < repeats && !interrupted(); ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }
  std::sort(times.begin(), times.end());
  return times.empty() ? 0 : times[times.size() / 2];
}

}  // namespace

std::vector<Measurement> bench_render(const BenchRequest& request) {
  std::vector<Measurement> out;
  Progress progress(request.console, "render", 3, "figures");
  const Mesh ball = make_sphere(0.5, 50, ElementKind::tet4, {0, 0.5, 0});
  const render::BodySkin skin(ball);
  render::Stage stage;
  skin.add_to(stage, ball.nodes, {});
  render::add_ground(stage, ball.nodes);
  const render::Camera camera = render::frame_points(ball.nodes, {}, 1.5);
  const int triangles = static_cast<int>(skin.triangles().size());
  render::Image image;
  const double full = median_ms(request.repeats, [&] { image = render::draw(stage, camera); });
  progress.update(1);
  out.push_back({"900 x 600 picture, 50k triangles", triangles, full, "ms", 1000.0, {}});
  const double draft =
      median_ms(request.repeats, [&] { render::draw(stage, camera, render::DrawSettings::draft(900, 600)); });
  progress.update(2);
  out.push_back({"the same as a draft", triangles, draft, "ms", {}, {}});
  const int threads = num_threads();
  set_num_threads(1);
  const double alone = median_ms(std::min(3, request.repeats), [&] { render::draw(stage, camera); });
  set_num_threads(threads);
  out.push_back({"one thread / all threads", triangles, full > 0 ? alone / full : 0, "1", {}, {}});
  out.push_back({"PNG of 900 x 600", 0, median_ms(request.repeats, [&] { render::to_png(image); }), "ms", {}, {}});
  progress.update(3);
  return out;
}

}  // namespace dashpot::cli
