// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Small Kokkos programs that each have one thing to find, and their mended twins, which have none:
//
//   ledger_programs list          the names, each with the finding that it has in this build, or none
//   ledger_programs NAME          runs it
//
// On builds with one memory space, Views whose labels begin with "device_" play the device's (device=device_*).

#include <Kokkos_Core.hpp>

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace {

using device_space = Kokkos::DefaultExecutionSpace::memory_space;
using device_view = Kokkos::View<double*, device_space>;
using host_view = Kokkos::View<double*, Kokkos::HostSpace>;

constexpr bool is_one_memory = Kokkos::SpaceAccessibility<Kokkos::HostSpace, device_space>::accessible;
constexpr std::size_t n = 500; // small enough that its contents are compared each time
constexpr int steps = 10;

device_view on_device(std::string const& label, std::size_t size = n) {
  return device_view(Kokkos::view_alloc(Kokkos::WithoutInitializing, "device_" + label), size);
}

template <class Space = Kokkos::HostSpace>
auto on_host(std::string const& label, std::size_t size = n) {
  return Kokkos::View<double*, Space>(Kokkos::view_alloc(Kokkos::WithoutInitializing, label), size);
}

/// What a host would compute, other in each round.
template <class View>
void compute(View const& host, int round = 0) {
  for (std::size_t i = 0; i < host.extent(0); ++i)
    host(i) = 1.0 + 0.001 * static_cast<double>(i) + round;
}

struct step_functor {
  device_view to, from;
  KOKKOS_FUNCTION void operator()(int i) const { to(i) = 0.5 * (to(i) + from(i)) + 1; }
};

/// Changes `to` by `from`.
void step(device_view const& to, device_view const& from) {
  Kokkos::parallel_for("step", Kokkos::RangePolicy<>(0, static_cast<int>(to.extent(0))), step_functor{to, from});
}

struct sum_functor {
  device_view u;
  KOKKOS_FUNCTION void operator()(int i, double& sum) const { sum += u(i) * u(i); }
};

void round_trip(bool is_mended) { // DM01
  auto const u = on_device("u");
  auto const host = on_host("u");
  compute(host);
  Kokkos::deep_copy(u, host);
  step(u, u);
  Kokkos::deep_copy(host, u);
  if (!is_mended)
    Kokkos::deep_copy(u, host);
  step(u, u);
  Kokkos::deep_copy(host, u);
}

void ping_pong(bool is_mended) { // DM02
  auto const u = on_device("u");
  auto const host = on_host("u");
  compute(host);
  if (is_mended)
    Kokkos::deep_copy(u, host);
  for (int s = 0; s < steps; ++s) {
    if (!is_mended)
      Kokkos::deep_copy(u, host);
    step(u, u);
    if (!is_mended)
      Kokkos::deep_copy(host, u);
  }
  if (is_mended)
    Kokkos::deep_copy(host, u);
}

void table_each_step(bool is_mended) { // DM03
  auto const u = on_device("u"), table = on_device("table");
  auto const host = on_host("u"), host_table = on_host("table");
  compute(host);
  compute(host_table, 1);
  Kokkos::deep_copy(u, host);
  for (int s = 0; s < steps; ++s) {
    if (s == 0 || !is_mended)
      Kokkos::deep_copy(table, host_table);
    step(u, table);
  }
  Kokkos::deep_copy(host, u);
}

void dead_upload(bool is_mended) { // DM04
  auto const u = on_device("u");
  auto const guess = on_host("guess"), restart = on_host("restart");
  compute(guess);
  compute(restart, 1);
  if (!is_mended)
    Kokkos::deep_copy(u, guess);
  Kokkos::deep_copy(u, restart);
  step(u, u);
  Kokkos::deep_copy(guess, u);
}

void download_of_what_did_not_change(bool is_mended) { // DM05
  auto const u = on_device("u"), v = on_device("v");
  auto const host = on_host("u"), result = on_host("result");
  compute(host);
  Kokkos::deep_copy(u, host);
  Kokkos::deep_copy(v, host);
  for (int s = 0; s < steps; ++s) {
    step(v, u);
    if (!is_mended)
      Kokkos::deep_copy(host, u);
  }
  Kokkos::deep_copy(result, v);
}

template <class HostSpace>
void stream_from() {
  constexpr std::size_t large = 100'000;
  auto const u = on_device("u", large), v = on_device("v", large);
  auto const host = on_host<HostSpace>("input", large);
  Kokkos::deep_copy(v, 0.0);
  for (int s = 0; s < steps; ++s) {
    compute(host, s);
    Kokkos::deep_copy(u, host);
    step(v, u);
  }
}

void pageable(bool is_mended) { // DM07
#ifdef KOKKOS_HAS_SHARED_HOST_PINNED_SPACE
  if (is_mended)
    return stream_from<Kokkos::SharedHostPinnedSpace>();
#endif
  if (!is_mended)
    stream_from<Kokkos::HostSpace>();
}

void many_small(bool is_mended) { // DM08
  std::size_t const parts = is_mended ? 1 : 20;
  std::vector<device_view> on_devices;
  std::vector<host_view> on_hosts;
  for (std::size_t p = 0; p < parts; ++p) {
    on_devices.push_back(on_device("part", n / parts));
    on_hosts.push_back(on_host("part", n / parts));
    compute(on_hosts.back(), static_cast<int>(p));
  }
  for (std::size_t p = 0; p < parts; ++p)
    Kokkos::deep_copy(on_devices[p], on_hosts[p]);
  for (auto const& part : on_devices)
    step(part, part);
}

void fence_each_step(bool is_mended) { // DM09
  auto const u = on_device("u");
  Kokkos::deep_copy(u, 1.0);
  for (int s = 0; s < steps; ++s) {
    step(u, u);
    if (!is_mended)
      Kokkos::fence("after a step");
  }
  Kokkos::fence("after all steps");
}

void temporary_each_step(bool is_mended) { // DM11
  auto const u = on_device("u");
  Kokkos::deep_copy(u, 1.0);
  device_view const kept = is_mended ? device_view("device_temporary", n) : device_view();
  for (int s = 0; s < steps; ++s) {
    device_view const temporary = is_mended ? kept : device_view("device_temporary", n);
    step(temporary, u);
    step(u, temporary);
  }
}

void initialised_for_nothing(bool is_mended) { // DM12
  auto const host = on_host("u");
  compute(host);
  device_view const u = is_mended ? on_device("u") : device_view("device_u", n);
  Kokkos::deep_copy(u, host);
  step(u, u);
}

void mirror_each_step(bool is_mended) { // DM15, and where the mirror is other memory, DM02
  auto const u = on_device("u");
  auto const mirror = Kokkos::create_mirror_view(Kokkos::WithoutInitializing, u);
  compute(mirror);
  for (int s = 0; s < steps; ++s) {
    if (s == 0 || !is_mended)
      Kokkos::deep_copy(u, mirror);
    step(u, u);
    if (s == steps - 1 || !is_mended)
      Kokkos::deep_copy(mirror, u);
  }
}

/// What a good program does: one upload, steps, output of a changed state every few steps and a norm with it.
void clean(bool /*is_mended*/) {
  auto const u = on_device("u"), v = on_device("v");
  auto const host = on_host("u"), output = on_host("output");
  compute(host);
  Kokkos::deep_copy(u, host);
  Kokkos::deep_copy(v, u);
  for (int s = 0; s < 40; ++s) {
    step(u, v);
    step(v, u);
    if (s % 8 == 0) {
      double norm = 0;
      Kokkos::parallel_reduce("norm", Kokkos::RangePolicy<>(0, static_cast<int>(n)), sum_functor{u}, norm);
      Kokkos::deep_copy(output, u);
    }
  }
}

struct program {
  char const* name;
  void (*run)(bool is_mended);
  char const* finding; ///< in this build
};

constexpr program programs[] = {
    {"DM01", round_trip, "DM01"},
    {"DM02", ping_pong, "DM02"},
    {"DM03", table_each_step, "DM03"},
    {"DM04", dead_upload, "DM04"},
    {"DM05", download_of_what_did_not_change, "DM05"},
    {"DM07", pageable, is_one_memory ? "none" : "DM07"},
    {"DM08", many_small, "DM08"},
    {"DM09", fence_each_step, "DM09"},
    {"DM11", temporary_each_step, "DM11"},
    {"DM12", initialised_for_nothing, "DM12"},
    {"DM15", mirror_each_step, is_one_memory ? "DM15" : "DM02"},
    {"clean", clean, "none"},
};

} // namespace

int main(int argc, char** argv) {
  std::string_view const name = argc == 2 ? argv[1] : "";
  if (name == "list") {
    for (program const& p : programs)
      std::printf("%s %s\n%s-mended none\n", p.name, p.finding, p.name);
    return 0;
  }
  for (program const& p : programs)
    for (bool const is_mended : {false, true})
      if (name == p.name + std::string(is_mended ? "-mended" : "")) {
        Kokkos::ScopeGuard const kokkos(argc, argv);
        p.run(is_mended);
        return 0;
      }
  std::fprintf(stderr, "usage: ledger_programs list|NAME\n");
  return 2;
}
