#include "dashpot/energy/formula/green_strain.hpp"
#include "dashpot/energy/formula/stretch_laws.hpp"
#include "dashpot/energy/formula/stretch_tangent.hpp"
#include "dashpot/energy/material_maker.hpp"
#include "dashpot/energy/tet_elasticity_of.hpp"

namespace dashpot::maker {
namespace {

struct StvkLaw : LameLaw {
  static constexpr const char* name = "stvk";
  template <class T>
  static void respond(const formula::Lame<T>& m, const math::Matrix3<T>& F, formula::TangentKind kind,
                      formula::PointResponse<T>& out) {
    if (kind == formula::TangentKind::projected)
      formula::stretch_response<formula::StVenantKirchhoff>(m, F, kind, out);
    else
      formula::stvk_response(m, F, kind, out);
  }
};

}  // namespace

std::unique_ptr<TetElasticity> stvk(const LameInput& input) { return make<TetElasticityOf<StvkLaw>>(input); }

}  // namespace dashpot::maker
