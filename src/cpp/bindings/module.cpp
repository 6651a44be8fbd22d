// The extension module: one submodule per family, each filled by its register_<family>.cpp.
#include <pybind11/pybind11.h>

#include "core/embree.hpp"

// families.inc is written by CMake from the names of the files: ESI_FAMILY(raycast) and so on.
#define ESI_FAMILY(name) void register_##name(pybind11::module_& m);
#include "families.inc"
#undef ESI_FAMILY

PYBIND11_MODULE(_core, m) {
  m.doc() = "Compiled kernels of esi_fast.geometry.";
  esi::require_embree();

#define ESI_FAMILY(name)                            \
  {                                                 \
    pybind11::module_ sub = m.def_submodule(#name); \
    register_##name(sub);                           \
  }
#include "families.inc"
#undef ESI_FAMILY
}
