#include <cmath>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/energy/formula/stretch_tangent.hpp"
#include "dashpot/energy/material_maker.hpp"
#include "dashpot/energy/strain_limit.hpp"
#include "dashpot/energy/tet_elasticity_of.hpp"
#include "dashpot/energy/tet_laplacian.hpp"
#include "dashpot/model/projective_form.hpp"

namespace dashpot {
namespace {

using formula::TangentKind;
using math::Matrix3;
using math::Pack4;

template <class T>
struct LimitParameters {
  T modulus, low, high;
};

struct LimitFormula {
  static constexpr bool odd = false;
  template <class T>
  static void respond(const LimitParameters<T>& m, const T s[3], T& psi, T p[3], math::Symmetric3<T>& H) {
    psi = T(0);
    for (int i = 0; i < 3; ++i) {
      const T excess = s[i] - math::max(m.low, math::min(m.high, s[i]));
      p[i] = m.modulus * excess;
      psi += T(0.5) * p[i] * excess;
      H(i, i) = select(abs(excess) > T(0), m.modulus, T(0));
      for (int j = i + 1; j < 3; ++j) H(i, j) = T(0);
    }
  }
};

struct LimitLaw {
  static constexpr const char* name = "strain_limit";
  static constexpr bool is_quadratic = false;
  template <class T>
  using Parameters = LimitParameters<T>;
  static LimitParameters<Pack4> pack(const LimitParameters<double> m[4]) {
    return {{m[0].modulus, m[1].modulus, m[2].modulus, m[3].modulus},
            {m[0].low, m[1].low, m[2].low, m[3].low},
            {m[0].high, m[1].high, m[2].high, m[3].high}};
  }
  template <class T>
  [[gnu::noinline]] static void respond(const LimitParameters<T>& m, const Matrix3<T>& F, TangentKind kind,
                                        formula::PointResponse<T>& out) {
    formula::stretch_response<LimitFormula>(m, F, kind, out);
  }
};

class LimitElasticity final : public TetElasticityOf<LimitLaw>, public ProjectiveForm {
 public:
  template <class OfElement>
  LimitElasticity(std::string body, const std::shared_ptr<TetBatch>& shared, const OfElement& of_element)
      : TetElasticityOf<LimitLaw>(std::move(body), shared, of_element),
        laplacian_(shared, moduli(*shared, of_element)) {}

  int num_elements() const override { return batch().num_tets(); }
  void add_laplacian(const std::vector<double>& element_scale, std::vector<double>& of_slot) const override {
    laplacian_.add(element_scale, of_slot);
  }
  void add_spin_force(const Vector& q, const Vector& v, const std::vector<double>& element_scale,
                      Vector& f) const override {
    laplacian_.add_spin_force(q, v, element_scale, f);
  }
  std::unique_ptr<TermScratch> make_projection_scratch(ProjectionPrecision) const override {
    return std::make_unique<TermScratch>();
  }
  void begin_projection(const Vector&, TermScratch*) const override {}
  void add_projection(const Vector& q, TermScratch*, Vector& f) const override {
    batch().for_each_chunk([&](int begin, int end) {
      for (int pack = begin / 4; pack < (end + 3) / 4; ++pack)
        if (batch().nodes_per_tet() == 4)
          project<4>(q.data(), pack, f.data());
        else
          project<10>(q.data(), pack, f.data());
    });
  }

 private:
  template <class OfElement>
  static std::vector<double> moduli(const TetBatch& tets, const OfElement& of_element) {
    std::vector<double> result;
    for (int i = 0; i < tets.num_tets(); ++i) result.push_back(of_element(tets.original(i)).modulus);
    return result;
  }

  /// w p = w F - P.
  template <int N>
  void project(const double* q, int pack, double* f) const {
    const int lanes = kernel::lanes_in_use(batch(), pack);
    Pack4 x[3 * N], force[3 * N];
    kernel::gather<N>(batch(), q, pack, lanes, x);
    for (Pack4& component : force) component = Pack4(0.0);
    formula::PointResponse<Pack4> response;
    for (int p = 0; p < batch().num_points(); ++p) {
      const double* g = batch().pack_gradients(pack, p);
      const Matrix3<Pack4> F = kernel::deformation_gradient<N>(x, g);
      LimitLaw::respond(parameters(pack), F, TangentKind::none, response);
      Matrix3<Pack4> target;
      for (int k = 0; k < 9; ++k) target.m[k] = parameters(pack).modulus * F.m[k] - response.P.m[k];
      kernel::add_force<N>(target, g, Pack4::load(batch().pack_weights(pack, p)), force);
    }
    kernel::scatter_force<N>(batch(), pack, lanes, force, f);
  }

  TetLaplacian laplacian_;
};

}  // namespace

std::unique_ptr<TetElasticity> make_strain_limit(std::string body, std::shared_ptr<TetBatch> batch,
                                                 const std::vector<StrainLimit>& limits,
                                                 const std::vector<int>& of_element) {
  std::vector<Problem> problems;
  for (std::size_t k = 0; k < limits.size(); ++k) {
    const StrainLimit& m = limits[k];
    const std::string place = fmt::format("strain limit {}", k);
    if (!(m.modulus > 0) || !std::isfinite(m.modulus))
      problems.push_back({place, fmt::format("modulus = {:.6g} Pa", m.modulus), "modulus > 0", ""});
    if (!(m.low >= 0) || !(m.low <= 1))
      problems.push_back({place, fmt::format("low = {:.6g}", m.low), "0 <= low <= 1", "the rest shape must be free"});
    if (!(m.high >= 1))
      problems.push_back({place, fmt::format("high = {:.6g}", m.high), "high >= 1", "the rest shape must be free"});
  }
  if (!problems.empty()) throw Error(problems);
  const std::vector<int> checked = maker::checked_of_element(of_element, batch->num_tets(), limits.size());
  return std::make_unique<LimitElasticity>(std::move(body), batch, [&](int e) {
    const StrainLimit& m = limits[static_cast<std::size_t>(checked[static_cast<std::size_t>(e)])];
    return LimitParameters<double>{m.modulus, m.low, m.high};
  });
}

}  // namespace dashpot
