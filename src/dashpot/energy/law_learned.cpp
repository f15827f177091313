#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/energy/feature_forces.hpp"
#include "dashpot/energy/formula/learned_law.hpp"
#include "dashpot/energy/formula/stretch_tangent.hpp"
#include "dashpot/energy/learned.hpp"
#include "dashpot/energy/materials.hpp"
#include "dashpot/energy/tet_elasticity_of.hpp"

namespace dashpot {
namespace {

using formula::LearnedForm;
using formula::LearnedParameters;
using math::Pack4;

struct LearnedLaw {
  static constexpr const char* name = "learned";
  static constexpr bool is_quadratic = false;
  using Formula = formula::Learned;
  template <class T>
  using Parameters = LearnedParameters<T>;
  static LearnedParameters<Pack4> pack(const LearnedParameters<double> m[4]) {
    return {{{m[0].lame.lambda, m[1].lame.lambda, m[2].lame.lambda, m[3].lame.lambda},
             {m[0].lame.mu, m[1].lame.mu, m[2].lame.mu, m[3].lame.mu}},
            m[0].form};
  }
  template <class T>
  [[gnu::noinline]] static void respond(const LearnedParameters<T>& m, const math::Matrix3<T>& F,
                                        formula::TangentKind kind, formula::PointResponse<T>& out) {
    formula::stretch_response<formula::Learned>(m, F, kind, out);
  }
};

formula::NominalLaw nominal_of(const IsotropicLaw& law, std::vector<Problem>& problems) {
  using formula::NominalLaw;
  if (law == IsotropicLaw::corotational) return NominalLaw::corotational;
  if (law == IsotropicLaw::stvk) return NominalLaw::stvk;
  if (law == IsotropicLaw::neo_hookean) return NominalLaw::neo_hookean;
  if (law == IsotropicLaw::stable_neo_hookean) return NominalLaw::stable_neo_hookean;
  problems.push_back(
      {"nominal", fmt::format("law '{}'", law.name), "corotational, stvk, neo_hookean or stable_neo_hookean", ""});
  return NominalLaw::corotational;
}

LearnedForm form_of(const LearnedParts& parts) {
  std::vector<Problem> problems;
  for (const double young : parts.moduli.young.values)
    if (!(young > 0) || !std::isfinite(young))
      problems.push_back({"young", fmt::format("{:.6g} Pa", young), "young > 0", ""});
  for (const double poisson : parts.moduli.poisson.values)
    if (!(poisson > -1) || !(poisson < 0.5))
      problems.push_back({"poisson", fmt::format("{:.6g}", poisson), "-1 < poisson < 0.5", ""});
  LearnedForm form;
  form.nominal = nominal_of(parts.nominal, problems);
  const ElasticCorrection& correction = parts.correction;
  if (!(correction.scale > 0) || !std::isfinite(correction.scale))
    problems.push_back({"scale", fmt::format("{:g} Pa", correction.scale), "scale > 0", "1e4 Pa suits soft rubber"});
  form.scale = correction.scale;
  std::copy(correction.tail.begin(), correction.tail.end(), form.tail);
  for (const double t : correction.tail)
    if (!std::isfinite(t)) problems.push_back({"tail", fmt::format("{}", t), "finite numbers", ""});
  const auto add = [&](const WeightedCurve& curve, const char* name, math::UniformCurve& target) {
    if (static_cast<int>(curve.weights.size()) != curve.knots.count) {
      problems.push_back({name, fmt::format("{} weights", curve.weights.size()),
                          fmt::format("{}, as its knots count", curve.knots.count), ""});
      return;
    }
    try {
      target = math::UniformCurve(curve.knots, curve.weights.data());
    } catch (const Error& error) {
      for (Problem problem : error.problems()) {
        problem.place = name;
        problems.push_back(std::move(problem));
      }
      return;
    }
    for (int k = 0; k < curve.knots.count; ++k)
      form.basis_at_rest.push_back(math::uniform_basis(curve.knots, k, 1.0, false));
  };
  add(correction.stretch, "stretch", form.f);
  add(correction.area, "area", form.g);
  add(correction.volume, "volume", form.h);
  const EnergyKernels& kernels = correction.kernels;
  if (kernels.weights.size() != kernels.centers.size())
    problems.push_back({"kernels", fmt::format("{} weights", kernels.weights.size()),
                        fmt::format("one of each of {} centers", kernels.centers.size()), ""});
  if (!(kernels.width > 0) || kernels.kind == math::RadialKernel::distance)
    problems.push_back({"kernels", kernels.width > 0 ? "the distance itself" : fmt::format("width {:g}", kernels.width),
                        "gaussian or multiquadric kernels of positive width", "energies need smooth kernels"});
  for (const std::array<double, 3>& c : kernels.centers)
    if (!std::isfinite(c[0] + c[1] + c[2])) problems.push_back({"kernels", "a center", "three finite numbers", ""});
  for (const double w : kernels.weights)
    if (!std::isfinite(w)) problems.push_back({"kernels", fmt::format("weight {}", w), "finite numbers", ""});
  if (!problems.empty()) throw Error(problems);
  form.kernels = {kernels.kind, kernels.width, kernels.centers, kernels.weights, {}, {}};
  formula::set_rest(form.kernels);
  return form;
}

/// Owns the form that element parameters point to; a base, so that it is built first.
struct FormOwner {
  LearnedForm form;
};

/// The parameters of the correction after those of the moduli.
std::vector<std::vector<double>*> lists_of(ElasticCorrection& correction) {
  std::vector<std::vector<double>*> lists;
  for (WeightedCurve* curve : {&correction.stretch, &correction.area, &correction.volume})
    lists.push_back(&curve->weights);
  lists.push_back(&correction.kernels.weights);
  return lists;
}

std::shared_ptr<TetBatch> tets_of(const TetElasticity& energy) {
  return std::static_pointer_cast<TetBatch>(energy.shared_batch());
}

std::shared_ptr<const TetElasticity> make_nominal(std::string body, std::shared_ptr<TetBatch> batch,
                                                  const LearnedParts& parts) {
  return make_isotropic_parts(std::move(body), std::move(batch), parts.nominal, parts.moduli.young,
                              parts.moduli.poisson);
}

std::unique_ptr<TetElasticity> make_on(std::shared_ptr<const TetElasticity> nominal, const LearnedParts& parts);

class LearnedElasticity final : private FormOwner, public TetElasticityOf<LearnedLaw> {
 public:
  /// nominal: the known law alone, of the same moduli and elements.
  LearnedElasticity(LearnedForm given, const LearnedParts& parts, std::shared_ptr<const TetElasticity> nominal)
      : FormOwner{std::move(given)},
        TetElasticityOf<LearnedLaw>(nominal->body(), tets_of(*nominal),
                                    [&](int e) {
                                      const Isotropic m{parts.moduli.young.of(e), parts.moduli.poisson.of(e)};
                                      return LearnedParameters<double>{{m.lambda(), m.mu()}, &form};
                                    }),
        parts_(parts),
        nominal_(std::move(nominal)) {}

