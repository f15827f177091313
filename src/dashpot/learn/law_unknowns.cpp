#include "dashpot/learn/law_unknowns.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/energy/materials.hpp"

namespace dashpot::learn {
namespace {

/// Of the ridge, on the tail: that the moduli are not what was believed is no reason to mistrust the data.
constexpr double tail_share = 1e-3;
/// Standard deviation of the slope that an elastic curve adds, over that of the known law.
constexpr double slope_spread = 3;

/// Laws that `learned` can correct.
constexpr std::string_view known_laws[] = {"corotational", "stvk", "neo_hookean", "stable_neo_hookean"};

const std::map<std::string_view, WeightKind>& kinds() {
  static const std::map<std::string_view, WeightKind> table = {
      {"tail", WeightKind::tail},         {"stretch", WeightKind::curve},  {"area", WeightKind::curve},
      {"volume", WeightKind::curve},      {"kernels", WeightKind::kernel}, {"alpha_curve", WeightKind::damping},
      {"beta_curve", WeightKind::damping}};
  return table;
}

/// The number behind "/bodies/" in the name of a parameter; -1: it is of no body.
int body_of(std::string_view name) {
  constexpr std::string_view before = "/bodies/";
  if (name.substr(0, before.size()) != before) return -1;
  int body = -1;
  std::from_chars(name.data() + before.size(), name.data() + name.size(), body);
  return body;
}

bool wants(const LawRequest& request, const SceneSpec& spec, int body) {
  if (request.bodies.empty()) return true;
  const std::string& name = spec.bodies[static_cast<std::size_t>(body)].name;
  return std::find(request.bodies.begin(), request.bodies.end(), name) != request.bodies.end();
}

bool wants(const LawRequest& request, WeightKind kind) {
  if (kind == WeightKind::damping) return request.damping;
  return request.elasticity && (kind == WeightKind::tail || request.curves);
}

/// By how much two neighboring weights of a curve of an elastic law differ where it is as steep as the known law. 0: it
/// is none, or of a material that does not say.
double weight_of_known_slope(const SceneSpec& spec, const std::string& parameter, std::string_view kind,
                             std::size_t count) {
  if (kind != "stretch" && kind != "area" && kind != "volume") return 0;
  const int body = body_of(parameter);
  if (body < 0 || count < 4) return 0;
  const ModelSpec& material = *spec.bodies[static_cast<std::size_t>(body)].material;
  if (material.name() != "learned") return 0;
  const Settings& settings = material.settings;
  const Isotropic known{settings.number("young"), settings.number("poisson")};
  const std::vector<double> range = settings.numbers(std::string(kind) + "_range");
  const double slope = kind == "volume" ? std::max(known.lambda(), 2 * known.mu()) : 2 * known.mu();
  return slope / settings.number("scale") * (range[1] - range[0]) / (static_cast<double>(count) - 3);
}

}  // namespace

std::vector<WeightGroup> weight_groups(const System& system) {
  std::vector<WeightGroup> groups;
  for (const ParameterLayout::Entry& entry : system.parameters().entries()) {
    const std::string& name = entry.info.name;
    const auto kind = kinds().find(std::string_view(name).substr(name.rfind('/') + 1));
    const bool is_law = name.find("/material/") != std::string::npos || name.find("/damping/") != std::string::npos;
    if (kind == kinds().end() || !is_law) continue;
    groups.push_back({name, body_of(name), kind->second, entry.size()});
  }
  return groups;
}

std::vector<SceneOverride> learning_overrides(const SceneSpec& spec, const LawRequest& request) {
  std::vector<SceneOverride> changes;
  std::vector<Problem> problems;
  for (const std::string& name : request.bodies)
    if (std::none_of(spec.bodies.begin(), spec.bodies.end(), [&](const BodySpec& b) { return b.name == name; }))
      problems.push_back({spec.document->file, fmt::format("no body '{}'", name), "the name of a body", ""});
  int num_learning = 0;
  for (std::size_t i = 0; i < spec.bodies.size(); ++i) {
    const BodySpec& body = spec.bodies[i];
    if (!body.material || !wants(request, spec, static_cast<int>(i))) continue;
    const std::string& model = body.material->name();
    const bool can = std::find(std::begin(known_laws), std::end(known_laws), model) != std::end(known_laws);
    if (model == "learned") ++num_learning;
    if (request.elasticity && can) {
      const std::string place = fmt::format("/bodies/{}/material/", i);
      changes.push_back({place + "model", R"("learned")"});
      changes.push_back({place + "nominal", fmt::format("\"{}\"", model)});
      changes.push_back({place + "scale", fmt::format("{:.17g}", body.material->settings.number("young"))});
      ++num_learning;
    } else if (request.elasticity && model != "learned" && !request.bodies.empty()) {
      problems.push_back({body.material->settings.place("model"), fmt::format("material \"{}\"", model),
                          fmt::format("one of {}", fmt::join(known_laws, ", ")),
                          "take the one that is nearest to what you expect; the rest is learned"});
    }
    if (!request.damping) continue;
    for (std::size_t j = 0; j < body.damping.size(); ++j) {
      if (body.damping[j].name() == "stretch_rayleigh") ++num_learning;
      if (body.damping[j].name() != "rayleigh") continue;
      const std::string place = fmt::format("/bodies/{}/damping/{}/", i, j);
      changes.push_back({place + "model", R"("stretch_rayleigh")"});
      changes.push_back({place + "beta_curve", "[0, 0, 0, 0, 0, 0, 0, 0]"});
      ++num_learning;
    }
  }
  if (num_learning == 0 && problems.empty())
    problems.push_back({spec.document->file, "nothing that can be learned",
                        fmt::format("a body whose material is one of {}{}", fmt::join(known_laws, ", "),
                                    request.damping ? ", or with rayleigh damping" : ""),
                        ""});
  if (!problems.empty()) throw Error(std::move(problems));
  return changes;
}

void add_law_unknowns(FitProblem& problem, const LawRequest& request) {
  if (problem.runs.empty()) throw Error(Problem{"", "no run", "at least one run with measurements", ""});
  const CompiledScene& scene = *problem.runs[0].scene;
  const System& system = *scene.system;
  const std::size_t first_of_all = problem.unknowns.size();
  for (const WeightGroup& group : weight_groups(system)) {
    if (!wants(request, group.kind) || (group.body >= 0 && !wants(request, scene.spec, group.body))) continue;
    const int at = system.parameters().at(group.parameter).first;
    for (int i = 0; i < group.size; ++i)
      problem.unknowns.push_back({group.parameter, i, Unknown::Map::linear,
                                  system.parameter_values()[static_cast<std::size_t>(at + i)], 1, true,
                                  group.kind == WeightKind::tail});
  }
  if (problem.unknowns.size() == first_of_all)
    throw Error(Problem{problem.runs[0].name, "no weights that could be learned",
                        "a material 'learned', or a damping 'stretch_rayleigh'", ""});
  // The prior is that of the known law: weights of zero, whatever they start from.
  const auto n = static_cast<Eigen::Index>(problem.unknowns.size());
  Matrix larger = Matrix::Zero(n, n);
  if (problem.precision.size() > 0)
    larger.topLeftCorner(problem.precision.rows(), problem.precision.cols()) = problem.precision;
  problem.precision = larger;
  Vector prior = Vector::Zero(n);
  if (problem.prior.size() > 0) prior.head(problem.prior.size()) = problem.prior;
  for (std::size_t k = first_of_all; k < problem.unknowns.size(); ++k)
    prior[static_cast<Eigen::Index>(k)] = -problem.unknowns[k].start;
  problem.prior = prior;
  for (std::size_t first = first_of_all; first < problem.unknowns.size();) {
    std::size_t last = first;
    while (last < problem.unknowns.size() && problem.unknowns[last].parameter == problem.unknowns[first].parameter)
      ++last;
    const std::string& name = problem.unknowns[first].parameter;
    const std::string kind = name.substr(name.rfind('/') + 1);
    const bool is_tail = kind == "tail";
    problem.add_ridge(first, last - first, is_tail ? tail_share * request.ridge : request.ridge);
    // Kernels have no order in which to be smooth.
    if (!is_tail && kind != "kernels") problem.add_smoothness(first, last - first, request.smoothness);
    if (const double unit = weight_of_known_slope(scene.spec, name, kind, last - first); unit > 0)
      problem.add_flatness(first, last - first, request.smoothness / (slope_spread * slope_spread * unit * unit));
    first = last;
  }
}

}  // namespace dashpot::learn
