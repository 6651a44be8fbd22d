// Vectors whose new elements are not set to zero first: all are written before they are read, by
// the threads that need them, which then also get their pages.
#pragma once

#include <memory>
#include <utility>
#include <vector>

namespace esi {

template <class T>
struct RawAllocator : std::allocator<T> {
  template <class U>
  struct rebind {
    using other = RawAllocator<U>;
  };
  template <class U, class... Arguments>
  void construct(U* at, Arguments&&... arguments) {
    if constexpr (sizeof...(Arguments) == 0) {
      ::new (static_cast<void*>(at)) U;
    } else {
      ::new (static_cast<void*>(at)) U(std::forward<Arguments>(arguments)...);
    }
  }
};

template <class T>
using RawVector = std::vector<T, RawAllocator<T>>;

}  // namespace esi
