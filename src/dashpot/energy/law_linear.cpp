#include "dashpot/energy/formula/green_strain.hpp"
#include "dashpot/energy/projective_tets.hpp"
#include "dashpot/energy/tet_elasticity_of.hpp"

namespace dashpot::maker {
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

std::unique_ptr<TetElasticity> linear(const LameInput& input) { return make_source<TetElasticityOf<LinearLaw>>(input); }

}  // namespace dashpot::maker
