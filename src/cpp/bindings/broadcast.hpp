// Functions of single items, applied over leading dimensions that broadcast as NumPy's do.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "bindings/array_in.hpp"

namespace esi {

// The leading dimensions of an array: all but the last `trailing`.
struct Leading {
  template <class T>
  Leading(const ArrayIn<T>& array, int trailing)
      : name(array.name()), sizes(static_cast<std::size_t>(array.ndim()) - trailing) {
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      sizes[k] = static_cast<py::ssize_t>(array.shape(static_cast<int>(k)));
    }
  }

  Leading(const std::string& array_name, std::vector<py::ssize_t> leading_sizes)
      : name(array_name), sizes(std::move(leading_sizes)) {}

  const std::string& name;
  std::vector<py::ssize_t> sizes;
};

// N arrays whose items go together.
template <std::size_t N>
class Broadcast {
 public:
  explicit Broadcast(const std::array<Leading, N>& parts) {
    std::size_t rank = 0;
    for (const Leading& part : parts) rank = std::max(rank, part.sizes.size());
    shape_.assign(rank, 1);
    for (const Leading& part : parts) {
      const std::size_t skip = rank - part.sizes.size();
      for (std::size_t k = 0; k < part.sizes.size(); ++k) {
        py::ssize_t& size = shape_[skip + k];
        if (part.sizes[k] == size || part.sizes[k] == 1) continue;
        if (size != 1) {
          bad_argument(part.name,
                       "leading dimensions that broadcast with " + text(parts[0].sizes) + " of " +
                           parts[0].name,
                       text(part.sizes));
        }
        size = part.sizes[k];
      }
    }
    for (py::ssize_t size : shape_) size_ *= static_cast<std::size_t>(size);
    for (std::size_t n = 0; n < N; ++n) {
      const auto& sizes = parts[n].sizes;
      steps_[n].assign(rank, 0);
      std::size_t step = 1;
      for (std::size_t k = sizes.size(); k-- > 0;) {
        if (sizes[k] != 1) steps_[n][rank - sizes.size() + k] = step;
        step *= static_cast<std::size_t>(sizes[k]);
      }
    }
  }

  std::size_t size() const { return size_; }

  // The shape of a result with `trailing` dimensions per item.
  std::vector<py::ssize_t> shape(std::initializer_list<py::ssize_t> trailing = {}) const {
    std::vector<py::ssize_t> all = shape_;
    all.insert(all.end(), trailing);
    return all;
  }

  // Calls use(k, at) for item k of the result, where at[n] is the item of array n.
  template <class Use>
  void each(const Use& use) const {
    std::array<std::size_t, N> at{};
    std::vector<py::ssize_t> count(shape_.size(), 0);
    for (std::size_t k = 0; k < size_; ++k) {
      use(k, at);
      for (std::size_t axis = shape_.size(); axis-- > 0;) {
        for (std::size_t n = 0; n < N; ++n) at[n] += steps_[n][axis];
        if (++count[axis] < shape_[axis]) break;
        for (std::size_t n = 0; n < N; ++n) {
          at[n] -= steps_[n][axis] * static_cast<std::size_t>(shape_[axis]);
        }
        count[axis] = 0;
      }
    }
  }

 private:
  static std::string text(const std::vector<py::ssize_t>& sizes) {
    return detail::tuple_text(sizes, [](py::ssize_t s) { return std::to_string(s); });
  }

  std::vector<py::ssize_t> shape_;
  std::array<std::vector<std::size_t>, N> steps_;
  std::size_t size_ = 1;
};

}  // namespace esi