  EnergyCapabilities capabilities() const override {
    EnergyCapabilities offers = TetElasticityOf<LearnedLaw>::capabilities();
    offers.nominal_stiffness = nominal_.get();
    return offers;
  }

  ParameterList parameters() const override {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    ParameterList list = parts_.moduli.parameters();
    const ElasticCorrection& c = parts_.correction;
    const auto add = [&](const char* name, std::vector<double> values) {
      if (!values.empty()) list.push_back({name, Quantity::number, std::move(values), -infinity, infinity, true});
    };
    add("tail", {c.tail[0], c.tail[1]});
    add("stretch", c.stretch.weights);
    add("area", c.area.weights);
    add("volume", c.volume.weights);
    add("kernels", c.kernels.weights);
    return list;
  }

  std::shared_ptr<EnergyTerm> remade(const double* values, const Replacements&) const override {
    const std::vector<double> own = values_of(parameters());
    if (std::equal(own.begin(), own.end(), values)) return nullptr;
    const double* const first = values;
    LearnedParts others = parts_;
    others.moduli = parts_.moduli.with(values);
    for (double& t : others.correction.tail) t = *values++;
    for (std::vector<double>* weights : lists_of(others.correction))
      for (double& weight : *weights) weight = *values++;
    const bool same_moduli = std::equal(own.begin(), own.begin() + parts_.moduli.num_values(), first);
    return make_on(same_moduli ? nominal_ : make_nominal(body(), tets_of(*this), others), others);
  }

