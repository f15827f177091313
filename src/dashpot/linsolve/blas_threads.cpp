#include "dashpot/linsolve/blas_threads.hpp"

#include <dlfcn.h>
#include <sys/mman.h>

#include <cstddef>
#include <mutex>
#include <new>

namespace dashpot {
namespace {

// The functions are looked up at run time: another BLAS or OpenMP (or none) may be behind libcholmod.
struct Controls {
  using Get = int (*)();
  using Set = void (*)(int);
  Get blas_threads = reinterpret_cast<Get>(dlsym(RTLD_DEFAULT, "openblas_get_num_threads"));
  Set set_blas_threads = reinterpret_cast<Set>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"));
  Get omp_levels = reinterpret_cast<Get>(dlsym(RTLD_DEFAULT, "omp_get_max_active_levels"));
  Set set_omp_levels = reinterpret_cast<Set>(dlsym(RTLD_DEFAULT, "omp_set_max_active_levels"));

  std::mutex mutex;
  int guards = 0;  // OpenBLAS has one setting for the process: the first guard saves it, the last restores it
  int saved_blas_threads = 0;
};

Controls& controls() {
  static Controls shared;
  return shared;
}

/// OpenBLAS takes a buffer of 128 MiB at its first call, and tries for ever where it cannot have it (ulimit -v).
bool has_room_for_blas() {
  constexpr std::size_t buffer = (std::size_t{128} << 20) + 8192;
  void* room = ::mmap(nullptr, buffer, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) throw std::bad_alloc();
  ::munmap(room, buffer);
  return true;
}

}  // namespace

OneBlasThread::OneBlasThread() {
  Controls& c = controls();
  if (c.blas_threads) {
    [[maybe_unused]] static const bool asked_once = has_room_for_blas();
  }
  // No active level means that every parallel region runs on the caller; unlike num_threads clauses nothing overrides
  // it. The setting belongs to the calling thread only.
  if (c.omp_levels && c.set_omp_levels) {
    omp_levels_ = c.omp_levels();
    c.set_omp_levels(0);
  }
  if (!c.blas_threads || !c.set_blas_threads) return;
  const std::lock_guard<std::mutex> lock(c.mutex);
  if (c.guards++ > 0) return;
  c.saved_blas_threads = c.blas_threads();
  if (c.saved_blas_threads != 1) c.set_blas_threads(1);
}

OneBlasThread::~OneBlasThread() {
  Controls& c = controls();
  if (c.omp_levels && c.set_omp_levels) c.set_omp_levels(omp_levels_);
  if (!c.blas_threads || !c.set_blas_threads) return;
  const std::lock_guard<std::mutex> lock(c.mutex);
  if (--c.guards == 0 && c.saved_blas_threads != 1) c.set_blas_threads(c.saved_blas_threads);
}

}  // namespace dashpot
