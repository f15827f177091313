#pragma once
// TetElasticity for one law, resolved at compile time: the element loop holds no virtual call. For .cpp files of
// energy/ only. A Law has: name, is_quadratic, Parameters<T>, pack(Parameters<double> const* [4]) and
// respond(parameters, F, kind, response).

#include "dashpot/energy/tet_kernel.hpp"

namespace dashpot {

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

  std::vector<PackParameters> parameters_;  ///< one entry per four elements
};

/// What laws with Lame parameters have in common.
struct LameLaw {
  static constexpr bool is_quadratic = false;
  template <class T>
  using Parameters = formula::Lame<T>;
  static formula::Lame<math::Pack4> pack(const formula::Lame<double> m[4]) {
    return {{m[0].lambda, m[1].lambda, m[2].lambda, m[3].lambda}, {m[0].mu, m[1].mu, m[2].mu, m[3].mu}};
  }
};

}  // namespace dashpot
