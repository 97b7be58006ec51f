// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// A file of wrong uses is compiled with REJECT_EARLY and REJECT_LATE: each line marked `rejected:` must not compile,
// and must say why. With neither, it is the control, in which each marked line's right twin, the line above it,
// compiles. nvcc's front end looks into bodies of functions of a stated return type only where nothing was wrong
// before: what it sees later is in LATER, and with CUDA a compilation of its own.

#ifdef REJECT_EARLY
#define WRONG(...) __VA_ARGS__
#else
#define WRONG(...)
#endif

#ifdef REJECT_LATE
#define LATER(...) __VA_ARGS__
#else
#define LATER(...)
#endif
