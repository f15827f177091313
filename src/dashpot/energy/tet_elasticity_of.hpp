#pragma once
// TetElasticity for one law, resolved at compile time: the element loop holds no virtual call. For .cpp files of
// energy/ only. A Law has: name, is_quadratic, Parameters<T>, pack(Parameters<double> const* [4]) and
// respond(parameters, F, kind, response).

#include <type_traits>

#include "dashpot/energy/formula/stretch_tangent.hpp"
#include "dashpot/energy/tet_kernel.hpp"
#include "dashpot/energy/tet_slope.hpp"

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

namespace kernel {

/// force_of(3 a + i) of nodes a = 1 .. N-1, added for one tet; node 0 follows from the sum being zero.
template <int N, class Force>
void scatter_force_of(const int* blocks, double* column, const Force& force_of) {
  for (int i = 0; i < 3; ++i) {
    double sum = 0;
    for (int a = 1; a < N; ++a) {
      const double force = force_of(3 * a + i);
      column[3 * blocks[a] + i] += force;
      sum += force;
    }
    column[3 * blocks[0] + i] -= sum;
  }
}

/// Forces by lambda and by mu, to the columns that ask for their share. Element by element: tets side by side may be of
/// different parts of the body.
template <int N>
void scatter_lame(const TetBatch& batch, int pack, int lanes, const math::Pack4* by_lambda, const math::Pack4* by_mu,
                  const LameShare* shares, Matrix& columns) {
  for (int l = 0; l < lanes; ++l)
    for (int k = 0; k < 2; ++k) {
      const LameShare& share = shares[2 * batch.original(4 * pack + l) + k];
      if (share.column >= 0)
        scatter_force_of<N>(batch.blocks(4 * pack + l), columns.col(share.column).data(),
                            [&](int i) { return share.by_lambda * by_lambda[i][l] + share.by_mu * by_mu[i][l]; });
    }
}

}  // namespace kernel

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
  bool add_lame_forces(const double* q, const LameShare* shares, int begin, int end, Matrix& columns) const override {
    if constexpr (std::is_base_of_v<LameLaw, Law>) {
      batch().nodes_per_tet() == 4 ? lame_force_loop<4>(q, shares, begin, end, columns)
                                   : lame_force_loop<10>(q, shares, begin, end, columns);
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

  void add_tangent_forces(const double* q, formula::TangentKind kind, const double* v, const ElementShare* shares,
                          int per_element, int begin, int end, Matrix& columns) const override {
    batch().nodes_per_tet() == 4 ? tangent_loop<4>(q, kind, v, shares, per_element, begin, end, columns)
                                 : tangent_loop<10>(q, kind, v, shares, per_element, begin, end, columns);
  }

  void respond(int pack, PackResponse& response) const override {
    Law::respond(parameters(pack), response.F, response.kind, response.out);
  }

  bool respond_at_stretches(int pack, PackResponse& response) const override {
    if constexpr (requires { typename Law::Formula; }) {
      math::Pack4 p[3];
      Law::Formula::respond(parameters(pack), response.s, response.out.psi, p, response.out.tangent.H);
      formula::stretch_tangent<typename Law::Formula>(response.s, p, response.kind, response.out.tangent);
      return true;
    } else {
      return static_cast<void>(pack), static_cast<void>(response), false;
    }
  }

  bool stresses_at_stretches(int pack, PackResponse& response) const override {
    if constexpr (requires { typename Law::Formula; }) {
      Law::Formula::respond(parameters(pack), response.s, response.out.psi, response.p, response.out.tangent.H);
      return true;
    } else {
      return static_cast<void>(pack), static_cast<void>(response), false;
    }
  }
  void form_at_stretches(const PackResponse& response, PackForm& form) const override {
    if constexpr (requires { typename Law::Formula; })
      form.of_response = formula::tangent_form<typename Law::Formula>(response.s, response.p, response.out.tangent.H,
                                                                      response.kind, form.w, form.v);
    else
      static_cast<void>(response), static_cast<void>(form);
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
  void lame_force_loop(const double* q, const LameShare* shares, int begin, int end, Matrix& columns) const {
    using math::Pack4;
    for (int pack = begin / 4; pack < (end + 3) / 4; ++pack) {
      const int lanes = kernel::lanes_in_use(batch(), pack);
      Pack4 x[3 * N], f[2][3 * N];
      kernel::gather<N>(batch(), q, pack, lanes, x);
      for (int k = 0; k < 2; ++k)
        for (Pack4& component : f[k]) component = Pack4(0.0);
      for (int p = 0; p < batch().num_points(); ++p) {
        const double* g = batch().pack_gradients(pack, p);
        const Pack4 volume = Pack4::load(batch().pack_weights(pack, p));
        const math::Matrix3<Pack4> F = kernel::deformation_gradient<N>(x, g);
        for (int k = 0; k < 2; ++k) {
          formula::PointResponse<Pack4> response;
          Law::respond({Pack4(k == 0 ? 1.0 : 0.0), Pack4(k == 0 ? 0.0 : 1.0)}, F, formula::TangentKind::none, response);
          kernel::add_force<N>(response.P, g, volume, f[k]);
        }
      }
      kernel::scatter_lame<N>(batch(), pack, lanes, f[0], f[1], shares, columns);
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

  template <int N>
  void tangent_loop(const double* q, formula::TangentKind kind, const double* v, const ElementShare* shares,
                    int per_element, int begin, int end, Matrix& columns) const {
    using math::Pack4;
    for (int pack = begin / 4; pack < (end + 3) / 4; ++pack) {
      const int lanes = kernel::lanes_in_use(batch(), pack);
      Pack4 x[3 * N], rates[3 * N], f[3 * N];
      if (q != nullptr) kernel::gather<N>(batch(), q, pack, lanes, x);
      kernel::gather<N>(batch(), v, pack, lanes, rates);
      for (Pack4& component : f) component = Pack4(0.0);
      for (int p = 0; p < batch().num_points(); ++p) {
        const double* g = batch().pack_gradients(pack, p);
        formula::PointResponse<Pack4> response;
        Law::respond(parameters(pack), q != nullptr ? kernel::deformation_gradient<N>(x, g) : math::identity3<Pack4>(),
                     kind, response);
        kernel::add_force<N>(formula::apply(response.tangent, kernel::deformation_gradient<N>(rates, g)), g,
                             Pack4::load(batch().pack_weights(pack, p)), f);
      }
      for (int l = 0; l < lanes; ++l)
        for (int k = 0; k < per_element; ++k) {
          const ElementShare& share = shares[batch().original(4 * pack + l) * per_element + k];
          if (share.column >= 0)
            kernel::scatter_force_of<N>(batch().blocks(4 * pack + l), columns.col(share.column).data(),
                                        [&](int i) { return share.factor * f[i][l]; });
        }
    }
  }

  std::vector<PackParameters> parameters_;  ///< one entry per four elements
};

}  // namespace dashpot
