#include <atomic>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/parallel.hpp"
#include "tests/check.hpp"

namespace {

// A sum whose bits depend on the order of additions, reduced piece by piece.
double reduce(int threads) {
  constexpr std::size_t n = 10007, grain = 100;
  std::vector<double> partial((n + grain - 1) / grain);
  esi::parallel_for(n, grain, threads, [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += std::sin(static_cast<double>(i)) / 3.0;
    partial[begin / grain] = sum;
  });
  return std::accumulate(partial.begin(), partial.end(), 0.0);
}

}  // namespace

ESI_TEST(every_item_is_visited_once) {
  for (const std::size_t n : {0UL, 1UL, 7UL, 8UL, 9UL, 1000UL}) {
    std::vector<std::atomic<int>> visits(n);
    esi::parallel_for(n, 8, 4, [&](std::size_t begin, std::size_t end) {
      CHECK(end - begin <= 8);
      for (std::size_t i = begin; i < end; ++i) ++visits[i];
    });
    for (const auto& count : visits) CHECK_EQUAL(count.load(), 1);
  }
}

ESI_TEST(bits_do_not_depend_on_threads) {
  const double one = reduce(1);
  for (const int threads : {2, 3, 8}) CHECK_EQUAL(reduce(threads), one);
}

ESI_TEST(the_first_exception_in_order_is_rethrown) {
  for (const int threads : {1, 4}) {
    std::string message;
    try {
      esi::parallel_for(1000, 1, threads, [](std::size_t begin, std::size_t) {
        if (begin >= 37) throw std::runtime_error(std::to_string(begin));
      });
    } catch (const std::runtime_error& error) {
      message = error.what();
    }
    CHECK_EQUAL(message, "37");
  }
}

ESI_TEST(nested_calls_do_all_work_once) {
  std::atomic<int> count{0};
  esi::parallel_for(10, 1, 4, [&](std::size_t, std::size_t) {
    esi::parallel_for(10, 1, 4, [&](std::size_t, std::size_t) { ++count; });
  });
  CHECK_EQUAL(count.load(), 100);
}

ESI_TEST(wrong_arguments_are_refused) {
  const auto nothing = [](std::size_t, std::size_t) {};
  CHECK_THROWS(esi::thread_count(-1), std::invalid_argument);
  CHECK_THROWS(esi::parallel_for(1, 0, 1, nothing), std::invalid_argument);
  CHECK(esi::thread_count(0) >= 1);
  CHECK_EQUAL(esi::thread_count(3), 3);
}
