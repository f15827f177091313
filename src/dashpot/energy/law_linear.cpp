#include "dashpot/energy/formula/green_strain.hpp"
#include "dashpot/energy/isotropic_law.hpp"
#include "dashpot/energy/projective_tets.hpp"
#include "dashpot/energy/tet_elasticity_of.hpp"

namespace dashpot {
namespace {

struct LinearLaw : LameLaw {
  static constexpr const char* name = "linear";
  static constexpr bool is_quadratic = true;
  template <class T>
  static void respond(const formula::Lame<T>& m, const math::Matrix3<T>& F, formula::TangentKind kind,
                      formula::PointResponse<T>& out) {
    formula::linear_response(m, F, kind, out);
  }
};

}  // namespace

constinit const IsotropicLaw IsotropicLaw::linear{LinearLaw::name, &maker::make_source<TetElasticityOf<LinearLaw>>};

}  // namespace dashpot
