#include "dashpot/learn/kernel_centers.hpp"

#include <limits>
#include <random>

#include <fmt/format.h>
#include <Eigen/LU>
#include <Eigen/SVD>

namespace dashpot::learn {
namespace {

constexpr int lloyd_iterations = 20;
constexpr std::size_t most_samples = 6000;

using Stretches = std::array<double, 3>;

double distance_squared(const Stretches& a, const Stretches& b) {
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

std::size_t nearest(const std::vector<Stretches>& centers, const Stretches& s) {
  std::size_t best = 0;
  for (std::size_t k = 1; k < centers.size(); ++k)
    if (distance_squared(centers[k], s) < distance_squared(centers[best], s)) best = k;
  return best;
}

}  // namespace

std::vector<Stretches> stretches_of(const CompiledBody& body, const std::vector<std::vector<Vec3>>& positions) {
  std::vector<Stretches> all;
  const ElementGroup* tets = body.mesh.tets();
  if (tets == nullptr) return all;
  for (int e = 0; e < tets->size(); ++e) {
    const int* tet = tets->element(e);
    Mat3 rest;
    for (int k = 1; k < 4; ++k)
      rest.col(k - 1) =
          body.mesh.nodes[static_cast<std::size_t>(tet[k])] - body.mesh.nodes[static_cast<std::size_t>(tet[0])];
    const Mat3 inverse = rest.inverse();
    for (const std::vector<Vec3>& x : positions) {
      Mat3 now;
      for (int k = 1; k < 4; ++k)
        now.col(k - 1) = x[static_cast<std::size_t>(body.first_block + tet[k])] -
                         x[static_cast<std::size_t>(body.first_block + tet[0])];
      const Vec3 s = Eigen::JacobiSVD<Mat3>(now * inverse).singularValues();
      all.push_back({s[0], s[1], s[2]});
    }
  }
  return all;
}

std::vector<Stretches> cluster_centers(const std::vector<Stretches>& stretches, int count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Stretches> samples;
  const std::size_t every = 1 + stretches.size() / most_samples;
  for (std::size_t i = 0; i < stretches.size(); i += every) samples.push_back(stretches[i]);
  std::vector<Stretches> centers;
  if (samples.empty()) return centers;
  centers.push_back(samples[random() % samples.size()]);
  std::vector<double> far(samples.size(), std::numeric_limits<double>::infinity());
  while (static_cast<int>(centers.size()) < count) {
    double sum = 0;
    for (std::size_t i = 0; i < samples.size(); ++i)
      sum += far[i] = std::min(far[i], distance_squared(samples[i], centers.back()));
    if (!(sum > 0)) break;  // no more different ones
    double left = sum * std::uniform_real_distribution<double>()(random);
    std::size_t chosen = 0;
    while (chosen + 1 < samples.size() && left >= far[chosen]) left -= far[chosen++];
    centers.push_back(samples[chosen]);
  }
  for (int iteration = 0; iteration < lloyd_iterations; ++iteration) {
    std::vector<Stretches> sum(centers.size(), Stretches{0, 0, 0});
    std::vector<double> number(centers.size(), 0);
    for (const Stretches& s : samples) {
      const std::size_t k = nearest(centers, s);
      for (std::size_t i = 0; i < 3; ++i) sum[k][i] += s[i];
      number[k] += 1;
    }
    for (std::size_t k = 0; k < centers.size(); ++k)
      if (number[k] > 0)
        for (std::size_t i = 0; i < 3; ++i) centers[k][i] = sum[k][i] / number[k];
  }
  return centers;
}

std::vector<SceneOverride> kernel_overrides(int body, const std::vector<Stretches>& centers, double width) {
  std::vector<std::string> rows, weights(centers.size(), "0");
  for (const Stretches& c : centers) rows.push_back(fmt::format("[{:.17g}, {:.17g}, {:.17g}]", c[0], c[1], c[2]));
  const std::string place = fmt::format("/bodies/{}/material/", body);
  return {{place + "kernel_centers", fmt::format("[{}]", fmt::join(rows, ", "))},
          {place + "kernels", fmt::format("[{}]", fmt::join(weights, ", "))},
          {place + "kernel_width", fmt::format("{:.17g}", width)}};
}

}  // namespace dashpot::learn
