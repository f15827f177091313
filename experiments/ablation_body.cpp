#include "ablation_body.hpp"

#include <fmt/format.h>
#include <Eigen/Cholesky>

#include "dashpot/constraint/pins.hpp"
#include "dashpot/core/file.hpp"
#include "dashpot/dissipation/rayleigh.hpp"
#include "dashpot/energy/materials.hpp"
#include "dashpot/mesh/mass.hpp"
#include "dashpot/model/nodal_inertia.hpp"
#include "dashpot/modes/system_modes.hpp"
#include "dashpot/record/ledger.hpp"
#include "dashpot/render/mesh_picture.hpp"
#include "dashpot/render/png.hpp"
#include "dashpot/shape/shape.hpp"
#include "interrupt.hpp"
#include "measures.hpp"
#include "scene_file.hpp"

namespace dashpot::cli {
namespace {

constexpr double alpha = 0.5, beta = 1e-3;  // Rayleigh damping [1/s], [s]

/// f = C v + U V^T v with constant U and V: M X (Gamma - I) and C X.
class AddedForm final : public DissipationTerm {
 public:
  AddedForm(std::unique_ptr<DissipationTerm> base, Matrix U, Matrix V)
      : base_(std::move(base)), U_(std::move(U)), V_(std::move(V)) {}
  const std::string& body() const override { return base_->body(); }
  std::string model() const override { return "mass_orthonormal"; }
  DissipationTraits traits() const override { return {.symmetric = false, .constant = true}; }
  DissipationCapabilities capabilities() const override {
    DissipationCapabilities offers;
    offers.has_low_rank_tangent = true;
    return offers;
  }
  void couple(PatternBuilder& pattern) const override { base_->couple(pattern); }
  void bind(const BlockPattern& pattern) override { base_->bind(pattern); }
  std::unique_ptr<TermScratch> make_scratch_beside(std::span<const EnergyScratch> energies) const override {
    return base_->make_scratch_beside(energies);
  }
  void begin_step(const State& state, TermScratch* scratch) const override { base_->begin_step(state, scratch); }
  double evaluate(const DissipationRequest& request) const override {
    const double power = base_->evaluate(request);
    const Vector f = U_ * (V_.transpose() * request.v);
    if (request.force) *request.force += f;
    if (request.low_rank && request.dv_scale != 0)
      request.low_rank->push_back({U_, request.dv_scale * Matrix::Identity(U_.cols(), U_.cols()), V_});
    return power + request.v.dot(f);
  }

