#include <pybind11/pybind11.h>

#include "core/embree.hpp"
#include "core/parallel.hpp"

namespace py = pybind11;

void register_version(py::module_& m) {
  m.doc() = "What the compiled core is built on.";
  m.def("embree", &esi::embree_version, "Version of the Embree library in use, 40400 for 4.4.0.");
  m.def("threads", &esi::thread_count, py::arg("requested") = 0,
        "Number of threads that ``threads=requested`` stands for; 0 means all processors this "
        "process may run on. Raises ``ValueError`` for a negative number.");
}
