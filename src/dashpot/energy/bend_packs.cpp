#include "dashpot/energy/bend_packs.hpp"

#include <algorithm>

#include "dashpot/energy/bending.hpp"
#include "dashpot/energy/element_rows.hpp"
#include "dashpot/math/curve_order.hpp"

namespace dashpot {
namespace {

using element_rows::add_row;
using element_rows::Four;
using element_rows::row;
using math::Pack4;
using math::select;

/// Four bends; the coefficient of node 0 is minus the sum of the others.
struct Pack {
  double coefficient[3][4];  ///< of nodes 1..n-1, by lane
  Pack4 weight, rest;
  Pack4 least;  ///< square of the size below which there is no direction
  int element[4];
};

/// g of each lane, as rows (x, y, z, 0). Differences keep the digits of a body far from the origin.
template <int n>
[[gnu::always_inline]] inline void differences(const Pack& pack, const int* nodes, const Four* x, Pack4 g[4]) {
  for (int lane = 0; lane < 4; ++lane) {
    const Pack4 first = row(x, nodes[lane]);
    g[lane] = Pack4(0.0);
    for (int a = 1; a < n; ++a) g[lane] += Pack4(pack.coefficient[a - 1][lane]) * (row(x, nodes[4 * a + lane]) - first);
  }
}

template <int n>
[[gnu::always_inline]] inline void scatter(const Pack& pack, const int* nodes, int lane, Pack4 force, Four* f) {
  Pack4 sum(0.0);
  for (int a = 1; a < n; ++a) {
    const Pack4 part = Pack4(pack.coefficient[a - 1][lane]) * force;
    add_row(part, f, nodes[4 * a + lane]);
    sum += part;
  }
  add_row(-sum, f, nodes[lane]);
}

/// a . b of each lane.
[[gnu::always_inline]] inline Pack4 dots(const Pack4 a[4], const Pack4 b[4]) {
  Pack4 p[4] = {a[0] * b[0], a[1] * b[1], a[2] * b[2], a[3] * b[3]};
  math::transpose(p[0], p[1], p[2], p[3]);
  return p[0] + p[1] + p[2];
}

}  // namespace

struct BendPacks::Parts {
  int n;
  ElementRanges ranges;
  std::vector<Pack> packs;
  std::vector<double> energies;  ///< by first pack of a range

