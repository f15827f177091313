#include <cmath>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/energy/formula/stretch_tangent.hpp"
#include "dashpot/energy/limits.hpp"
#include "dashpot/energy/nearest_volume.hpp"
#include "dashpot/energy/projective_tets.hpp"
#include "dashpot/energy/tet_elasticity_of.hpp"

namespace dashpot {
namespace {

using formula::TangentKind;
using math::Matrix3;
using math::Pack4;

template <class T>
struct LimitParameters {
  T modulus, low, high;
};

struct StrainFormula {
  static constexpr const char* name = "strain_limit";
  static constexpr bool odd = false;
  static void respond(const LimitParameters<Pack4>& m, const Pack4 s[3], Pack4& psi, Pack4 p[3],
                      math::Symmetric3<Pack4>& H) {
    psi = Pack4(0.0);
    for (int i = 0; i < 3; ++i) {
      const Pack4 excess = s[i] - max(m.low, min(m.high, s[i]));
      p[i] = m.modulus * excess;
      psi += 0.5 * p[i] * excess;
      H(i, i) = select(abs(excess) > Pack4(0.0) || m.low >= m.high, m.modulus, 0.0);
      for (int j = i + 1; j < 3; ++j) H(i, j) = Pack4(0.0);
    }
  }
};

struct VolumeFormula {
  static constexpr const char* name = "volume_limit";
  static constexpr bool odd = false;
  static void respond(const LimitParameters<Pack4>& m, const Pack4 s[3], Pack4& psi, Pack4 p[3],
                      math::Symmetric3<Pack4>& H) {
    psi = Pack4(0.0);
    for (int i = 0; i < 3; ++i) {
      p[i] = Pack4(0.0);
      for (int j = i; j < 3; ++j) H(i, j) = Pack4(0.0);
    }
    const Pack4 volume = s[0] * s[1] * s[2], nearest = max(m.low, min(m.high, volume));
    for (int lane = 0; lane < Pack4::size; ++lane) {
      if (volume[lane] == nearest[lane] && m.low[lane] < m.high[lane]) continue;
      const Vec3 stretch(s[0][lane], s[1][lane], s[2][lane]);
      const NearestVolume target = nearest_volume(stretch, nearest[lane]);
      const double w = m.modulus[lane];
      psi.set(lane, 0.5 * w * (stretch - target.p).squaredNorm());
      for (int i = 0; i < 3; ++i) {
        p[i].set(lane, w * (stretch[i] - target.p[i]));
        for (int j = i; j < 3; ++j) H(i, j).set(lane, w * ((i == j ? 1 : 0) - target.dp_ds(i, j)));
      }
    }
  }
};

template <class Formula>
struct LimitLaw {
  static constexpr const char* name = Formula::name;
  static constexpr bool is_quadratic = false;
  template <class T>
  using Parameters = LimitParameters<T>;
  static LimitParameters<Pack4> pack(const LimitParameters<double> m[4]) {
    return {{m[0].modulus, m[1].modulus, m[2].modulus, m[3].modulus},
            {m[0].low, m[1].low, m[2].low, m[3].low},
            {m[0].high, m[1].high, m[2].high, m[3].high}};
  }
  [[gnu::noinline]] static void respond(const LimitParameters<Pack4>& m, const Matrix3<Pack4>& F, TangentKind kind,
                                        formula::PointResponse<Pack4>& out) {
    formula::stretch_response<Formula>(m, F, kind, out);
  }
};

template <class Formula>
class LimitElasticity final : public maker::WithSource<TetElasticityOf<LimitLaw<Formula>>, ProjectiveForm> {
 public:
  using maker::WithSource<TetElasticityOf<LimitLaw<Formula>>, ProjectiveForm>::WithSource;

