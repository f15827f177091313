#pragma once
// Workers for kernels of a tenth of a millisecond. A sleeping thread takes up to a millisecond to wake, so after each
// job the workers of this team keep looking for the next one for half a millisecond before they sleep. The caller takes
// part in every job and never waits for a worker that has not begun: a late worker costs nothing.
//
// Ranges are handed out in order, but who does which one is not determined: bodies must write to places of their own
// range. Then results do not depend on the number of threads.

#include "dashpot/core/parallel.hpp"

namespace dashpot {

/// Calls body(range) for range = 0 .. num_ranges-1 on up to num_threads() threads. From inside another such call, or
/// while another thread is in one, the ranges run one after the other on the calling thread.
void spin_parallel_for(int num_ranges, FunctionRef<void(int)> body);

}  // namespace dashpot
