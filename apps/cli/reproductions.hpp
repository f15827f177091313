#pragma once
// The table of reproductions: each runs an experiment of a published paper and compares what the paper states with what
// we measure. A new one is a file reproduce_<name>.cpp, declared here and listed in reproductions.cpp.
#include <string>
#include <variant>
#include <vector>

#include "console.hpp"

namespace dashpot::cli {

enum class ReproductionVariant {
  quick,     ///< under 20 s, for the tests
  standard,  ///< at most 10 minutes on 2 cores
  full,      ///< the paper's size
};

/// A number, a truth or a word; empty where the paper gives none.
using ClaimValue = std::variant<std::monostate, double, bool, std::string>;

/// One statement of a paper and what became of it.
struct Claim {
  std::string id, statement;
  ClaimValue paper, ours;
  std::string unit;
  ClaimValue tolerance;
  bool holds = false;
  bool refuted = false;  ///< the paper's statement is wrong, by evidence shown in the report; does not fail the run
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
};

const std::vector<Reproduction>& all_reproductions();

std::vector<Claim> reproduce_a_cost(const ReproductionRequest& request);
std::vector<Claim> reproduce_a_realtime(const ReproductionRequest& request);
std::vector<Claim> reproduce_a_koala(const ReproductionRequest& request);
std::vector<Claim> reproduce_a_integrators(const ReproductionRequest& request);
std::vector<Claim> reproduce_a_anisotropic(const ReproductionRequest& request);
std::vector<Claim> reproduce_a_contact(const ReproductionRequest& request);
std::vector<Claim> reproduce_a_caughey(const ReproductionRequest& request);
std::vector<Claim> reproduce_a_ablation(const ReproductionRequest& request);
std::vector<Claim> reproduce_a_not_elasticity(const ReproductionRequest& request);
std::vector<Claim> reproduce_a_unloading(const ReproductionRequest& request);
std::vector<Claim> reproduce_a_elephant(const ReproductionRequest& request);
std::vector<Claim> reproduce_a_rig(const ReproductionRequest& request);
std::vector<Claim> reproduce_a_dragon(const ReproductionRequest& request);
std::vector<Claim> reproduce_a_leaf(const ReproductionRequest& request);
std::vector<Claim> reproduce_a_static(const ReproductionRequest& request);
std::vector<Claim> reproduce_c_sneaker(const ReproductionRequest& request);
std::vector<Claim> reproduce_c_membrane(const ReproductionRequest& request);
std::vector<Claim> reproduce_c_bridge(const ReproductionRequest& request);
std::vector<Claim> reproduce_c_sliver(const ReproductionRequest& request);
std::vector<Claim> reproduce_e_cost(const ReproductionRequest& request);
std::vector<Claim> reproduce_e_ribbon(const ReproductionRequest& request);
std::vector<Claim> reproduce_e_hair(const ReproductionRequest& request);
std::vector<Claim> reproduce_e_sheet(const ReproductionRequest& request);
std::vector<Claim> reproduce_e_spin(const ReproductionRequest& request);
std::vector<Claim> reproduce_e_penguin(const ReproductionRequest& request);
std::vector<Claim> reproduce_e_pig(const ReproductionRequest& request);
std::vector<Claim> reproduce_e_dummy(const ReproductionRequest& request);
std::vector<Claim> reproduce_c_torque(const ReproductionRequest& request);

}  // namespace dashpot::cli
