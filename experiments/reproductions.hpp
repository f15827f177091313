#pragma once
// The table of reproductions: each runs an experiment of a published paper and compares what the paper states with what
// we measure. A new one is a file reproduce_<name>.cpp that defines `Reproduction <name>()`; nothing else lists it.
#include <string>
#include <vector>

#include "claim.hpp"
#include "console.hpp"

namespace dashpot::cli {

enum class ReproductionVariant {
  quick,     ///< under 20 s, for the tests
  standard,  ///< at most 10 minutes on 2 cores
  full,      ///< the paper's size
};

struct ReproductionRequest {
  const Console& console;
  std::string folder;  ///< exists; plots, pictures and report.html go here
  ReproductionVariant variant = ReproductionVariant::standard;
};

struct Reproduction {
  std::string name;   ///< "A-integrators"
  std::string paper;  ///< "Xu & Barbic 2017, fig. 10"
  std::string help;   ///< one line
  std::vector<Claim> (*run)(const ReproductionRequest& request);
  std::string full = {};  ///< what `--full` is: the size that the paper prints. Empty: there is none, it is refused
  bool measures_time = false;  ///< it wants the machine for itself
};

/// Sorted by name; empty in a program that was built without them (DASHPOT_EXPERIMENTS=OFF).
const std::vector<Reproduction>& all_reproductions();

}  // namespace dashpot::cli
