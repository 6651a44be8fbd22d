// Failures of a call, as exceptions. The bindings turn std::invalid_argument into ValueError,
// std::bad_alloc into MemoryError and std::runtime_error into RuntimeError by themselves.
#pragma once

#include <cstdio>
#include <stdexcept>
#include <string>

namespace esi {

// A wrong call: names the parameter, what was expected and what came.
[[noreturn]] inline void bad_argument(const std::string& name, const std::string& expected,
                                      const std::string& got) {
  throw std::invalid_argument(name + ": expected " + expected + ", got " + got);
}

// A number as in Python, not 300 digits for a huge one.
inline std::string short_number(double value) {
  char text[32];
  static_cast<void>(std::snprintf(text, sizeof(text), "%.6g", value));
  return text;
}

// Embree reported a failure, or the library found at run time is not the one compiled against.
class EmbreeError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace esi
