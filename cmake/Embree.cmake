# Provides the target esi_embree, and
#   ESI_EMBREE_LIBRARIES  the shared libraries to ship beside the extension module (may be empty)
#   ESI_EMBREE_RPATH      where the extension module looks for them
#
# auto tries embreex first and never a system Embree before it: a result must not depend on what a
# machine happens to have installed.

set(ESI_EMBREE_LIBRARIES "")
set(ESI_EMBREE_RPATH "")

function(esi_find_embreex found)
  execute_process(
    COMMAND ${Python_EXECUTABLE} -c
      "import importlib.util as u; print(u.find_spec('embreex').submodule_search_locations[0])"
    OUTPUT_VARIABLE package OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE status)
  set(${found} FALSE PARENT_SCOPE)
  if(NOT status EQUAL 0)
    return()
  endif()
  file(GLOB embree "${package}/../embreex.libs/libembree4*.so*")
  file(GLOB tbb "${package}/../embreex.libs/libtbb*.so*")
  list(LENGTH embree embree_count)
  list(LENGTH tbb tbb_count)
  if(NOT embree_count EQUAL 1 OR NOT tbb_count EQUAL 1)
    message(STATUS "embreex at ${package} does not hold one libembree4 and one libtbb")
    return()
  endif()
  file(REAL_PATH "${embree}" embree)
  file(REAL_PATH "${tbb}" tbb)
  set(${found} TRUE PARENT_SCOPE)
  set(ESI_EMBREE_LIBRARIES "${embree};${tbb}" PARENT_SCOPE)
  set(ESI_EMBREE_RPATH "$ORIGIN/_embree" PARENT_SCOPE)
endfunction()

if(NOT ESI_EMBREE MATCHES "^(auto|embreex|system)$")
  message(FATAL_ERROR "ESI_EMBREE: expected auto, embreex or system, got '${ESI_EMBREE}'")
endif()

add_library(esi_embree INTERFACE)
set(embreex_found FALSE)
if(ESI_EMBREE MATCHES "^(auto|embreex)$")
  esi_find_embreex(embreex_found)
endif()

if(embreex_found)
  # The wheel carries no headers: core/embree_api.hpp declares what we call.
  list(GET ESI_EMBREE_LIBRARIES 0 embree_library)
  target_link_libraries(esi_embree INTERFACE ${embree_library})
  message(STATUS "Embree: ${embree_library}")
elseif(ESI_EMBREE MATCHES "^(auto|system)$")
  find_package(embree 4 CONFIG QUIET)
  if(embree_FOUND)
    target_link_libraries(esi_embree INTERFACE embree)
    target_compile_definitions(esi_embree INTERFACE ESI_SYSTEM_EMBREE)
    message(STATUS "Embree: system ${embree_VERSION}")
  endif()
endif()

if(NOT embreex_found AND NOT embree_FOUND)
  message(FATAL_ERROR
    "Embree 4 not found (ESI_EMBREE=${ESI_EMBREE}).\n"
    "Either install the Python package that carries it into the build environment\n"
    "  ${Python_EXECUTABLE} -m pip install 'embreex>=4.4,<4.5'\n"
    "or, where that has no wheel, a system Embree 4 with its headers\n"
    "  (Debian, Ubuntu: libembree-dev; Fedora: embree-devel; conda-forge: embree)\n"
    "and point CMAKE_PREFIX_PATH at it.")
endif()
