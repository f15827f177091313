#pragma once
// What the .cpp files of the laws, which instantiate one each and so build side by side, are given. For .cpp files of
// energy/ only.

#include <functional>
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

/// Every combination of parts of several parameters that some element has, once: combination k is that of
/// element[k].
struct Combinations {
  std::vector<int> element = {};
  std::vector<int> of_element = {};  ///< which combination each element has
};
/// parts: which part of each parameter the elements have; an empty list: all have the first.
Combinations combinations(int num_elements, const std::vector<const std::vector<int>*>& parts);

/// For set_moduli of laws that are given by Young's modulus and Poisson's ratio at small strain.
std::function<Moduli()> lame_moduli(const PartwiseValue& young, const PartwiseValue& poisson, int num_tets,
                                    bool resists_volume = true);

/// Checks that of_element fits num_tets and num_materials; empty becomes all zeros. Throws Error.
std::vector<int> checked_of_element(std::vector<int> of_element, int num_tets, std::size_t num_materials);

}  // namespace dashpot::maker
