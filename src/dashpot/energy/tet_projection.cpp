#include "dashpot/energy/tet_projection.hpp"

#include <cassert>

#include "dashpot/energy/element_rows.hpp"
#include "dashpot/math/rotation_search.hpp"

namespace dashpot {
namespace {

using element_rows::edges;
using element_rows::Four;
using element_rows::scatter;
using math::Matrix3;
using math::Pack4;
using math::Pack8;
using math::Quaternion;

template <class T>
class ProjectionOf final : public TetProjection {
 public:
  ProjectionOf(const TetBatch& batch, const std::vector<TetShearBulk>& of_element)
      : ranges_(4, batch.all_blocks(), batch.elements_along_curve(), T::size) {
    packs_.resize(static_cast<std::size_t>(ranges_.num_packs()));
    rotations_.resize(packs_.size());
    ranges_.for_each_lane([&](int p, int l, int element, bool exists) {
      Pack& pack = packs_[static_cast<std::size_t>(p)];
      for (int a = 1; a < 4; ++a)
        for (int c = 0; c < 3; ++c) pack.gradient[3 * (a - 1) + c].set(l, batch.gradient(element, 0, a)[c]);
      const TetShearBulk m = exists ? of_element[static_cast<std::size_t>(element)] : TetShearBulk();
      pack.shear.set(l, m.shear);
      pack.bulk.set(l, m.bulk);
      has_bulk_ = has_bulk_ || m.bulk != 0;
    });
  }

  void begin() override { is_new_ = true; }

  void add(const Vector& q, Vector& f) override {
    ranges_.run(q, nullptr, &f, [&](int first, int end, const Four* x, const Four*, Four* out) {
      if (has_bulk_)
        loop<true>(first, end, x, out);
      else
        loop<false>(first, end, x, out);
    });
    is_new_ = false;
  }

 private:
  struct Pack {
    T gradient[9];  ///< of nodes 1..3 [1/m]
    T shear, bulk;  ///< [J]
  };

  template <bool has_bulk>
  void loop(int first, int end, const Four* x, Four* f) {
    Quaternion<T> beside = math::no_rotation<T>();
    for (int p = first; p < end; ++p) {
      const Pack& pack = packs_[static_cast<std::size_t>(p)];
      const int* nodes = ranges_.nodes(p);
      T d[9];
      edges<4>(nodes, x, d);
      Matrix3<T> F;
      for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i)
          F(i, j) = d[i] * pack.gradient[j] + d[3 + i] * pack.gradient[3 + j] + d[6 + i] * pack.gradient[6 + j];
      Quaternion<T> rotation = is_new_ ? beside : rotations_[static_cast<std::size_t>(p)];
      int num_steps = 0;
      const Matrix3<T> R = math::nearest_rotation(F, rotation, num_steps);
      rotations_[static_cast<std::size_t>(p)] = beside = rotation;
      T turned = pack.shear;
      Matrix3<T> target;
      if constexpr (has_bulk) {
        T trace(-3.0);
        for (int k = 0; k < 9; ++k) trace += R.m[k] * F.m[k];
        turned -= pack.bulk * trace;
        const T kept = T(3.0) * pack.bulk;
        for (int k = 0; k < 9; ++k) target.m[k] = kept * F.m[k] + turned * R.m[k];
      } else {
        for (int k = 0; k < 9; ++k) target.m[k] = turned * R.m[k];
      }
      for (int a = 0; a < 3; ++a)
        for (int i = 0; i < 3; ++i)
          d[3 * a + i] = target(i, 0) * pack.gradient[3 * a] + target(i, 1) * pack.gradient[3 * a + 1] +
                         target(i, 2) * pack.gradient[3 * a + 2];
      scatter<4>(nodes, d, f);
    }
  }

  ElementRanges ranges_;
  std::vector<Pack> packs_;
  std::vector<Quaternion<T>> rotations_;
  bool has_bulk_ = false;
  bool is_new_ = true;
};

}  // namespace

std::unique_ptr<TetProjection> make_tet_projection(const TetBatch& batch, const std::vector<TetShearBulk>& of_element,
                                                   ProjectionPrecision precision) {
  assert(batch.nodes_per_tet() == 4 && static_cast<int>(of_element.size()) == batch.num_tets());
  if (precision == ProjectionPrecision::single_precision)
    return std::make_unique<ProjectionOf<Pack8>>(batch, of_element);
  return std::make_unique<ProjectionOf<Pack4>>(batch, of_element);
}

}  // namespace dashpot
