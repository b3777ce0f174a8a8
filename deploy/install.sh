#!/bin/sh
# Install tacenda into a virtual environment without pip, everything by the digests of the lock files:
#     sh deploy/install.sh /opt/tacenda
# In the root of a clone; the Dockerfile does nothing else. PYTHON names another interpreter.
set -eu
target=$1
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"${PYTHON:-python3}" -m venv "$work/tools"
tool="$work/tools/bin/python"
"$tool" -m pip install --quiet --no-cache-dir --require-hashes --only-binary :all: -r deploy/build.lock
"$tool" -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir "$work" .

"${PYTHON:-python3}" -m venv --without-pip "$target"
"$tool" -m pip --python "$target/bin/python" install --quiet --no-cache-dir --require-hashes \
  --only-binary :all: -r requirements.lock
"$tool" -m pip --python "$target/bin/python" install --quiet --no-deps --no-index "$work"/tacenda-*.whl
"$target/bin/tacenda" models verify