  std::unique_ptr<TermScratch> make_projection_scratch(ProjectionPrecision) const override {
    return std::make_unique<TermScratch>();
  }
  void begin_projection(const Vector&, TermScratch*) const override {}
  void add_projection(const Vector& q, TermScratch*, Vector& f) const override {
    const TetBatch& tets = this->batch();
    tets.for_each_chunk([&](int begin, int end) {
      for (int pack = begin / 4; pack < (end + 3) / 4; ++pack)
        if (tets.nodes_per_tet() == 4)
          project<4>(q.data(), pack, f.data());
        else
          project<10>(q.data(), pack, f.data());
    });
  }

 private:
  /// w p = w F - P.
  template <int N>
  void project(const double* q, int pack, double* f) const {
    const TetBatch& tets = this->batch();
    const LimitParameters<Pack4>& m = this->parameters(pack);
    const int lanes = kernel::lanes_in_use(tets, pack);
    Pack4 x[3 * N], force[3 * N];
    kernel::gather<N>(tets, q, pack, lanes, x);
    for (Pack4& component : force) component = Pack4(0.0);
    formula::PointResponse<Pack4> response;
    for (int p = 0; p < tets.num_points(); ++p) {
      const double* g = tets.pack_gradients(pack, p);
      const Matrix3<Pack4> F = kernel::deformation_gradient<N>(x, g);
      LimitLaw<Formula>::respond(m, F, TangentKind::none, response);
      Matrix3<Pack4> target;
      for (int k = 0; k < 9; ++k) target.m[k] = m.modulus * F.m[k] - response.P.m[k];
      kernel::add_force<N>(target, g, Pack4::load(tets.pack_weights(pack, p)), force);
    }
    kernel::scatter_force<N>(tets, pack, lanes, force, f);
  }
};

template <class Formula>
std::unique_ptr<TetElasticity> make_limit(std::string body, const std::shared_ptr<TetBatch>& batch,
                                          const std::vector<DeformationLimit>& limits,
                                          const std::vector<int>& of_element) {
  std::vector<Problem> problems;
  for (std::size_t k = 0; k < limits.size(); ++k) {
    const DeformationLimit& m = limits[k];
    const std::string place = fmt::format("{} {}", Formula::name, k);
    if (!(m.modulus > 0) || !std::isfinite(m.modulus))
      problems.push_back({place, fmt::format("modulus = {:.6g} Pa", m.modulus), "modulus > 0", ""});
    if (!(m.low >= 0) || !(m.low <= 1))
      problems.push_back({place, fmt::format("low = {:.6g}", m.low), "0 <= low <= 1", "the rest shape must be free"});
    if (!(m.high >= 1))
      problems.push_back({place, fmt::format("high = {:.6g}", m.high), "high >= 1", "the rest shape must be free"});
  }
  if (!problems.empty()) throw Error(problems);
  const std::vector<int> checked = maker::checked_of_element(of_element, batch->num_tets(), limits.size());
  const auto limit_of = [&](int e) {
    const DeformationLimit& m = limits[static_cast<std::size_t>(checked[static_cast<std::size_t>(e)])];
    return LimitParameters<double>{m.modulus, m.low, m.high};
  };
  std::vector<double> moduli;
  for (int i = 0; i < batch->num_tets(); ++i) moduli.push_back(limit_of(batch->original(i)).modulus);
  return std::make_unique<LimitElasticity<Formula>>(std::move(body), batch, limit_of, std::move(moduli));
}

}  // namespace

std::unique_ptr<TetElasticity> make_strain_limit(std::string body, std::shared_ptr<TetBatch> batch,
                                                 const std::vector<DeformationLimit>& limits,
                                                 const std::vector<int>& of_element) {
  return make_limit<StrainFormula>(std::move(body), batch, limits, of_element);
}

std::unique_ptr<TetElasticity> make_volume_limit(std::string body, std::shared_ptr<TetBatch> batch,
                                                 const std::vector<DeformationLimit>& limits,
                                                 const std::vector<int>& of_element) {
  return make_limit<VolumeFormula>(std::move(body), batch, limits, of_element);
}

}  // namespace dashpot
