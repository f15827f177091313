#include "dashpot/element/tet_stretches.hpp"

#include <algorithm>

#include "dashpot/element/tet_gather.hpp"
#include "dashpot/math/svd3.hpp"

namespace dashpot {
namespace {

using math::Pack4;

template <int N>
void stretches_of_pack(const TetBatch& batch, const double* q, int pack, double* s) {
  const int lanes = kernel::lanes_in_use(batch, pack);
  Pack4 x[3 * N], volume(0.0);
  kernel::gather<N>(batch, q, pack, lanes, x);
  math::Matrix3<Pack4> mean;
  for (Pack4& entry : mean.m) entry = Pack4(0.0);
  for (int p = 0; p < batch.num_points(); ++p) {
    const math::Matrix3<Pack4> F = kernel::deformation_gradient<N>(x, batch.pack_gradients(pack, p));
    const Pack4 w = Pack4::load(batch.pack_weights(pack, p));
    for (int k = 0; k < 9; ++k) mean.m[k] += w * F.m[k];
    volume += w;
  }
  volume = max(volume, Pack4(1e-300));  // lanes without an element weigh nothing
  for (Pack4& entry : mean.m) entry = entry / volume;
  const math::Svd3<Pack4> svd = math::svd3(mean);
  for (int l = 0; l < lanes; ++l)
    for (int i = 0; i < 3; ++i) s[3 * batch.original(4 * pack + l) + i] = svd.s[i][l];
}

template <int N>
void extend_by_pack(const TetBatch& batch, const double* q, int pack, StretchRange& range) {
  const int lanes = kernel::lanes_in_use(batch, pack);
  Pack4 x[3 * N];
  kernel::gather<N>(batch, q, pack, lanes, x);
  for (int p = 0; p < batch.num_points(); ++p) {
    const math::Svd3<Pack4> svd = math::svd3(kernel::deformation_gradient<N>(x, batch.pack_gradients(pack, p)));
    for (int l = 0; l < lanes; ++l) range.hold(svd.s[0][l], svd.s[1][l], svd.s[2][l]);
  }
}

}  // namespace

void StretchRange::hold(double first, double middle, double last) {
  const double volume = first * middle * last;
  least = std::min(least, last);
  largest = std::max(largest, first);
  least_volume = std::min(least_volume, volume);
  largest_volume = std::max(largest_volume, volume);
  least_middle = std::min(least_middle, middle);
  largest_middle = std::max(largest_middle, middle);
}

void extend_range(const TetBatch& batch, const Vector& q, StretchRange& range) {
  for (int pack = 0; pack < batch.num_packs(); ++pack)
    batch.nodes_per_tet() == 4 ? extend_by_pack<4>(batch, q.data(), pack, range)
                               : extend_by_pack<10>(batch, q.data(), pack, range);
}

void principal_stretches(const TetBatch& batch, const Vector& q, std::vector<double>& s) {
  s.resize(3 * static_cast<std::size_t>(batch.num_tets()));
  parallel_for(batch.num_packs(), 64, [&](int begin, int end) {
    for (int pack = begin; pack < end; ++pack)
      batch.nodes_per_tet() == 4 ? stretches_of_pack<4>(batch, q.data(), pack, s.data())
                                 : stretches_of_pack<10>(batch, q.data(), pack, s.data());
  });
}

}  // namespace dashpot
