#!/usr/bin/env python3
# SPDX-FileCopyrightText: The onetrip authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cases of the benches in JAX, operation by operation and jitted, on a GPU if there is one. Times are wall-clock times
of a batch up to its results' block_until_ready: JAX has no events. Jitted functions write into a donated array, so that no
run allocates its result; operation by operation JAX allocates every one."""

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


def heat(u, steps):
    def step(_, u):
        inner = u[1:-1] + cases.R * (u[:-2] - 2 * u[1:-1] + u[2:])
        return jnp.concatenate([u[:1], inner, u[-1:]])  # on CPUs 2 to 3 times faster than u.at[1:-1].set(inner)

    return jax.lax.fori_loop(0, steps, step, u)


def jitted(function, inputs):
    """Runs that write into the array of the run before."""
    compiled = jax.jit(lambda out, *inputs: function(*inputs), donate_argnums=0, keep_unused=True)
    out = jnp.full_like(inputs[0], jnp.nan)

    def run():
        nonlocal out
        out = compiled(out, *inputs)
        return out

    return run


def fusion(peer, type_name, size):
    dtype = cases.TYPES[type_name]
    work = [
        # each operation by itself reads and writes an array: 3 of them, and a product and a sum in each step of the chain
        ("scaled_sum", scaled_sum, 3, cases.scaled_sum_answer, cases.SCALED_SUM_BOUND, (5, 3)),
        ("chain", chain, 1, cases.chain_answer, cases.CHAIN_BOUND, (2 * cases.OPS, 2 * cases.OPS)),
    ]
    for case, function, arrays, answer, bound, traffic in work:
        name = f"fusion/{case}/{{}}/{type_name}/{size}".format
        variants = [variant for variant in ("jax_eager", "jax_jit") if peer.wants(name(variant))]
        if not variants:
            continue
        inputs = [jnp.asarray(cases.fusion_array(which, size, dtype)) for which in range(arrays)]
        answer = functools.partial(answer, dtype=dtype)
        if "jax_eager" in variants:
            peer.add(name("jax_eager"), lambda: function(*inputs), answer, bound, traffic)
        if "jax_jit" in variants:
            peer.add(name("jax_jit"), jitted(function, inputs), answer, bound, (arrays, 1))


def heat1d(peer, type_name, cells):
    name = f"heat1d/step/jax_jit/{type_name}/{cells}"
    if not peer.wants(name):
        return
    dtype, steps = cases.TYPES[type_name], cases.heat_steps(cells, peer.on_gpu)
    state = functools.partial(cases.heat_state, cells=cells, steps=steps, dtype=dtype)
    compiled = jax.jit(functools.partial(heat, steps=steps), donate_argnums=0)
    u = jnp.array(cases.filled(cells, dtype, functools.partial(state, steps_done=0)))  # a copy: it is donated

    def run():
        nonlocal u
        u = compiled(u)
        return u

    answer = functools.partial(state, steps_done=steps)
    peer.add(name, run, answer, cases.heat_bound(steps), (steps, steps), steps=steps)


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
    for type_name in cases.TYPES:
        for size in peer.sizes:
            fusion(peer, type_name, size)
    for type_name in cases.TYPES:
        for size in peer.sizes:
            heat1d(peer, type_name, size)
    return peer.finish()


if __name__ == "__main__":
    sys.exit(main())
