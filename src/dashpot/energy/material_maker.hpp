#pragma once
// Shared by the .cpp files that instantiate one law each, so that they build side by side. For .cpp files of energy/
// only.

#include <memory>
#include <string>
#include <vector>

#include "dashpot/energy/formula/point_response.hpp"
#include "dashpot/energy/tet_elasticity.hpp"

namespace dashpot::maker {

/// Lame parameters by material, and the material of each mesh element (never empty).
struct LameInput {
  std::string body;
  std::shared_ptr<TetBatch> batch;
  std::vector<formula::Lame<double>> materials;
  std::vector<int> of_element;
};

std::unique_ptr<TetElasticity> linear(const LameInput& input);
std::unique_ptr<TetElasticity> stvk(const LameInput& input);
std::unique_ptr<TetElasticity> corotational(const LameInput& input);
std::unique_ptr<TetElasticity> arap(const LameInput& input);
std::unique_ptr<TetElasticity> neo_hookean(const LameInput& input);
std::unique_ptr<TetElasticity> stable_neo_hookean(const LameInput& input);

/// Checks that of_element fits num_tets and num_materials; empty becomes all zeros. Throws Error.
std::vector<int> checked_of_element(std::vector<int> of_element, int num_tets, std::size_t num_materials);

/// Instantiates TetElasticityOf<Law> (tet_elasticity_of.hpp must be included).
template <class Instance>
std::unique_ptr<TetElasticity> make(const LameInput& input) {
  return std::make_unique<Instance>(input.body, input.batch, [&](int e) {
    return input.materials[static_cast<std::size_t>(input.of_element[static_cast<std::size_t>(e)])];
  });
}

}  // namespace dashpot::maker
