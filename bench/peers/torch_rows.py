#!/usr/bin/env python3
# SPDX-FileCopyrightText: The onetrip authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cases of the benches in PyTorch, eager and by torch.compile, on a GPU if there is one. Times are those of a batch: by
device events on GPUs, else wall-clock time. All arrays of results are made beforehand: eager writes to them by out=, compiled
by a copy_ that the compiler fuses."""

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


def norm_eager(a, b):
    work = torch.empty_like(a)

    def run():
        torch.add(a, b, out=work)
        work.div_(2)
        work.square_()
        return (torch.sum(work, dtype=torch.float64),)

    return run


def norm(a, b):
    return torch.sum(((a + b) / 2).square(), dtype=torch.float64)


def adamw_eager(work, gradient, parameter, m, v):
    """As torch.optim.AdamW without foreach."""
    parameter.mul_(1 - cases.RATE * cases.DECAY)
    m.lerp_(gradient, 1 - cases.BETA1)
    v.mul_(cases.BETA2)
    v.addcmul_(gradient, gradient, value=1 - cases.BETA2)
    torch.sqrt(v, out=work)
    work.mul_(cases.CORRECT2**0.5)
    work.add_(cases.EPSILON)
    parameter.addcdiv_(m, work, value=-cases.RATE * cases.CORRECT1)


def adamw(gradient, parameter, m, v):
    new_m = cases.BETA1 * m + (1 - cases.BETA1) * gradient
    new_v = cases.BETA2 * v + (1 - cases.BETA2) * gradient * gradient
    direction = cases.CORRECT1 * new_m / (torch.sqrt(cases.CORRECT2 * new_v) + cases.EPSILON) + cases.DECAY * parameter
    m.copy_(new_m)
    v.copy_(new_v)
    parameter.sub_(cases.RATE * direction)


# Functions that make runs of them


def compiled(function):
    torch.compiler.reset()  # else it takes later sizes for dynamic shapes, and gives up after eight
    return torch.compile(function, dynamic=False)


def into_array(function, prepared=lambda function: function):
    """Runs that write their result into one array."""

    def make(*inputs):
        ready = prepared(function)
        out = torch.full_like(inputs[0], torch.nan)

        def run():
            ready(out, *inputs)
            return (out,)

        return run

    return make


def compiled_norm(a, b):
    ready = compiled(norm)
    return lambda: (ready(a, b),)


def in_place(function, prepared=lambda function: function):
    """Runs of AdamW that go on from the state of the run before."""

    def make(gradient, *state):
        ready = prepared(function)
        parameter, m, v = (array.clone() for array in state)

        def run():
            ready(gradient, parameter, m, v)
            return m, v, parameter

        return run

    return make


def eager_adamw(gradient, *state):
    return in_place(functools.partial(adamw_eager, torch.empty_like(gradient)))(gradient, *state)


@torch.inference_mode(False)
def fused_adamw(gradient, *state):
    """torch.optim's own kernel, which goes on counting steps."""
    parameter, m, v = (array.clone() for array in state)
    parameter.requires_grad_().grad = gradient.clone()
    setting = {"lr": cases.RATE, "betas": (cases.BETA1, cases.BETA2), "eps": cases.EPSILON, "weight_decay": cases.DECAY}
    optimizer = torch.optim.AdamW([parameter], **setting, fused=True)
    step = torch.tensor(cases.STEP - 1.0, device=DEVICE)
    optimizer.state[parameter] = {"step": step, "exp_avg": m, "exp_avg_sq": v}

    def run():
        optimizer.step()
        return m, v, parameter.detach()

    return run


def heat1d(advance_of):
    def make(u, steps):
        advance = advance_of(u)
        v = u.clone()  # the ends stay as they are

        def run():
            nonlocal u, v
            for _ in range(steps):
                advance(u, v)
                u, v = v, u
            return (u,)

        return run

    return make


FUSION = {
    "scaled_sum": [
        ("torch_eager", into_array(scaled_sum_eager), (5, 3)),
        ("torch_compile", into_array(scaled_sum, compiled), None),
    ],
    "chain": [
        ("torch_eager", into_array(chain_eager), (cases.OPS, cases.OPS)),
        ("torch_compile", into_array(chain, compiled), None),
    ],
    "norm": [("torch_eager", norm_eager, (5, 3)), ("torch_compile", compiled_norm, None)],
    "adamw": [("torch_eager", eager_adamw, (12, 8)), ("torch_compile", in_place(adamw, compiled), None)],
}
if ON_GPU:
    FUSION["adamw"].append(("torch_fused_adamw", fused_adamw, None))
HEAT1D = [
    # u; sum, u; sum, u and a write each
    ("torch_eager", heat1d(lambda u: functools.partial(step_eager, sum=torch.empty_like(u[1:-1]))), (5, 3)),
    ("torch_compile", heat1d(lambda u: compiled(step)), (1, 1)),
]


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
    to_device = lambda array: torch.from_numpy(array).to(DEVICE)
    peer.fusion(to_device, FUSION)
    peer.heat1d(to_device, HEAT1D)
    return peer.finish()


if __name__ == "__main__":
    sys.exit(main())
