#pragma once
// What a registry entry builds, by category. Types are only named here; registry_<category>.cpp includes what it makes.

#include <functional>
#include <memory>
#include <variant>
#include <vector>

namespace dashpot {

class ExternalLoad;
class Settings;
class BodyAssembly;
struct Mesh;
struct StepperOptions;
struct Motion;

using MeshFactory = std::function<Mesh(const Settings&)>;
/// Chosen nodes of a mesh, ascending. Empty when nothing matches.
using WhereFactory = std::function<std::vector<int>(const Settings&, const Mesh&)>;
using StepperFactory = std::function<StepperOptions(const Settings&)>;
/// Adds the energy, damping or load to a body under construction, or sets its starting positions.
using BodyFactory = std::function<void(const Settings&, BodyAssembly&)>;
/// Displacement of a moving support.
using MotionFactory = std::function<Motion(const Settings&)>;

using Factory = std::variant<std::monostate, MeshFactory, WhereFactory, StepperFactory, BodyFactory, MotionFactory>;

}  // namespace dashpot
