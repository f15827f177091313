#pragma once
// Block sizes as compile-time constants: kernels are compiled for each size and chosen once outside their loops.

#include <type_traits>

namespace dashpot {

/// Calls visit(std::integral_constant<int, b>) for 1 <= b <= 6; anything else counts as 6.
template <class Visit>
auto with_block_size(int b, Visit visit) {
  switch (b) {
    case 1:
      return visit(std::integral_constant<int, 1>());
    case 2:
      return visit(std::integral_constant<int, 2>());
    case 3:
      return visit(std::integral_constant<int, 3>());
    case 4:
      return visit(std::integral_constant<int, 4>());
    case 5:
      return visit(std::integral_constant<int, 5>());
    default:
      return visit(std::integral_constant<int, 6>());
  }
}

}  // namespace dashpot