  int add_parameter_gradient(const EnergyRequest& request, const Vector& weights, double* gradient) const override {
    return batch().nodes_per_tet() == 4 ? gradient_of<4>(request.q.data(), weights.data(), gradient)
                                        : gradient_of<10>(request.q.data(), weights.data(), gradient);
  }

  bool add_parameter_forces(const EnergyRequest& request, std::span<const int> which, Matrix& columns) const override {
    const int num_moduli = parts_.moduli.num_values();
    Wanted wanted;
    std::vector<int> column_of_modulus(static_cast<std::size_t>(num_moduli), -1);
    for (std::size_t i = 0; i < which.size(); ++i) {
      const int column = static_cast<int>(i);
      if (which[i] < num_moduli)
        column_of_modulus[static_cast<std::size_t>(which[i])] = column, wanted.moduli = true;
      else
        wanted.features.push_back({which[i] - num_moduli + 2, column});
    }
    if (wanted.moduli) wanted.shares = parts_.moduli.shares(num_elements(), column_of_modulus);
    batch().for_each_chunk([&](int begin, int end) {
      batch().nodes_per_tet() == 4 ? force_loop<4>(request.q.data(), wanted, begin, end, columns)
                                   : force_loop<10>(request.q.data(), wanted, begin, end, columns);
    });
    return true;
  }

 private:
  const LearnedParameters<Pack4>& elements(int pack) const { return TetElasticityOf<LearnedLaw>::parameters(pack); }

  struct FeatureColumn {
    int feature, column;
  };
  struct Wanted {
    bool moduli = false;
    std::vector<LameShare> shares;
    std::vector<FeatureColumn> features;
  };

  template <int N>
  void force_loop(const double* q, const Wanted& wanted, int begin, int end, Matrix& columns) const {
    constexpr int num_points = kernel::num_points<N>;
    for (int pack = begin / 4; pack < (end + 3) / 4; ++pack) {
      const LearnedParameters<Pack4>& m = elements(pack);
      const int lanes = kernel::lanes_in_use(batch(), pack);
      Pack4 x[3 * N];
      kernel::gather<N>(batch(), q, pack, lanes, x);
      kernel::PointFrames<N> at[num_points];
      for (int p = 0; p < num_points; ++p)
        at[p] = kernel::PointFrames<N>(x, batch().pack_gradients(pack, p), Pack4::load(batch().pack_weights(pack, p)));
      const auto force_of = [&](int feature, Pack4 f[3 * N]) {
        for (int i = 0; i < 3 * N; ++i) f[i] = Pack4(0.0);
        for (int p = 0; p < num_points; ++p) {
          Pack4 r[3];
          formula::Learned::feature(m, feature, at[p].s, r);
          at[p].add_force(r, f);
        }
      };
      Pack4 f[3 * N];
      if (wanted.moduli) {
        Pack4 by_mu[3 * N];
        force_of(0, f);
        force_of(1, by_mu);
        kernel::scatter_lame<N>(batch(), pack, lanes, f, by_mu, wanted.shares.data(), columns);
      }
      for (const FeatureColumn& one : wanted.features) {
        force_of(one.feature, f);
        kernel::scatter_force<N>(batch(), pack, lanes, f, columns.col(one.column).data());
      }
    }
  }