  template <int nodes_per_bend>
  void evaluate(const Vector& q, Vector* gradient);
  template <int nodes_per_bend>
  void add_projection(const Vector& q, Vector& f);
  template <int nodes_per_bend>
  void add_spin_force(const Vector& q, const Vector& v, const double* scale, Vector& f);
};

BendPacks::BendPacks(int n, const std::vector<Bend>& bends, const std::vector<int>& blocks,
                     const std::vector<double>& least_size, const std::vector<Vec3>& places)
    : parts_(std::make_unique<Parts>(Parts{n, ElementRanges(n, blocks, math::order_along_curve(places), 4), {}, {}})) {
  parts_->packs.resize(static_cast<std::size_t>(parts_->ranges.num_packs()));
  parts_->energies.resize(parts_->packs.size());
  parts_->ranges.for_each_lane([&](int p, int lane, int element, bool exists) {
    Pack& pack = parts_->packs[static_cast<std::size_t>(p)];
    const Bend& bend = bends[static_cast<std::size_t>(element)];
    for (std::size_t a = 0; a < 3; ++a) pack.coefficient[a][lane] = bend.coefficients[a + 1];
    pack.weight.set(lane, exists ? bend.weight : 0.0);
    pack.rest.set(lane, bend.rest);
    const double least = least_size[static_cast<std::size_t>(element)];
    pack.least.set(lane, least * least);
    pack.element[lane] = element;
  });
}

BendPacks::~BendPacks() = default;

template <int nodes_per_bend>
void BendPacks::Parts::evaluate(const Vector& q, Vector* gradient) {
  ranges.run(q, nullptr, gradient, [&](int first, int end, const Four* x, const Four*, Four* force) {
    Pack4 sum(0.0);
    for (int p = first; p < end; ++p) {
      const Pack& pack = packs[static_cast<std::size_t>(p)];
      const int* nodes = ranges.nodes(p);
      Pack4 g[4];
      differences<nodes_per_bend>(pack, nodes, x, g);
      const Pack4 square = dots(g, g), length = sqrt(square), beyond = length - pack.rest;
      sum += Pack4(0.5) * pack.weight * beyond * beyond;
      if (force == nullptr) continue;
      // w (1 - r/|g|) g; without a direction only straight bends pull.
      const Pack4 curved = select(square > pack.least, beyond / select(square > pack.least, length, 1.0), 0.0);
      const Pack4 pull = pack.weight * select(pack.rest > Pack4(0.0), curved, Pack4(1.0));
      for (int lane = 0; lane < 4; ++lane)
        scatter<nodes_per_bend>(pack, nodes, lane, Pack4(pull[lane]) * g[lane], force);
    }
    if (first < end) energies[static_cast<std::size_t>(first)] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
  });
}

template <int nodes_per_bend>
void BendPacks::Parts::add_projection(const Vector& q, Vector& f) {
  ranges.run(q, nullptr, &f, [&](int first, int end, const Four* x, const Four*, Four* force) {
    for (int p = first; p < end; ++p) {
      const Pack& pack = packs[static_cast<std::size_t>(p)];
      const int* nodes = ranges.nodes(p);
      Pack4 g[4];
      differences<nodes_per_bend>(pack, nodes, x, g);
      const Pack4 square = dots(g, g);
      const math::Mask4 is_directed = square > pack.least;
      const Pack4 length = sqrt(select(is_directed, square, Pack4(1.0)));
      const Pack4 factor = pack.weight * select(is_directed, pack.rest / length, Pack4(1.0));
      // A straight bend has no projection, however small it is.
      const Pack4 along = select(pack.rest > Pack4(0.0), factor, Pack4(0.0));
      for (int lane = 0; lane < 4; ++lane)
        scatter<nodes_per_bend>(pack, nodes, lane, Pack4(along[lane]) * g[lane], force);
    }
  });
}

template <int nodes_per_bend>
void BendPacks::Parts::add_spin_force(const Vector& q, const Vector& v, const double* scale, Vector& f) {
  ranges.run(q, &v, &f, [&](int first, int end, const Four* x, const Four* xdot, Four* force) {
    for (int p = first; p < end; ++p) {
      const Pack& pack = packs[static_cast<std::size_t>(p)];
      const int* nodes = ranges.nodes(p);
      Pack4 g[4], rate[4];
      differences<nodes_per_bend>(pack, nodes, x, g);
      const Pack4 square = dots(g, g);
      const math::Mask4 is_directed = square > pack.least;
      if (!any(is_directed)) continue;  // flat: most of a sheet at rest
      differences<nodes_per_bend>(pack, nodes, xdot, rate);
      const int* e = pack.element;
      const Pack4 w = select(is_directed, pack.weight * Pack4(scale[e[0]], scale[e[1]], scale[e[2]], scale[e[3]]), 0.0);
      const Pack4 along = w * dots(g, rate) / select(is_directed, square, Pack4(1.0));
      for (int lane = 0; lane < 4; ++lane)
        scatter<nodes_per_bend>(pack, nodes, lane, Pack4(w[lane]) * rate[lane] - Pack4(along[lane]) * g[lane], force);
    }
  });
}

double BendPacks::evaluate(const Vector& q, Vector* gradient) {
  std::fill(parts_->energies.begin(), parts_->energies.end(), 0.0);
  if (parts_->n == 3)
    parts_->evaluate<3>(q, gradient);
  else
    parts_->evaluate<4>(q, gradient);
  double total = 0;
  for (const double energy : parts_->energies) total += energy;
  return total;
}

void BendPacks::add_projection(const Vector& q, Vector& f) {
  if (parts_->n == 3)
    parts_->add_projection<3>(q, f);
  else
    parts_->add_projection<4>(q, f);
}

void BendPacks::add_spin_force(const Vector& q, const Vector& v, const std::vector<double>& element_scale, Vector& f) {
  if (parts_->n == 3)
    parts_->add_spin_force<3>(q, v, element_scale.data(), f);
  else
    parts_->add_spin_force<4>(q, v, element_scale.data(), f);
}

}  // namespace dashpot
