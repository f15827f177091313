#pragma once
// The workers of all parallel loops. A kernel may take a tenth of a millisecond, and a sleeping thread up to ten times
// that to wake, so after each job the workers keep looking for the next one for half a millisecond before they sleep.
// The caller takes part in every job and never waits for a worker that has not begun: a late worker costs nothing.
// There is one team for all: two would take each other's cores while they look for work.
//
// Every member begins with a share of its own, the same in every job of so many ranges, so that data stay in its cache;
// who is done helps the others. Who does which range is not determined: bodies must write to places of their own
// range. Then results do not depend on the number of threads.

#include "dashpot/core/parallel.hpp"

namespace dashpot {

/// Calls body(range) for range = 0 .. num_ranges-1 on up to num_threads() threads. From inside another such call, or
/// while another thread is in one, the ranges run one after the other on the calling thread. When a body throws, ranges
/// that have not begun are left out and the first exception is thrown on.
void spin_parallel_for(int num_ranges, FunctionRef<void(int)> body);

}  // namespace dashpot
