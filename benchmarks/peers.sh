#!/bin/sh
# Install the other solvers that bench_dice.py measures beside this one, each set in an environment
# of its own under build/peers (already ignored by git): they pin versions that do not go together.
#
#   PYTHON=/path/to/python3.12 benchmarks/peers.sh
#
# noregret needs Python 3.12 or later and brings GPU libraries: 3 GB and some minutes.
# Without these environments the benchmark leaves those peers out.
set -eu
python=${PYTHON:-python3.12}
cd "$(dirname "$0")/.."

# noregret's MKL kernel wants a libmkl_rt, which the mkl package brings.
"$python" -m venv build/peers/cfr
build/peers/cfr/bin/pip install --quiet noregret LiteEFG mkl

"$python" -m venv build/peers/nashbench
build/peers/nashbench/bin/pip install --quiet nashbench
