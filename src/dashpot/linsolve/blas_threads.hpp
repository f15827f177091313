#pragma once
// Keeps BLAS and OpenMP to one thread while SuiteSparse works. Debian's libcholmod opens four OpenMP threads whatever
// OMP_NUM_THREADS says, and OpenBLAS one per core; on small dense blocks both are slower than one thread, and the bits
// of a threaded BLAS depend on the machine. Settings are put back when the last guard goes.

namespace dashpot {

class OneBlasThread {
 public:
  /// std::bad_alloc where there is no memory for the buffer of OpenBLAS, which would wait for it for ever.
  OneBlasThread();
  ~OneBlasThread();
  OneBlasThread(const OneBlasThread&) = delete;
  OneBlasThread& operator=(const OneBlasThread&) = delete;

 private:
  int omp_levels_ = 0;  ///< this thread's max-active-levels before
};

}  // namespace dashpot
