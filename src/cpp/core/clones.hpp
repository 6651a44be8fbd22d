// Functions compiled once per instruction set, the best one chosen when the program starts.
//
// Helpers must inline (ESI_INLINE) into a function marked ESI_CLONES to profit from wider
// registers. Without contraction and reassociation all clones give the same bits.
#pragma once

#if defined(__GNUC__)
#define ESI_INLINE inline __attribute__((always_inline))
#else
#define ESI_INLINE inline
#endif

// Not under sanitizers: the choice is made before their run time is ready for it.
#if defined(ESI_NO_CLONES) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ESI_CLONES
#elif defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__)
#define ESI_CLONES __attribute__((target_clones("default", "arch=x86-64-v3")))
#else
#define ESI_CLONES
#endif
