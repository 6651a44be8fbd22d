#include <atomic>
#include <exception>
#include <iostream>
#include <mutex>
#include <string>
#include <vector>

#include "tests/check.hpp"

namespace esi::test {
namespace {

struct Test {
  std::string stem;
  std::string name;
  Function function;
};

// A function-local static: tests register themselves before main, in any order of files.
std::vector<Test>& tests() {
  static std::vector<Test> all;
  return all;
}

std::atomic<int> failures{0};  // CHECK may be used in threads

std::string stem_of(const std::string& file) {
  const std::size_t slash = file.find_last_of("/\\");
  const std::string base = slash == std::string::npos ? file : file.substr(slash + 1);
  const std::size_t start = base.rfind("test_", 0) == 0 ? 5 : 0;
  return base.substr(start, base.rfind('.') - start);
}

}  // namespace

bool add(const char* file, const char* name, Function function) {
  tests().push_back({stem_of(file), name, function});
  return true;
}

void fail(const char* file, int line, const std::string& what) {
  static std::mutex mutex;
  const std::lock_guard<std::mutex> lock(mutex);
  ++failures;
  std::cerr << file << ":" << line << ": " << what << "\n";
}

}  // namespace esi::test

int main(int argc, char** argv) {
  const std::string wanted = argc > 1 ? argv[1] : "";
  int run = 0;
  for (const auto& test : esi::test::tests()) {
    if (!wanted.empty() && test.stem != wanted) continue;
    ++run;
    try {
      test.function();
    } catch (const std::exception& error) {
      esi::test::fail(test.name.c_str(), 0, std::string("unexpected exception: ") + error.what());
    }
  }
  std::cout << run << " tests, " << esi::test::failures << " failures\n";
  return run > 0 && esi::test::failures == 0 ? 0 : 1;
}
