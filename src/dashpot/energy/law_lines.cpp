// The passes of LineElasticity over its elements, four at a time. Floor of forces: four nodes gathered and scattered,
// some 30 cycles a hinge.

#include "dashpot/element/line_pass.hpp"
#include "dashpot/energy/line_elasticity.hpp"

namespace dashpot {
namespace {

using kernel::LineElastic;
using kernel::LinePack;
using math::Pack4;
using math::select;

/// w/2 (s - r)^2 of four elements; `of_pack` holds w and r.
[[gnu::always_inline]] inline LineElastic keep_size(const double* of_pack, const LinePack& line) {
  const Pack4 w = Pack4::load(of_pack), rest = Pack4::load(of_pack + 4), beyond = line.size - rest;
  const Pack4 curved = select(line.is_directed, beyond / select(line.is_directed, line.size, Pack4(1.0)), Pack4(0.0));
  return {Pack4(0.5) * w * beyond * beyond, w * select(rest > Pack4(0.0), curved, Pack4(1.0)), w};
}

template <int N>
[[gnu::always_inline]] inline void project_pack(const LineBatch& batch, const double* packs, const double* q, int pack,
                                                int lanes, double* f) {
  LinePack line;
  kernel::gather_lines<N>(batch, q, pack, lanes, line);
  const Pack4 w = Pack4::load(packs + 8 * pack), rest = Pack4::load(packs + 8 * pack + 4);
  const Pack4 factor = w * select(line.is_directed, rest / select(line.is_directed, line.size, Pack4(1.0)), Pack4(1.0));
  // Of rest size zero there is no projection, however small y is.
  const Pack4 along = select(rest > Pack4(0.0), factor, Pack4(0.0));
  const Pack4 force[3] = {along * line.y[0], along * line.y[1], along * line.y[2]};
  kernel::scatter_line_force<N>(batch, pack, lanes, force, f);
}

template <int N>
[[gnu::always_inline]] inline void spin_pack(const LineBatch& batch, const double* packs, const double* q,
                                             const double* v, const double* scale, int pack, int lanes, double* f) {
  LinePack line;
  kernel::gather_lines<N>(batch, q, pack, lanes, line);
  if (!any(line.is_directed)) return;  // flat: most of a sheet at rest
  Pack4 rate[3];
  kernel::gather_differences<N>(batch, v, pack, lanes, rate);
  const Pack4 w = select(line.is_directed,
                         Pack4::load(packs + 8 * pack) * kernel::pack_scale(batch, scale, pack, lanes), Pack4(0.0));
  const Pack4 along = w * (line.y[0] * rate[0] + line.y[1] * rate[1] + line.y[2] * rate[2]) /
                      select(line.is_directed, line.square, Pack4(1.0));
  Pack4 force[3];
  for (int i = 0; i < 3; ++i) force[i] = w * rate[i] - along * line.y[i];
  kernel::scatter_line_force<N>(batch, pack, lanes, force, f);
}

template <int N>
void project_lines(const LineBatch& batch, const double* packs, const double* q, int begin, int end, double* f) {
  for (int pack = begin / 4; pack < (end + 3) / 4; ++pack) {
    const int lanes = kernel::lanes_in_use(batch, pack);
    lanes == 4 ? project_pack<N>(batch, packs, q, pack, 4, f) : project_pack<N>(batch, packs, q, pack, lanes, f);
  }
}

template <int N>
void spin_lines(const LineBatch& batch, const double* packs, const double* q, const double* v, const double* scale,
                int begin, int end, double* f) {
  for (int pack = begin / 4; pack < (end + 3) / 4; ++pack) {
    const int lanes = kernel::lanes_in_use(batch, pack);
    lanes == 4 ? spin_pack<N>(batch, packs, q, v, scale, pack, 4, f)
               : spin_pack<N>(batch, packs, q, v, scale, pack, lanes, f);
  }
}

}  // namespace

double LineElasticity::run(const LineTask& task) const {
  const double* packs = packs_.data();
  const auto elastic = [packs](int pack, const LinePack& line) { return keep_size(packs + 8 * pack, line); };
  const int n = batch_->nodes_per_element();
  return batch_->sum_over_chunks([&](int begin, int end) {
    return n == 2   ? kernel::run_lines<2>(*batch_, task, begin, end, elastic)
           : n == 3 ? kernel::run_lines<3>(*batch_, task, begin, end, elastic)
                    : kernel::run_lines<4>(*batch_, task, begin, end, elastic);
  });
}

double LineElasticity::evaluate(const EnergyRequest& request) const {
  LineTask task;
  task.q = request.q.data();
  task.gradient = request.gradient != nullptr ? request.gradient->data() : nullptr;
  task.stiffness = request.hessian;
  task.stiffness_scale = request.hessian_scale;
  task.lateral = request.projection == Projection::none ? Lateral::exact : Lateral::clamped;
  const LineCompany company(request.companions);
  if (!company.is_empty()) task.company = &company;
  return run(task);
}

void LineElasticity::add_stiffness(const Vector& q, StiffnessPart part, const std::vector<double>& element_scale,
                                   BlockMatrix& K) const {
  LineTask task;
  task.q = part == StiffnessPart::rest ? rest_.data() : q.data();
  task.stiffness = &K;
  task.element_scale = element_scale.data();
  task.lateral = part == StiffnessPart::gauss_newton ? Lateral::none : Lateral::clamped;
  run(task);
}

void LineElasticity::add_projection(const Vector& q, TermScratch*, Vector& f) const {
  if (is_quadratic_) return;
  const int n = batch_->nodes_per_element();
  batch_->for_each_chunk([&](int begin, int end) {
    const auto project = n == 2 ? project_lines<2> : n == 3 ? project_lines<3> : project_lines<4>;
    project(*batch_, packs_.data(), q.data(), begin, end, f.data());
  });
}

void LineElasticity::add_spin_force(const Vector& q, const Vector& v, const std::vector<double>& element_scale,
                                    Vector& f) const {
  const int n = batch_->nodes_per_element();
  batch_->for_each_chunk([&](int begin, int end) {
    const auto spin = n == 2 ? spin_lines<2> : n == 3 ? spin_lines<3> : spin_lines<4>;
    spin(*batch_, packs_.data(), q.data(), v.data(), element_scale.data(), begin, end, f.data());
  });
}

}  // namespace dashpot
