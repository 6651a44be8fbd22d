// A minimal test harness: ESI_TEST defines and registers a test, CHECK records a failure and goes
// on. One ctest entry runs the tests of one file: core_tests <stem of test_<stem>.cpp>.
#pragma once

#include <cmath>
#include <sstream>
#include <string>

namespace esi::test {

using Function = void (*)();

bool add(const char* file, const char* name, Function function);
void fail(const char* file, int line, const std::string& what);

template <class A, class B>
void check_equal(const char* file, int line, const char* text, const A& a, const B& b) {
  if (a == b) return;
  std::ostringstream what;
  what.precision(17);
  what << text << ": " << a << " != " << b;
  fail(file, line, what.str());
}

inline void check_near(const char* file, int line, const char* text, double a, double b,
                       double tolerance) {
  if (std::abs(a - b) <= tolerance) return;  // false for NaN too
  std::ostringstream what;
  what.precision(17);
  what << text << ": " << a << " and " << b << " differ by more than " << tolerance;
  fail(file, line, what.str());
}

}  // namespace esi::test

#define ESI_TEST(name)                                                     \
  static void name();                                                      \
  static const bool name##_added = esi::test::add(__FILE__, #name, &name); \
  static void name()

#define CHECK(condition)                                               \
  do {                                                                 \
    if (!(condition)) esi::test::fail(__FILE__, __LINE__, #condition); \
  } while (false)

#define CHECK_EQUAL(a, b) esi::test::check_equal(__FILE__, __LINE__, #a " == " #b, (a), (b))

#define CHECK_NEAR(a, b, tolerance) \
  esi::test::check_near(__FILE__, __LINE__, #a " ~ " #b, (a), (b), (tolerance))

#define CHECK_THROWS(expression, Exception)                                                      \
  do {                                                                                           \
    bool thrown = false;                                                                         \
    try {                                                                                        \
      static_cast<void>(expression);                                                             \
    } catch (const Exception&) {                                                                 \
      thrown = true;                                                                             \
    }                                                                                            \
    if (!thrown) esi::test::fail(__FILE__, __LINE__, #expression " does not throw " #Exception); \
  } while (false)
