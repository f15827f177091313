#include "dashpot/element/block_scatter.hpp"

namespace dashpot::kernel {

template <int N>
void scatter_stiffness(const ElementBatch& batch, int pack, int lanes, Pack4* K, Pack4* lower, double* values) {
  if (lower == nullptr) return scatter_symmetric<N>(batch, pack, lanes, K, values);
  fill_first_row<N>(K, lower);
  if (lanes == 4)
    scatter_lanes<N>(batch, pack, 4, K, lower, values);
  else
    scatter_lanes<N>(batch, pack, lanes, K, lower, values);
}

template void scatter_stiffness<3>(const ElementBatch&, int, int, Pack4*, Pack4*, double*);
template void scatter_stiffness<4>(const ElementBatch&, int, int, Pack4*, Pack4*, double*);
template void scatter_stiffness<10>(const ElementBatch&, int, int, Pack4*, Pack4*, double*);

}  // namespace dashpot::kernel
