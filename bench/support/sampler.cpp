// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/sampler.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>

#ifdef KOKKOS_ENABLE_CUDA
#include "support/cuda_check.hpp"
#endif

namespace bench {

namespace {

#ifdef KOKKOS_ENABLE_CUDA
struct event {
  event() { cuda_check(cudaEventCreate(&handle)); }
  event(event const&) = delete;
  event& operator=(event const&) = delete;
  ~event() { (void)cudaEventDestroy(handle); }

  cudaEvent_t handle{};
};
#endif

} // namespace

double seconds_of(long runs, std::function<void()> const& run) {
  Kokkos::fence("bench::seconds_of::begin");
#ifdef KOKKOS_ENABLE_CUDA
  cudaStream_t const stream = Kokkos::Cuda().cuda_stream();
  event const begin, end;
  cuda_check(cudaEventRecord(begin.handle, stream));
  for (long i = 0; i < runs; ++i)
    run();
  cuda_check(cudaEventRecord(end.handle, stream));
  cuda_check(cudaEventSynchronize(end.handle));
  cuda_check(cudaGetLastError());
  float milliseconds = 0;
  cuda_check(cudaEventElapsedTime(&milliseconds, begin.handle, end.handle));
  return 1e-3 * static_cast<double>(milliseconds);
#else
  Kokkos::Timer const timer;
  for (long i = 0; i < runs; ++i)
    run();
  Kokkos::fence("bench::seconds_of::end");
  return timer.seconds();
#endif
}

double sampler::sample() {
  if (m_how == sampling::once)
    return seconds_of(1, m_run);
  if (m_runs == 0)
    m_runs = enough_runs();
  m_run();
  return seconds_of(m_runs, m_run) / static_cast<double>(m_runs);
}

/// By the fastest of three, so that an interruption doesn't make a short run count as a long one.
long sampler::enough_runs() const {
  constexpr double shortest = 1e-3;
  for (long runs = 1;; runs *= 2)
    if (std::min({seconds_of(runs, m_run), seconds_of(runs, m_run), seconds_of(runs, m_run)}) >= shortest)
      return runs;
}

} // namespace bench
