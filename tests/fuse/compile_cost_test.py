# SPDX-FileCopyrightText: The onetrip authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""compile_cost_test.py BUILD_DIR TARGET OBJECT: builds TARGET, which is OBJECT alone, and fails where that takes too
much time or memory. The limits leave room for a slow and busy machine; an idle one needs less than 10 s."""

import os
import resource
import subprocess
import sys

SECONDS = 60  # of processor time
GIBIBYTES = 4

build, target, compiled = sys.argv[1:]
if os.path.exists(compiled):
    os.remove(compiled)
subprocess.run(["cmake", "--build", build, "--target", target], check=True)
if not os.path.exists(compiled):
    sys.exit(f"{compiled} was not made")
used = resource.getrusage(resource.RUSAGE_CHILDREN)
seconds = used.ru_utime + used.ru_stime
gibibytes = used.ru_maxrss / 2**20
print(f"{seconds:.1f} s of processor time, {gibibytes:.2f} GiB at most")
if seconds > SECONDS or gibibytes > GIBIBYTES:
    sys.exit(f"more than {SECONDS} s or {GIBIBYTES} GiB")
