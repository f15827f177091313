#pragma once
// A damping of springs, bends and second differences as a law of the size s = |y| of the element's difference
// (model/line_batch.hpp). With the direction n = y/s and sdot = n . ydot, the pass (line_pass.hpp) makes of T(s, sdot)
//     f_a = c_a T n,    df_a/dv_b = c_a c_b dT/dsdot n n^T,
//     df_a/dq_b = c_a c_b [ dT/ds n n^T + dT/dsdot n (ydot - sdot n)^T / s + T/s (I - n n^T) ].
// The second term of df/dq is not symmetric; a law that asks for a semidefinite tangent has the first alone. No law
// acts where y has no direction.
//
// Blended laws also damp how y turns, where it is small: with sigma = 1 - smoothstep(s; begin, end) and c = dT/dsdot a
// constant of the element,
//     f_a = c_a c [ sdot n + sigma (ydot - sdot n) ],
// which for s < begin is c ydot, a viscosity of the whole vector. Such a force is not free under rigid rotation: at
// the rate w across y it takes the power sigma c s^2 w^2. [reference ABCE, section 2.5]
//
// For .cpp files of kernels only.

#include "dashpot/element/measure_law.hpp"
#include "dashpot/model/line_batch.hpp"

namespace dashpot {

/// Sizes between which a blended law changes over; no blending where `end` is zero.
struct Blend {
  double begin = 0, end = 0;
};

class LineLaw : public MeasureLaw {
 public:
  virtual Blend blend() const { return {}; }
  const LineBatch& batch() const override = 0;
  const LineLaw* line_law() const final { return this; }
};

}  // namespace dashpot
