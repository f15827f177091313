#pragma once
// A law of the principal stretches as an element law with Lame parameters. For .cpp files of energy/ only.

#include "dashpot/energy/formula/stretch_laws.hpp"
#include "dashpot/energy/formula/stretch_tangent.hpp"
#include "dashpot/energy/tet_elasticity_of.hpp"

namespace dashpot {

template <class Law>
struct StretchLaw : LameLaw {
  static constexpr const char* name = Law::name;
  using Formula = Law;
  template <class T>
  [[gnu::noinline]] static void respond(const formula::Lame<T>& m, const math::Matrix3<T>& F, formula::TangentKind kind,
                                        formula::PointResponse<T>& out) {
    formula::stretch_response<Law>(m, F, kind, out);
  }
};

}  // namespace dashpot
