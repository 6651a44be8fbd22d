#include "core/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#ifdef __linux__
#include <sched.h>
#endif

#include "core/error.hpp"

namespace esi {
namespace {

thread_local bool inside = false;

class InsideGuard {
 public:
  InsideGuard() : before_(inside) { inside = true; }
  ~InsideGuard() { inside = before_; }
  InsideGuard(const InsideGuard&) = delete;
  InsideGuard& operator=(const InsideGuard&) = delete;

 private:
  bool before_;
};

int available_processors() {
#ifdef __linux__
  // Honours taskset and containers, unlike hardware_concurrency.
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) == 0) return std::max(1, CPU_COUNT(&set));
#endif
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

// Adds a thread that runs `work`; false if the system refuses.
template <class Work>
bool start(std::vector<std::thread>& threads, const Work& work) {
  try {
    threads.emplace_back(work);
    return true;
  } catch (const std::system_error&) {
    return false;
  }
}

}  // namespace

int thread_count(int requested) {
  if (requested < 0) bad_argument("threads", "0 (all) or more", std::to_string(requested));
  return requested > 0 ? requested : available_processors();
}

void parallel_for(std::size_t n, std::size_t grain, int threads,
                  const std::function<void(std::size_t, std::size_t)>& fn) {
  if (grain == 0) bad_argument("grain", "1 or more", "0");
  const std::size_t pieces = n / grain + (n % grain != 0);
  const auto run = [&](std::size_t piece) { fn(piece * grain, std::min(n, (piece + 1) * grain)); };
  // A single piece does not need to know how many processors there are.
  const auto wanted =
      static_cast<std::size_t>(pieces > 1 || threads < 0 ? thread_count(threads) : 1);
  const std::size_t workers = inside ? 1 : std::min(wanted, pieces);
  if (workers <= 1) {
    const InsideGuard guard;
    for (std::size_t piece = 0; piece < pieces; ++piece) run(piece);
    return;
  }

  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::exception_ptr error;
  std::size_t error_piece = pieces;
  const auto work = [&] {
    const InsideGuard guard;
    for (;;) {
      // Handed out in order: when a piece throws, all earlier ones are done or under way.
      const std::size_t piece = next.fetch_add(1, std::memory_order_relaxed);
      if (piece >= pieces) return;
      try {
        run(piece);
      } catch (...) {
        next.store(pieces, std::memory_order_relaxed);
        const std::lock_guard<std::mutex> lock(mutex);
        if (piece < error_piece) {
          error_piece = piece;
          error = std::current_exception();
        }
        return;
      }
    }
  };

  std::vector<std::thread> others;
  others.reserve(workers - 1);
  // Where the system has no thread to give, those that started and this one do the work.
  while (others.size() + 1 < workers && start(others, work)) {
  }
  work();
  for (std::thread& thread : others) thread.join();
  if (error) std::rethrow_exception(error);
}

}  // namespace esi
