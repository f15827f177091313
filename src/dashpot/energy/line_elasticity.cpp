#include "dashpot/energy/line_elasticity.hpp"

#include "dashpot/math/best_spin.hpp"

namespace dashpot {

LineElasticity::LineElasticity(std::string body, std::shared_ptr<LineBatch> batch, const std::vector<double>& weights,
                               const std::vector<double>& rest, const std::vector<Vec3>& X, int first_block)
    : body_(std::move(body)), batch_(std::move(batch)), rest_(X, first_block) {
  packs_.assign(at(8 * batch_->num_packs()), 0.0);
  for (int i = 0; i < num_elements(); ++i) {
    packs_[pack_of(i)] = weights[at(batch_->original(i))];
    packs_[pack_of(i) + 4] = rest[at(batch_->original(i))];
    is_quadratic_ = is_quadratic_ && rest[at(batch_->original(i))] == 0;
  }
}

void LineElasticity::add_laplacian(const std::vector<double>& element_scale, std::vector<double>& of_slot) const {
  const int n = batch_->nodes_per_element();
  for (int i = 0; i < num_elements(); ++i)
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < n; ++b)
        of_slot[at(batch_->slots(i)[a * n + b])] +=
            element_scale[at(batch_->original(i))] * weight(i) * batch_->coefficient(i, a) * batch_->coefficient(i, b);
}

void LineElasticity::add_spin_tangent(const Vector& q, const Vector& v, const std::vector<double>& element_scale,
                                      double dv_scale, double dq_scale, BlockMatrix& tangent) const {
  const int n = batch_->nodes_per_element();
  batch_->for_each_chunk([&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const Vec3 y = batch_->difference(q, i), rate = batch_->difference(v, i);
      if (!batch_->has_direction(y, i)) continue;
      const Mat3 block = element_scale[at(batch_->original(i))] * weight(i) *
                         (dv_scale * math::line_spin_dv(y) + dq_scale * math::line_spin_dq(y, rate));
      for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b)
          Mat3::Map(tangent.block(batch_->slots(i)[n * a + b])) +=
              batch_->coefficient(i, a) * batch_->coefficient(i, b) * block;
    }
  });
}

Moduli LineElasticity::moduli() const {
  Moduli result{Moduli::Kind::line, std::vector<double>(at(num_elements())), {}};
  const bool has_lengths = batch_->nodes_per_element() == 2;
  if (has_lengths) result.rest_size.resize(at(num_elements()));
  for (int i = 0; i < num_elements(); ++i) {
    const std::size_t e = at(batch_->original(i));
    result.of_element[e] = weight(i);
    if (has_lengths) result.rest_size[e] = packs_[pack_of(i) + 4] > 0 ? packs_[pack_of(i) + 4] : 1;
  }
  return result;
}

void LineElasticity::set_values(const double* values) {
  const ProportionalParameter before = parameter_;
  parameter_ = before.with(values);
  for (int i = 0; i < num_elements(); ++i) packs_[pack_of(i)] *= parameter_.ratio(before, batch_->original(i));
}

}  // namespace dashpot
