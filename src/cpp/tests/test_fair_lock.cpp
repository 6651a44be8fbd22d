#include <atomic>
#include <shared_mutex>
#include <thread>
#include <vector>

#include "core/fair_lock.hpp"
#include "tests/check.hpp"

using esi::FairSharedMutex;

ESI_TEST(readers_share_and_a_writer_is_alone) {
  FairSharedMutex mutex;
  std::atomic<int> readers{0}, writers{0}, most{0}, writes{0};
  std::vector<std::thread> threads;
  int value = 0;  // guarded by the mutex, so that a sanitizer sees whether it is
  threads.reserve(6);
  for (int k = 0; k < 4; ++k) {
    threads.emplace_back([&] {
      for (int i = 0; i < 300; ++i) {
        const std::shared_lock<FairSharedMutex> lock(mutex);
        const int now = ++readers;
        if (now > most) most = now;
        if (writers != 0 || value < 0) ++writes;
        std::this_thread::yield();
        --readers;
      }
    });
  }
  for (int k = 0; k < 2; ++k) {
    threads.emplace_back([&] {
      for (int i = 0; i < 100; ++i) {
        const std::unique_lock<FairSharedMutex> lock(mutex);
        if (++writers != 1 || readers != 0) writes += 1000;
        ++value;
        --writers;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK_EQUAL(writes.load(), 0);
  CHECK_EQUAL(value, 200);
  CHECK(most.load() >= 1);
}

// With std::shared_mutex this may take for ever: one of the readers always holds it.
ESI_TEST(readers_without_a_gap_let_a_writer_in) {
  FairSharedMutex mutex;
  std::atomic<bool> stop{false};
  std::atomic<int> reads{0};
  std::vector<std::thread> readers;
  readers.reserve(3);
  for (int k = 0; k < 3; ++k) {
    readers.emplace_back([&] {
      while (!stop) {
        const std::shared_lock<FairSharedMutex> lock(mutex);
        ++reads;
      }
    });
  }
  while (reads < 10) std::this_thread::yield();
  for (int i = 0; i < 100; ++i) {
    const std::unique_lock<FairSharedMutex> lock(mutex);
  }
  stop = true;
  for (std::thread& reader : readers) reader.join();
  CHECK(reads.load() >= 10);
}

ESI_TEST(a_writer_becomes_a_reader_with_nobody_in_between) {
  FairSharedMutex mutex;
  std::atomic<int> value{0};
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int k = 0; k < 4; ++k) {
    threads.emplace_back([&] {
      for (int i = 0; i < 100; ++i) {
        mutex.lock();
        const int mine = ++value;
        mutex.unlock_and_lock_shared();
        CHECK_EQUAL(value.load(), mine);
        mutex.unlock_shared();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK_EQUAL(value.load(), 400);
}
