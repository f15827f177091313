#pragma once
// The moduli of an energy's elements at small strain, for what acts in proportion to them: strain-rate damping given by
// a time beta, branches of a viscoelastic series, structural damping.

#include <memory>
#include <vector>

namespace dashpot {

class ElementBatch;

/// Numbers of one element after the other, in the order of the mesh.
struct Moduli {
  enum class Kind {
    lame,   ///< tets: lambda, mu [Pa]
    solid,  ///< tets: the upper triangle, row by row, of the 6 x 6 matrix between (E11, E22, E33, 2 E12, 2 E13, 2 E23)
            ///< and (S11, S22, S33, S12, S13, S23) [Pa]
    sheet,  ///< triangles: C11, C12, C13, C22, C23, C33 between (E11, E22, 2 E12) and (S11, S22, S12) in the axes of
            ///< TriangleBatch [N/m]: thickness included
    line,   ///< springs and bends (LineBatch): second derivative of the energy by the size [N/m] or [J]
    hinge,  ///< hinges (HingeBatch): second derivative of the energy by the angle [J]
  };
  Kind kind = Kind::line;
  std::vector<double> of_element;
  std::vector<double> rest_size;  ///< of springs [m]: what their size is divided by to be a strain; empty: 1

  static int numbers(Kind kind) {
    return kind == Kind::lame ? 2 : kind == Kind::solid ? 21 : kind == Kind::sheet ? 6 : 1;
  }
  const double* of(int element) const {
    return of_element.data() + static_cast<std::size_t>(element) * static_cast<std::size_t>(numbers(kind));
  }
};

class ModuliSource {
 public:
  virtual ~ModuliSource() = default;
  virtual Moduli moduli() const = 0;
  /// The energy's own elements: laws on them join its pass.
  virtual std::shared_ptr<ElementBatch> shared_batch() const = 0;
};

}  // namespace dashpot
