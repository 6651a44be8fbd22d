// A lock that many may read under or one may write under, first come, first served.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace esi {

// As std::shared_mutex, for std::unique_lock and std::shared_lock, but nobody waits for those who
// came later: readers that follow each other without a gap cannot keep a writer out, nor writers a
// reader. So a thread must not ask for it again while it holds it.
class FairSharedMutex {
 public:
  void lock() {
    std::unique_lock<std::mutex> guard(mutex_);
    const std::uint64_t turn = next_++;
    changed_.wait(guard, [&] { return turn == serving_ && !writing_ && readers_ == 0; });
    writing_ = true;
    ++serving_;
  }

  void unlock() {
    const std::lock_guard<std::mutex> guard(mutex_);
    writing_ = false;
    changed_.notify_all();
  }

  void lock_shared() {
    std::unique_lock<std::mutex> guard(mutex_);
    const std::uint64_t turn = next_++;
    if (turn != serving_ || writing_) {
      changed_.wait(guard, [&] { return turn == serving_ && !writing_; });
    }
    ++readers_;
    ++serving_;
    // The next in the queue may be a reader too.
    if (serving_ != next_) changed_.notify_all();
  }

  void unlock_shared() {
    const std::lock_guard<std::mutex> guard(mutex_);
    if (--readers_ == 0) changed_.notify_all();
  }

  // The writer becomes a reader, with nobody in between.
  void unlock_and_lock_shared() {
    const std::lock_guard<std::mutex> guard(mutex_);
    writing_ = false;
    ++readers_;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t next_ = 0, serving_ = 0;  // turns given out, turn that is up
  std::uint64_t readers_ = 0;
  bool writing_ = false;
};

}  // namespace esi
