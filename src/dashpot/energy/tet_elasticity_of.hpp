#pragma once
// TetElasticity for one law, resolved at compile time: the element loop holds no virtual call. For .cpp files of
// energy/ only. A Law has: name, is_quadratic, Parameters<T>, pack(Parameters<double> const* [4]) and
// respond(parameters, F, kind, response).

#include <type_traits>

#include "dashpot/energy/tet_kernel.hpp"

namespace dashpot {

/// What laws with Lame parameters have in common.
struct LameLaw {
  static constexpr bool is_quadratic = false;
  template <class T>
  using Parameters = formula::Lame<T>;
  static formula::Lame<math::Pack4> pack(const formula::Lame<double> m[4]) {
    return {{m[0].lambda, m[1].lambda, m[2].lambda, m[3].lambda}, {m[0].mu, m[1].mu, m[2].mu, m[3].mu}};
  }
};

template <class Law>
class TetElasticityOf : public TetElasticity {
 public:
  using Parameters = typename Law::template Parameters<double>;
  using PackParameters = typename Law::template Parameters<math::Pack4>;

  /// of_element(e) gives the parameters of mesh element e.
  template <class OfElement>
  TetElasticityOf(std::string body, std::shared_ptr<TetBatch> shared, const OfElement& of_element)
      : TetElasticity(std::move(body), std::move(shared)) {
    parameters_.reserve(static_cast<std::size_t>(batch().num_packs()));
    for (int pack = 0; pack < batch().num_packs(); ++pack) {
      Parameters lanes[4];
      for (int l = 0; l < 4; ++l)
        lanes[l] = of_element(batch().original(std::min(4 * pack + l, batch().num_tets() - 1)));
      parameters_.push_back(Law::pack(lanes));
    }
  }

  std::string law() const override { return Law::name; }
  bool is_quadratic() const override { return Law::is_quadratic; }

 protected:
  double run(const Task& task, int begin, int end) const override {
    return batch().nodes_per_tet() == 4 ? loop<4>(task, begin, end) : loop<10>(task, begin, end);
  }

  bool add_lame_gradient(const double* q, const double* w, int begin, int end, double* by_lambda,
                         double* by_mu) const override {
    if constexpr (std::is_base_of_v<LameLaw, Law>) {
      batch().nodes_per_tet() == 4 ? lame_loop<4>(q, w, begin, end, by_lambda, by_mu)
                                   : lame_loop<10>(q, w, begin, end, by_lambda, by_mu);
      return true;
    } else {
      return false;
    }
  }
  void add_products(const double* q, formula::TangentKind kind, const double* w, const double* v, int begin, int end,
                    double* products) const override {
    batch().nodes_per_tet() == 4 ? product_loop<4>(q, kind, w, v, begin, end, products)
                                 : product_loop<10>(q, kind, w, v, begin, end, products);
  }

  const PackParameters& parameters(int pack) const { return parameters_[static_cast<std::size_t>(pack)]; }

 private:
  template <int N>
  double loop(const Task& task, int begin, int end) const {
    double energy = 0;
    for (int pack = begin / 4; pack < (end + 3) / 4; ++pack) {
      const PackParameters& m = parameters(pack);
      energy += kernel::run_pack<N>(batch(), task, pack,
                                    [&m](const math::Matrix3<math::Pack4>& F, formula::TangentKind kind,
                                         formula::PointResponse<math::Pack4>& out) { Law::respond(m, F, kind, out); });
    }
    return energy;
  }

  /// w . f = sum_p weight W : P with W = sum_a w_a (x) g_a, and P is lambda P(1, 0) + mu P(0, 1).
  template <int N>
  void lame_loop(const double* q, const double* w, int begin, int end, double* by_lambda, double* by_mu) const {
    using math::Pack4;
    for (int pack = begin / 4; pack < (end + 3) / 4; ++pack) {
      const int lanes = kernel::lanes_in_use(batch(), pack);
      Pack4 x[3 * N], weights[3 * N];
      kernel::gather<N>(batch(), q, pack, lanes, x);
      kernel::gather<N>(batch(), w, pack, lanes, weights);
      double* const out[2] = {by_lambda, by_mu};
      for (int p = 0; p < batch().num_points(); ++p) {
        const double* g = batch().pack_gradients(pack, p);
        const Pack4 volume = Pack4::load(batch().pack_weights(pack, p));
        const math::Matrix3<Pack4> F = kernel::deformation_gradient<N>(x, g),
                                   W = kernel::deformation_gradient<N>(weights, g);
        for (int k = 0; k < 2; ++k) {
          formula::PointResponse<Pack4> response;
          Law::respond({Pack4(k == 0 ? 1.0 : 0.0), Pack4(k == 0 ? 0.0 : 1.0)}, F, formula::TangentKind::none, response);
          Pack4 sum(0.0);
          for (int i = 0; i < 9; ++i) sum += W.m[i] * response.P.m[i];
          sum *= volume;
          for (int l = 0; l < lanes; ++l) out[k][batch().original(4 * pack + l)] += sum[l];
        }
      }
    }
  }

  template <int N>
  void product_loop(const double* q, formula::TangentKind kind, const double* w, const double* v, int begin, int end,
                    double* products) const {
    using math::Pack4;
    for (int pack = begin / 4; pack < (end + 3) / 4; ++pack) {
      const int lanes = kernel::lanes_in_use(batch(), pack);
      Pack4 x[3 * N], weights[3 * N], rates[3 * N];
      if (q != nullptr) kernel::gather<N>(batch(), q, pack, lanes, x);
      kernel::gather<N>(batch(), w, pack, lanes, weights);
      kernel::gather<N>(batch(), v, pack, lanes, rates);
      for (int p = 0; p < batch().num_points(); ++p) {
        const double* g = batch().pack_gradients(pack, p);
        formula::PointResponse<Pack4> response;
        Law::respond(parameters(pack), q != nullptr ? kernel::deformation_gradient<N>(x, g) : math::identity3<Pack4>(),
                     kind, response);
        const Pack4 product = Pack4::load(batch().pack_weights(pack, p)) *
                              formula::contract(response.tangent, kernel::deformation_gradient<N>(weights, g),
                                                kernel::deformation_gradient<N>(rates, g));
        for (int l = 0; l < lanes; ++l) products[batch().original(4 * pack + l)] += product[l];
      }
    }
  }

  std::vector<PackParameters> parameters_;  ///< one entry per four elements
};

}  // namespace dashpot
