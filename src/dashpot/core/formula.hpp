#pragma once
// DASHPOT_FORMULA marks the pure functions of a few numbers (math/, energy/formula/, dissipation/formula/) that kernels
// on a GPU call as well; it is empty for C++. tests/cuda compiles them with nvcc where that is installed.

#if defined(__CUDACC__)
#define DASHPOT_FORMULA __host__ __device__
#else
#define DASHPOT_FORMULA
#endif
