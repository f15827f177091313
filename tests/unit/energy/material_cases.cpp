#include "material_cases.hpp"

#include <Eigen/Geometry>
#include <cmath>

#include "dashpot/energy/learned.hpp"
#include "dashpot/energy/mooney_rivlin.hpp"
#include "support/portable_noise.hpp"

namespace dashpot::testing {

std::vector<MaterialCase> all_materials() {
  std::vector<MaterialCase> cases;
  const Isotropic material{1000, 0.3};
  for (const IsotropicLaw law : {IsotropicLaw::linear, IsotropicLaw::corotational, IsotropicLaw::arap,
                                 IsotropicLaw::stvk, IsotropicLaw::neo_hookean, IsotropicLaw::stable_neo_hookean}) {
    MaterialCase c;
    c.name = law.name;
    c.make = [=](std::shared_ptr<TetBatch> batch) { return make_isotropic("body", std::move(batch), law, {material}); };
    c.lambda = law == IsotropicLaw::arap ? 0 : material.lambda();
    c.mu = material.mu();
    c.defined_inverted = law != IsotropicLaw::neo_hookean;
    c.objective = law != IsotropicLaw::linear;
    cases.push_back(c);
  }
  MaterialCase spline;
  spline.name = "spline";
  spline.lambda = material.lambda(), spline.mu = material.mu();
  spline.make = [=](std::shared_ptr<TetBatch> batch) {
    return make_spline(
        "body", std::move(batch),
        {SplineMaterial::edited(material, {{1.31, 400}, {1.77, 2000}}, {{0.91, -60}, {0.52, -900}, {0.11, -4000}})});
  };
  cases.push_back(spline);
  // All three curves curved; 2 mu = f' + g' and lambda = g' + h' at 1.
  MaterialCase splines;
  splines.name = "three_splines";
  splines.lambda = 150 + 400, splines.mu = (700 + 150) / 2.0;
  splines.make = [](std::shared_ptr<TetBatch> batch) {
    const auto curve = [](double offset, double slope) {
      return math::Curve::monotone({{0.13, offset - 900}, {1, offset}, {1.93, offset + 1500}},
                                   math::Extrapolation::linear, std::pair(1, slope));
    };
    return make_spline("body", std::move(batch), {{curve(3, 700), curve(-40, 150), curve(1000, 400)}});
  };
  cases.push_back(splines);

  MaterialCase rubber;
  rubber.name = "mooney_rivlin";
  rubber.lambda = material.lambda(), rubber.mu = material.mu();
  rubber.defined_inverted = false;
  rubber.make = [=](std::shared_ptr<TetBatch> batch) {
    return make_mooney_rivlin("body", std::move(batch),
                              {PartwiseValue(material.young), PartwiseValue(material.poisson), PartwiseValue(0.6)});
  };
  cases.push_back(rubber);

  // All curves curved, of 100 Pa; small-strain moduli by the curves of math/curve.hpp.
  for (const IsotropicLaw nominal :
       {IsotropicLaw::corotational, IsotropicLaw::stvk, IsotropicLaw::neo_hookean, IsotropicLaw::stable_neo_hookean}) {
    LearnedParts parts{nominal, {PartwiseValue(material.young), PartwiseValue(material.poisson)}, {}};
    parts.correction.scale = 100;
    parts.correction.tail = {0.7, -0.4};
    parts.correction.stretch = {{0.65, 1.45, 8}, {-1.1, -0.4, -0.5, 0.1, 0.2, 0.6, 0.5, 1.2}};
    parts.correction.area = {{0.6, 1.6, 5}, {-0.3, -0.1, 0.05, 0.2, 0.1}};
    parts.correction.volume = {{0.7, 1.3, 6}, {-0.4, -0.3, 0.0, 0.2, 0.4, 0.3}};
    const auto slope = [](const WeightedCurve& curve) {
      return 100 * math::Curve::uniform_bspline(curve.knots.low, curve.knots.high, curve.weights).derivative(1);
    };
    const double f = slope(parts.correction.stretch), g = slope(parts.correction.area),
                 h = slope(parts.correction.volume);
    double kernel_lambda = 0, kernel_mu = 0;
    if (nominal == IsotropicLaw::stvk || nominal == IsotropicLaw::corotational) {
      const bool gauss = nominal == IsotropicLaw::stvk;
      parts.correction.kernels = {gauss ? math::RadialKernel::gaussian : math::RadialKernel::multiquadric,
                                  0.2,
                                  {{1.1, 1, 0.95}, {1.3, 0.9, 0.8}},
                                  {-0.3, 0.2}};
      // At rest H_ii = 6 m + 2 n sum d^2 and H_ij = n ((sum d)^2 - sum d^2), d = 1 - c, m = phi'/r, n = m'/r.
      for (std::size_t k = 0; k < 2; ++k) {
        const auto& c = parts.correction.kernels.centers[k];
        const double w = 0.2, sum = 3 - c[0] - c[1] - c[2],
                     squares = (1 - c[0]) * (1 - c[0]) + (1 - c[1]) * (1 - c[1]) + (1 - c[2]) * (1 - c[2]);
        const double e = std::exp(-squares / (2 * w * w)), q = std::sqrt(1 + squares / (w * w));
        const double m = gauss ? -e / (w * w) : 1 / (q * w * w), n = gauss ? e / (w * w * w * w) : -m / (q * q * w * w);
        const double factor = 100 * w * parts.correction.kernels.weights[k], H01 = n * (sum * sum - squares);
        kernel_lambda += factor * H01;
        kernel_mu += 0.5 * factor * (6 * m + 2 * n * squares - H01);
      }
    }
    MaterialCase learned;
    learned.name = std::string("learned_on_") + nominal.name;
    learned.lambda = material.lambda() - 40 + g + h + kernel_lambda;
    learned.mu = material.mu() + 35 + 0.5 * (f + g) + kernel_mu;
    learned.defined_inverted = !(nominal == IsotropicLaw::neo_hookean);
    learned.make = [parts](std::shared_ptr<TetBatch> batch) { return make_learned("body", std::move(batch), parts); };
    cases.push_back(learned);
  }

  MaterialCase ortho;
  ortho.name = "orthotropic_stvk";
  ortho.isotropic = false;
  ortho.make = [](std::shared_ptr<TetBatch> batch) {
    return make_orthotropic("body", std::move(batch),
                            {{1000, 3000, 500, 0.2, 0.35, 0.15, 400, 300, 250, rotation({0.3, 0.8, -0.4})}});
  };
  cases.push_back(ortho);
  // Equal constants in all axes are an isotropic solid.
  MaterialCase cubic;
  cubic.name = "orthotropic_with_isotropic_constants";
  cubic.lambda = material.lambda(), cubic.mu = material.mu();
  cubic.make = [=](std::shared_ptr<TetBatch> batch) {
    const double E = material.young, nu = material.poisson, G = material.mu();
    return make_orthotropic("body", std::move(batch), {{E, E, E, nu, nu, nu, G, G, G, rotation({0.3, 0.8, -0.4})}});
  };
  cases.push_back(cubic);
  return cases;
}

ElasticBody::ElasticBody(TinyMesh tiny, const MaterialCase& material) : mesh(std::move(tiny)) {
  batch = std::make_shared<TetBatch>(mesh.X, mesh.nodes, mesh.nodes_per_tet, 0);
  term = material.make(batch);
  PatternBuilder builder;
  term->couple(builder);
  pattern = builder.build(3, static_cast<int>(mesh.X.size()));
  term->bind(*pattern);
}

double ElasticBody::energy(const Vector& q) const { return term->evaluate({q}); }

Vector ElasticBody::gradient(const Vector& q) const {
  Vector g = Vector::Zero(q.size());
  EnergyRequest request{q};
  request.gradient = &g;
  term->evaluate(request);
  return g;
}

Matrix ElasticBody::hessian(const Vector& q, Projection projection) const {
  BlockMatrix K(pattern);
  EnergyRequest request{q};
  request.hessian = &K;
  request.projection = projection;
  term->evaluate(request);
  return K.dense();
}

Matrix ElasticBody::stiffness(const Vector& q, StiffnessPart part, double scale) const {
  BlockMatrix K(pattern);
  term->add_stiffness(q, part, std::vector<double>(static_cast<std::size_t>(term->num_elements()), scale), K);
  return K.dense();
}

Vector ElasticBody::affine(const Mat3& F, const Vec3& t) const {
  Vector q = mesh.rest();
  for (Eigen::Index i = 0; i < q.size(); i += 3) q.segment<3>(i) = F * q.segment<3>(i).eval() + t;
  return q;
}

Vector shaken(const Vector& q, double amplitude, int seed) {
  Vector result = q;
  for (Eigen::Index i = 0; i < q.size(); ++i) result[i] += amplitude * rnd(static_cast<int>(i) + 1000 * seed);
  return result;
}

Mat3 rotation(const Vec3& axis_angle) {
  return Eigen::AngleAxisd(axis_angle.norm(), axis_angle.normalized()).toRotationMatrix();
}

}  // namespace dashpot::testing
