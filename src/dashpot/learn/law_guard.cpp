#include "dashpot/learn/law_guard.hpp"

#include <algorithm>
#include <cmath>

#include "dashpot/core/json_document.hpp"
#include "dashpot/scene/law_of_body.hpp"

namespace dashpot::learn {
namespace {

constexpr double wanted_share = 0.1;      // of the known law's mu: the stiffness that is asked for
constexpr double tolerated_share = 0.05;  // of mu: a law that is so stiff is left alone
constexpr std::size_t cuts_at_once = 12;  // of one law: its worst places, apart from each other
constexpr double weight_change = 1e-4;    // for slopes; stiffness is linear in weights

std::vector<double> numbers_at(const JsonValue& object, const char* key) {
  std::vector<double> numbers;
  if (const JsonValue* list = object.find(key))
    for (const JsonValue& item : list->items) numbers.push_back(item.number);
  return numbers;
}

/// The material of a law file, as its scene model reads it.
LearnedParts parts_of(const JsonValue& material) {
  LearnedParts parts;
  for (const IsotropicLaw* law : {&IsotropicLaw::corotational, &IsotropicLaw::stvk, &IsotropicLaw::neo_hookean,
                                  &IsotropicLaw::stable_neo_hookean})
    if (material.find("nominal")->text == law->name) parts.nominal = *law;
  parts.moduli = {PartwiseValue(material.find("young")->number), PartwiseValue(material.find("poisson")->number)};
  ElasticCorrection& correction = parts.correction;
  correction.scale = material.find("scale")->number;
  const std::vector<double> tail = numbers_at(material, "tail");
  correction.tail = {tail[0], tail[1]};
  const auto curve = [&](const std::string& name, WeightedCurve& into) {
    const std::vector<double> weights = numbers_at(material, name.c_str()),
                              range = numbers_at(material, (name + "_range").c_str());
    into = {{range[0], range[1], static_cast<int>(weights.size())}, weights};
  };
  curve("stretch", correction.stretch);
  curve("area", correction.area);
  curve("volume", correction.volume);
  correction.kernels.weights = numbers_at(material, "kernels");
  correction.kernels.width = material.find("kernel_width")->number;
  if (material.find("kernel")->text == "multiquadric") correction.kernels.kind = math::RadialKernel::multiquadric;
  for (const JsonValue& center : material.find("kernel_centers")->items)
    correction.kernels.centers.push_back({center.items[0].number, center.items[1].number, center.items[2].number});
  return parts;
}

}  // namespace

std::optional<LearnedParts> law_with(const CompiledScene& scene, int body, const std::vector<double>& values) {
  const BodySpec& spec = scene.spec.bodies[static_cast<std::size_t>(body)];
  if (!spec.material || spec.material->name() != "learned") return {};
  return parts_of(law_of_body(scene.spec, spec, scene.system->parameters(), values).material);
}

StrainWatch::StrainWatch(const CompiledScene& scene, const std::vector<int>& bodies) {
  for (const int body : bodies) {
    const CompiledBody& compiled = scene.bodies[static_cast<std::size_t>(body)];
    const ElementGroup* group = compiled.mesh.tets();
    std::unique_ptr<Tets>& tets = tets_.emplace_back();
    if (group == nullptr) continue;
    tets = std::make_unique<Tets>(Tets{TetBatch(compiled.mesh.nodes, group->nodes, nodes_per_element(group->kind), 0),
                                       compiled.first_block, compiled.mesh.num_nodes()});
  }
}

void StrainWatch::look(const std::vector<Vec3>& points, std::vector<VisitedStrains>& strains) const {
  std::vector<double> s;
  for (std::size_t i = 0; i < tets_.size(); ++i) {
    if (!tets_[i]) continue;
    const Tets& tets = *tets_[i];
    const Vector q = Eigen::Map<const Vector>(points[static_cast<std::size_t>(tets.first_point)].data(),
                                              3 * Eigen::Index{tets.num_points});
    principal_stretches(tets.batch, q, s);
    for (std::size_t e = 0; e + 2 < s.size(); e += 3) strains[i].hold(Vec3(s[e], s[e + 1], s[e + 2]));
  }
}

LawGuard::LawGuard(const FitProblem& problem, const std::vector<int>& bodies)
    : problem_(problem), bodies_(bodies), trial_(bodies.size()), kept_(bodies.size()), regions_(bodies.size()) {
  for (const ObservedRun& run : problem.runs) watches_.emplace_back(*run.scene, bodies);
}

void LawGuard::begin_trial() {
  for (VisitedStrains& strains : trial_) strains.clear();
}

void LawGuard::look(std::size_t run, const std::vector<Vec3>& points) { watches_[run].look(points, trial_); }

void LawGuard::keep_trial(bool forgets) {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    if (forgets) kept_[i].clear();
    kept_[i].hold(trial_[i]);
    if (kept_[i].is_known()) regions_[i] = region_around(kept_[i]);
  }
}

std::vector<HalfSpace> LawGuard::cuts(const Vector& x) const {
  std::vector<HalfSpace> cuts;
  for (std::size_t i = 0; i < bodies_.size(); ++i)
    if (kept_[i].is_known()) add_cuts(i, x, cuts);
  return cuts;
}

void LawGuard::add_cuts(std::size_t i, const Vector& x, std::vector<HalfSpace>& cuts) const {
  const ObservedRun& run = problem_.runs[0];
  const auto parts = law_with(*run.scene, bodies_[i], problem_.values(run, x));
  if (!parts) return;
  const double mu = 0.5 * parts->moduli.young.of(0) / (1 + parts->moduli.poisson.of(0));
  struct Soft {
    double stiffness;
    WaveStiffness wave;
  };
  std::vector<Soft> soft;
  const auto law = stretch_response(*parts);
  for (const Vec3& s : regions_[i].points) {
    const StretchResponse response = law(s);
    if (is_stiffer(response, s, tolerated_share * mu)) continue;
    const WaveStiffness wave = softest_wave(response, s);
    soft.push_back({wave.of(response), wave});
  }
  std::sort(soft.begin(), soft.end(), [](const Soft& a, const Soft& b) { return a.stiffness < b.stiffness; });
  std::vector<Soft> worst;
  for (const Soft& one : soft) {
    const auto is_near = [&](const Soft& other) {
      return (other.wave.stretches - one.wave.stretches).cwiseAbs().maxCoeff() < 1.5 * regions_[i].spacing;
    };
    if (std::none_of(worst.begin(), worst.end(), is_near)) worst.push_back(one);
    if (worst.size() == cuts_at_once) break;
  }
  if (worst.empty()) return;
  Matrix slopes(x.size(), static_cast<Eigen::Index>(worst.size()));
  for (Eigen::Index k = 0; k < x.size(); ++k) {
    Vector moved = x;
    moved[k] += weight_change;
    const auto other_law = stretch_response(law_with(*run.scene, bodies_[i], problem_.values(run, moved)).value());
    for (std::size_t c = 0; c < worst.size(); ++c)
      slopes(k, static_cast<Eigen::Index>(c)) =
          (worst[c].wave.of(other_law(worst[c].wave.stretches)) - worst[c].stiffness) / weight_change;
  }
  for (std::size_t c = 0; c < worst.size(); ++c) {
    const Vector normal = slopes.col(static_cast<Eigen::Index>(c)) / mu;
    if (normal.allFinite()) cuts.push_back({normal, normal.dot(x) + wanted_share - worst[c].stiffness / mu});
  }
}

}  // namespace dashpot::learn
