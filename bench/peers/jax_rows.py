#!/usr/bin/env python3
# SPDX-FileCopyrightText: The onetrip authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cases of the benches in JAX, operation by operation and jitted, on a GPU if there is one. Times are wall-clock times
of a batch up to its results' block_until_ready: JAX has no events. Jitted functions write into donated arrays, so that no run
allocates its result; operation by operation JAX allocates every one."""

import functools
import os
import sys
import time

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

try:
    import jax
    import jax.numpy as jnp
    import numpy as np
except ImportError as error:
    print(f"{error.name}: not installed (pip install {error.name})", file=sys.stderr)
    sys.exit(77)

import cases


def timed(run, count):
    start = time.perf_counter()
    for _ in range(count):
        result = run()
    jax.block_until_ready(result)
    return time.perf_counter() - start


def scaled_sum(a, b, c):
    return (a + b) * c / cases.DIVISOR


def chain(x):
    for _ in range(cases.OPS):
        x = x * cases.FACTOR + cases.OFFSET
    return x


def norm(a, b):
    return jnp.sum(((a + b) / 2) ** 2, dtype=jnp.float64)


def adamw(gradient, parameter, m, v):
    m = cases.BETA1 * m + (1 - cases.BETA1) * gradient
    v = cases.BETA2 * v + (1 - cases.BETA2) * gradient * gradient
    direction = cases.CORRECT1 * m / (jnp.sqrt(cases.CORRECT2 * v) + cases.EPSILON) + cases.DECAY * parameter
    return m, v, parameter - cases.RATE * direction


def heat(u, steps):
    def step(_, u):
        inner = u[1:-1] + cases.R * (u[:-2] - 2 * u[1:-1] + u[2:])
        return jnp.concatenate([u[:1], inner, u[-1:]])  # on CPUs 2 to 3 times faster than u.at[1:-1].set(inner)

    return jax.lax.fori_loop(0, steps, step, u)


def eager(function):
    return lambda *inputs: lambda: (function(*inputs),)


def jitted(function):
    """Runs that write into the array of the run before."""

    def make(*inputs):
        compiled = jax.jit(lambda out, *inputs: function(*inputs), donate_argnums=0, keep_unused=True)
        out = jnp.full_like(inputs[0], jnp.nan)

        def run():
            nonlocal out
            out = compiled(out, *inputs)
            return (out,)

        return run

    return make


def jitted_norm(a, b):
    compiled = jax.jit(norm)
    return lambda: (compiled(a, b),)


def jitted_adamw(gradient, *state):
    """Runs that go on from the state of the run before, in its arrays."""
    compiled = jax.jit(adamw, donate_argnums=(1, 2, 3))
    parameter, m, v = map(jnp.array, state)  # copies: they are donated

    def run():
        nonlocal parameter, m, v
        m, v, parameter = compiled(gradient, parameter, m, v)
        return m, v, parameter

    return run


def jitted_heat(u, steps):
    compiled = jax.jit(functools.partial(heat, steps=steps), donate_argnums=0)
    u = jnp.array(u)  # a copy: it is donated

    def run():
        nonlocal u
        u = compiled(u)
        return (u,)

    return run


# Each operation by itself reads and writes arrays: those of scaled_sum 5 and 3, a product and a sum in each operation of the
# chain, sum, mean, square and their sum in norm; in adamw 16 operations, of which 6 read two arrays.
FUSION = {
    "scaled_sum": [("jax_eager", eager(scaled_sum), (5, 3)), ("jax_jit", jitted(scaled_sum), None)],
    "chain": [("jax_eager", eager(chain), (2 * cases.OPS, 2 * cases.OPS)), ("jax_jit", jitted(chain), None)],
    "norm": [("jax_eager", eager(norm), (5, 3)), ("jax_jit", jitted_norm, None)],
    "adamw": [("jax_eager", lambda *inputs: lambda: adamw(*inputs), (22, 16)), ("jax_jit", jitted_adamw, None)],
}
HEAT1D = [("jax_jit", jitted_heat, (1, 1))]


def main():
    options = cases.options_of(__doc__)
    jax.config.update("jax_enable_x64", True)
    device = jax.devices()[0]
    on_gpu = device.platform != "cpu"
    context = {
        "framework": "JAX",
        "framework_version": jax.__version__,
        "device": cases.device_name(device.device_kind if on_gpu else None),
    }
    peer = cases.Peer(options, context, on_gpu, timed, np.asarray)
    peer.fusion(jnp.asarray, FUSION)
    peer.heat1d(jnp.asarray, HEAT1D)
    return peer.finish()


if __name__ == "__main__":
    sys.exit(main())