  /// Stretches and d = dw.f/dp of all points first; then every feature sums over them in one order.
  template <int N>
  int gradient_of(const double* q, const double* weights, double* gradient) const {
    struct Point {
      Pack4 s[3], d[3];
    };
    constexpr int num_points = kernel::num_points<N>;
    const int num_packs = batch().num_packs(), num_features = form.num_features();
    std::vector<Point> points(static_cast<std::size_t>(num_packs * num_points));
    parallel_for(num_packs, 64, [&](int begin, int end) {
      for (int pack = begin; pack < end; ++pack) {
        const int lanes = kernel::lanes_in_use(batch(), pack);
        Pack4 x[3 * N], w[3 * N];
        kernel::gather<N>(batch(), q, pack, lanes, x);
        kernel::gather<N>(batch(), weights, pack, lanes, w);
        for (int p = 0; p < num_points; ++p) {
          const kernel::PointFrames<N> at(x, batch().pack_gradients(pack, p),
                                          Pack4::load(batch().pack_weights(pack, p)));
          Point& point = points[static_cast<std::size_t>(pack * num_points + p)];
          for (int i = 0; i < 3; ++i) point.s[i] = at.s[i];
          at.pull_back(w, point.d);
        }
      }
    });
    std::vector<double> by_lame[2];
    for (std::vector<double>& by : by_lame) by.assign(static_cast<std::size_t>(num_elements()), 0.0);
    const int num_moduli = parts_.moduli.num_values();
    parallel_for(num_features, 1, [&](int begin, int end) {
      for (int k = begin; k < end; ++k) {
        double sum = 0;
        for (int pack = 0; pack < num_packs; ++pack) {
          const int lanes = kernel::lanes_in_use(batch(), pack);
          for (int p = 0; p < num_points; ++p) {
            const Point& point = points[static_cast<std::size_t>(pack * num_points + p)];
            Pack4 r[3];
            formula::Learned::feature(elements(pack), k, point.s, r);
            const Pack4 part = r[0] * point.d[0] + r[1] * point.d[1] + r[2] * point.d[2];
            for (int l = 0; l < lanes; ++l) {
              sum += part[l];
              if (k < 2) by_lame[k][static_cast<std::size_t>(batch().original(4 * pack + l))] += part[l];
            }
          }
        }
        if (k >= 2) gradient[num_moduli + k - 2] += sum;
      }
    });
    double* next = gradient;
    parts_.moduli.add_gradient(by_lame[0], by_lame[1], next);
    return num_moduli + num_features - 2;
  }

  LearnedParts parts_;
  std::shared_ptr<const TetElasticity> nominal_;
};

StretchResponse respond_at(const LearnedForm& form, const formula::Lame<double>& lame, const Vec3& s) {
  StretchResponse response;
  math::Symmetric3<double> H;
  formula::Learned::respond(LearnedParameters<double>{lame, &form}, s.data(), response.psi, response.p.data(), H);
  response.H = math::to_eigen(H);
  return response;
}

std::unique_ptr<TetElasticity> make_on(std::shared_ptr<const TetElasticity> nominal, const LearnedParts& parts) {
  LearnedForm form = form_of(parts);
  const Mat3 correction = respond_at(form, {0, 0}, Vec3::Ones()).H;
  auto energy = std::make_unique<LearnedElasticity>(std::move(form), parts, std::move(nominal));
  energy->set_moduli([moduli = parts.moduli, num_tets = energy->num_elements(), correction] {
    Moduli result{Moduli::Kind::lame, {}, {}};
    const double lambda = correction(0, 1), mu = 0.5 * (correction(0, 0) - correction(0, 1));
    for (int e = 0; e < num_tets; ++e) {
      const Isotropic m{moduli.young.of(e), moduli.poisson.of(e)};
      result.of_element.insert(result.of_element.end(), {m.lambda() + lambda, m.mu() + mu});
    }
    return result;
  });
  return energy;
}

}  // namespace

std::unique_ptr<TetElasticity> make_learned(std::string body, std::shared_ptr<TetBatch> batch,
                                            const LearnedParts& parts) {
  form_of(parts);  // says all that is wrong
  return make_on(make_nominal(std::move(body), std::move(batch), parts), parts);
}

std::function<StretchResponse(const Vec3&)> stretch_response(const LearnedParts& parts, int e) {
  const Isotropic m{parts.moduli.young.of(e), parts.moduli.poisson.of(e)};
  return [form = form_of(parts), lame = formula::Lame<double>{m.lambda(), m.mu()}](const Vec3& s) {
    return respond_at(form, lame, s);
  };
}

}  // namespace dashpot
