#!/usr/bin/env python3
# SPDX-FileCopyrightText: The onetrip authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cases of the benches in PyTorch, eager and by torch.compile, on a GPU if there is one. Times are those of a batch: by
device events on GPUs, else wall-clock time. All results are written into arrays made beforehand: eager by out=, compiled by
a copy_ that the compiler fuses."""

import functools
import sys
import time

try:
    import numpy  # noqa: F401 cases needs it
    import torch
except ImportError as error:
    print(f"{error.name}: not installed (pip install {error.name})", file=sys.stderr)
    sys.exit(77)

import cases

ON_GPU = torch.cuda.is_available()
DEVICE = torch.device("cuda" if ON_GPU else "cpu")


def timed(run, count):
    if not ON_GPU:
        start = time.perf_counter()
        for _ in range(count):
            run()
        return time.perf_counter() - start
    torch.cuda.synchronize()
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    begin.record()
    for _ in range(count):
        run()
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) * 1e-3


# Each operation is a kernel; an operation of the chain and those of a step of heat1d are the ones with a factor.


def scaled_sum_eager(out, a, b, c):
    torch.add(a, b, out=out)
    out.mul_(c)
    out.div_(cases.DIVISOR)


def scaled_sum(out, a, b, c):
    out.copy_((a + b) * c / cases.DIVISOR)


def chain_eager(out, a):
    offset = torch.tensor(cases.OFFSET, dtype=a.dtype)
    for op in range(cases.OPS):
        torch.add(offset, out if op else a, alpha=cases.FACTOR, out=out)


def chain(out, x):
    for _ in range(cases.OPS):
        x = x * cases.FACTOR + cases.OFFSET
    out.copy_(x)


def step_eager(u, v, sum):
    inner = u[1:-1]
    torch.add(u[:-2], u[2:], out=sum)
    sum.sub_(inner, alpha=2)
    torch.add(inner, sum, alpha=cases.R, out=v[1:-1])


def step(u, v):
    inner = u[1:-1]
    v[1:-1] = inner + cases.R * (u[:-2] - 2 * inner + u[2:])


def to_device(array):
    return torch.from_numpy(array).to(DEVICE)


def fusion(peer, type_name, size):
    dtype = cases.TYPES[type_name]
    work = [
        ("scaled_sum", scaled_sum_eager, scaled_sum, 3, cases.scaled_sum_answer, cases.SCALED_SUM_BOUND, (5, 3)),
        ("chain", chain_eager, chain, 1, cases.chain_answer, cases.CHAIN_BOUND, (cases.OPS, cases.OPS)),
    ]
    for case, eager, fused, arrays, answer, bound, traffic in work:
        torch.compiler.reset()  # else it takes later sizes for dynamic shapes, and gives up after eight
        variants = [("torch_eager", eager, traffic), ("torch_compile", torch.compile(fused, dynamic=False), (arrays, 1))]
        variants = [(f"fusion/{case}/{variant}/{type_name}/{size}", *rest) for variant, *rest in variants]
        variants = [variant for variant in variants if peer.wants(variant[0])]
        if not variants:
            continue
        inputs = [to_device(cases.fusion_array(which, size, dtype)) for which in range(arrays)]
        for name, function, moved in variants:
            out = torch.full_like(inputs[0], torch.nan)

            def run():
                function(out, *inputs)
                return out

            peer.add(name, run, functools.partial(answer, dtype=dtype), bound, moved)


def heat1d(peer, type_name, cells):
    dtype, steps = cases.TYPES[type_name], cases.heat_steps(cells, peer.on_gpu)
    state = functools.partial(cases.heat_state, cells=cells, steps=steps, dtype=dtype)
    torch.compiler.reset()
    # eager: u; sum, u; sum, u and a write each
    for variant, traffic in (("torch_eager", (5 * steps, 3 * steps)), ("torch_compile", (steps, steps))):
        name = f"heat1d/step/{variant}/{type_name}/{cells}"
        if not peer.wants(name):
            continue
        u = to_device(cases.filled(cells, dtype, functools.partial(state, steps_done=0)))
        v = u.clone()  # the ends stay as they are
        if variant == "torch_eager":
            advance = functools.partial(step_eager, sum=torch.empty_like(u[1:-1]))
        else:
            advance = torch.compile(step, dynamic=False)

        def run():
            nonlocal u, v
            for _ in range(steps):
                advance(u, v)
                u, v = v, u
            return u

        answer = functools.partial(state, steps_done=steps)
        peer.add(name, run, answer, cases.heat_bound(steps), traffic, steps=steps)


@torch.inference_mode()
def main():
    options = cases.options_of(__doc__)
    context = {
        "framework": "PyTorch",
        "framework_version": torch.__version__,
        "device": cases.device_name(torch.cuda.get_device_name() if ON_GPU else None),
    }
    if not ON_GPU:
        context["threads"] = torch.get_num_threads()
    peer = cases.Peer(options, context, ON_GPU, timed, lambda result: result.cpu().numpy())
    for type_name in cases.TYPES:
        for size in peer.sizes:
            fusion(peer, type_name, size)
    for type_name in cases.TYPES:
        for size in peer.sizes:
            heat1d(peer, type_name, size)
    return peer.finish()


if __name__ == "__main__":
    sys.exit(main())
