// One way to use several threads.
#pragma once

#include <cstddef>
#include <functional>

namespace esi {

// The number of threads to use for a request: 0 means all processors this process may run on.
// Throws std::invalid_argument for a negative request.
int thread_count(int requested);

// Calls fn(begin, end) for consecutive pieces of [0, n), each of `grain` items but the last.
//
// The pieces depend on n and grain alone, so whatever is computed per item or reduced per piece has
// the same bits for any number of threads. A single piece, a single thread, and a call from inside
// another parallel_for run in the calling thread. Threads live only as long as the call: there is
// nothing to break in a forked child. If pieces throw, the exception of the first of them in order
// is rethrown here once all threads have stopped.
void parallel_for(std::size_t n, std::size_t grain, int threads,
                  const std::function<void(std::size_t begin, std::size_t end)>& fn);

}  // namespace esi
