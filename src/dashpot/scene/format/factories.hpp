#pragma once
// What a registry entry builds, by category. Types are only named here; models/<name>.cpp includes what it makes.

#include <functional>
#include <memory>
#include <variant>
#include <vector>

#include "dashpot/core/types.hpp"

namespace dashpot {

class BodyAssembly;
class Collider;
class DissipationTerm;
class ExternalLoad;
class Integrator;
class Settings;
struct DrivenMotion;
struct Mesh;
struct MotionTarget;
struct Problem;

/// Makes a mesh; what is odd about it but usable goes to the warnings.
using MeshFactory = std::function<Mesh(const Settings&, std::vector<Problem>& warnings)>;
/// Chosen nodes of a mesh, ascending. Empty when nothing matches.
using WhereFactory = std::function<std::vector<int>(const Settings&, const Mesh&)>;
using StepperFactory = std::function<Integrator(const Settings&)>;
/// Adds an energy or a velocity filter to a body under construction.
using BodyFactory = std::function<void(const Settings&, BodyAssembly&)>;
/// Makes a damping of a body under construction, in one term or several (one for each kind of element); dampings that
/// reshape another one make that by its own factory.
using DampingFactory = std::function<std::vector<std::unique_ptr<DissipationTerm>>(const Settings&, BodyAssembly&)>;
/// The factory of a damping that is one term.
template <class Make>
DampingFactory one_damping(Make make) {
  return [make](const Settings& settings, BodyAssembly& body) {
    std::vector<std::unique_ptr<DissipationTerm>> terms;
    terms.push_back(make(settings, body));
    return terms;
  };
}
using LoadFactory = std::function<std::unique_ptr<ExternalLoad>(const Settings&, const BodyAssembly&)>;
/// How the nodes of a target, or something rigid, move in time.
using MotionFactory = std::function<DrivenMotion(const Settings&, const MotionTarget&)>;
/// Starting positions of the body's nodes [m]; a body keeps the modes it is asked for.
using StartFactory = std::function<std::vector<Vec3>(const Settings&, BodyAssembly&)>;

/// Makes a collider of a run that ends at `end` [s]; what is odd about it but usable goes to the warnings.
using ColliderFactory =
    std::function<std::shared_ptr<const Collider>(const Settings&, double end, std::vector<Problem>& warnings)>;

using Factory = std::variant<std::monostate, MeshFactory, WhereFactory, StepperFactory, BodyFactory, DampingFactory,
                             LoadFactory, MotionFactory, StartFactory, ColliderFactory>;

}  // namespace dashpot
