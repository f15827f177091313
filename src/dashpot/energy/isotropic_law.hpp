#pragma once
// Elastic laws of tets with two parameters, Young's modulus and Poisson's ratio. A law is a constant: its name and how
// it is made of Lame parameters. Each is defined beside its formula, in law_<name>.cpp, and no list knows them all: who
// wants one names it. The classic ones are members; any other is declared in a header of its own, <name>.hpp.

#include <memory>

namespace dashpot {

class TetElasticity;
namespace maker {
struct LameInput;
}

struct IsotropicLaw {
  const char* name;  ///< as in scenes
  std::unique_ptr<TetElasticity> (*make)(const maker::LameInput& input);
  bool resists_volume = true;  ///< has the term with lambda

  bool operator==(const IsotropicLaw& other) const { return make == other.make; }

  static const IsotropicLaw linear, corotational, arap, stvk, neo_hookean, stable_neo_hookean;
};

}  // namespace dashpot