 private:
  std::unique_ptr<DissipationTerm> base_;
  Matrix U_, V_;
};

}  // namespace

AblationBody::AblationBody(const ReproductionRequest& request, int tets) : tets_(tets) {
  const std::string text = scene_text(R"("rest")");
  write_file_atomically(request.folder + "/scene.json", text);
  scene_ = compile(parse_scene(text));
}

std::string AblationBody::scene_text(const std::string& start) const {
  return scene_file("linear_bunny", {{"/bodies/0/mesh/tets", tets_},
                                     {"/bodies/0/damping/0/alpha", alpha},
                                     {"/bodies/0/damping/0/beta", beta},
                                     {"/bodies/0/start", start}});
}

Matrix AblationBody::pulls(const std::vector<Vec3>& forces) const {
  Matrix X(scene_.system->num_dofs(), static_cast<Eigen::Index>(forces.size()));
  for (std::size_t i = 0; i < forces.size(); ++i) {
    const std::string start = fmt::format(
        R"({{"from": "equilibrium", "loads": [{{"model": "force", "where": {{"region": "head"}}, "force": [{}, {}, {}]}}]}})",
        forces[i][0], forces[i][1], forces[i][2]);
    X.col(static_cast<Eigen::Index>(i)) = compile(parse_scene(scene_text(start))).start.q - scene_.system->rest();
  }
  return X;
}

Matrix AblationBody::modes(int count) const {
  return system_modes(*scene_.system, scene_.system->initial_state(), {.num_modes = count}).shapes.rightCols(count);
}

std::shared_ptr<const System> AblationBody::build(
    const std::function<std::unique_ptr<DissipationTerm>(std::unique_ptr<DissipationTerm>, const ViscousOperator*,
                                                         const MassSource&)>& damping) const {
  const Mesh& mesh = scene_.bodies.at(0).mesh;
  const ElementGroup& tets = *mesh.tets();
  const auto count = static_cast<std::size_t>(tets.size());
  const Vector& rest = scene_.system->rest();
  std::vector<int> pinned;
  std::vector<double> at;
  for (int i = 0; i < rest.size(); ++i)
    if (scene_.system->is_free()[static_cast<std::size_t>(i)] == 0) pinned.push_back(i), at.push_back(rest[i]);
  const auto mass = std::make_shared<ElementMass>(4, tets.nodes, lumped_element_masses(mesh, tets, 300), true);
  SystemBuilder builder(3, rest);
  builder.set_inertia(std::make_unique<NodalInertia>(std::vector<std::shared_ptr<ElementMass>>{mass}));
  builder.set_kinematics(std::make_unique<NodalKinematics>(mesh.num_nodes()));
  auto elastic = make_isotropic("bunny", std::make_shared<TetBatch>(mesh.nodes, tets.nodes, 4, 0), IsotropicLaw::linear,
                                {Isotropic{60e3, 0.4}});
  auto base = std::make_unique<Rayleigh>("bunny", mass.get(), std::vector<double>(count, alpha), elastic.get(),
                                         std::vector<double>(count, beta), StiffnessPart::rest);
  const Rayleigh* C = base.get();
  builder.add(std::unique_ptr<EnergyTerm>(std::move(elastic)));
  builder.add(damping(std::move(base), C, *mass));
  builder.add(std::unique_ptr<Constraint>(std::make_unique<Pins>(pinned, at)));
  return builder.build();
}

std::shared_ptr<const System> AblationBody::system_with(const Design& design) const {
  return build([&](std::unique_ptr<DissipationTerm> base, const ViscousOperator* C, const MassSource& mass) {
    if (design.X.cols() == 0) return base;
    std::vector<DampingExample> examples;
    for (Eigen::Index i = 0; i < design.X.cols(); ++i)
      examples.push_back(
          {fmt::format("example {}", i + 1), design.X.col(i), math::GainCurve::constant(design.gamma[i])});
    ExampleBasedOptions options;
    options.coupling = design.coupling;
    return std::unique_ptr<DissipationTerm>(
        std::make_unique<ExampleBased>("bunny", std::move(base), C, mass, scene_.system->rest(), 0,
                                       scene_.bodies[0].mesh.num_nodes(), std::move(examples), options));
  });
}

std::shared_ptr<const System> AblationBody::system_with_mass_orthonormal(const Matrix& examples,
                                                                         const Vector& gamma) const {
  const auto plain = system_with({});
  const auto times_mass = [&](const Matrix& X) {
    Matrix MX = Matrix::Zero(X.rows(), X.cols());
    for (Eigen::Index i = 0; i < X.cols(); ++i) {
      Vector f = Vector::Zero(X.rows());
      plain->inertia().add_force(plain->rest(), Vector::Zero(X.rows()), X.col(i), f);
      MX.col(i) = f;
    }
    return MX;
  };
  const Matrix gram = examples.transpose() * times_mass(examples);
  const Matrix X = gram.llt().matrixL().solve(examples.transpose()).transpose();
  const Matrix U = times_mass(X) * Matrix((gamma.array() - 1).matrix().asDiagonal());
  const Matrix V = damp(*plain, X);
  return build([&](std::unique_ptr<DissipationTerm> base, const ViscousOperator*, const MassSource&) {
    return std::unique_ptr<DissipationTerm>(std::make_unique<AddedForm>(std::move(base), U, V));
  });
}

Matrix AblationBody::damp(const System& system, const Matrix& V) const {
  const State rest = system.initial_state();
  Workspace workspace = system.make_workspace();
  system.begin_step(rest, workspace);
  Matrix forces(V.rows(), V.cols());
  for (Eigen::Index i = 0; i < V.cols(); ++i) {
    const Vector v = V.col(i), xi;
    Vector f = Vector::Zero(v.size());
    system.dissipations()[0]->evaluate({.q = rest.q,
                                        .v = v,
                                        .internal_variables = xi,
                                        .dt = 1e-3,
                                        .scratch = workspace.dissipation[0].get(),
                                        .force = &f});
    system.reduce(f);
    forces.col(i) = f;
  }
  return forces;
}

render::Series AblationBody::energy(const std::string& name, const System& system, const Vector& v, double dt,
                                    double end) const {
  State state = system.initial_state();
  state.v = v;
  Workspace workspace = system.make_workspace();
  make_consistent(system, state, workspace);
  EnergyLedger ledger(system, state);
  const auto stepper = make_stepper(Integrator("trapezoid"), NewtonOptions{}, LinearSolverOptions{});
  render::Series series{name, {0}, {1}};
  while (state.time < end - dt / 2 && !interrupted()) {
    const StepReport report = stepper->step(system, state, workspace, dt);
    if (report.status == StepStatus::failed) {
      series.x.push_back(state.time + dt);
      series.y.push_back(not_measured);
      break;
    }
    ledger.book(system, state, report);
    series.x.push_back(state.time);
    series.y.push_back(ledger.total_energy() / ledger.initial_energy());
  }
  return series;
}

render::Picture AblationBody::picture(const ReproductionRequest& request) const {
  render::MeshPictureSettings settings;
  settings.draw = render::DrawSettings::draft(500, 500);
  settings.look = render::shape_look(load_shape("bunny"));
  const render::Image image = render::mesh_picture(scene_.bodies.at(0).mesh, settings);
  render::write_png(request.folder + "/body.png", image);
  return {"The bunny, held at its feet", "image/png", render::to_png(image)};
}

}  // namespace dashpot::cli
