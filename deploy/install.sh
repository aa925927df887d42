#!/bin/sh
# Installs the server into a new virtual environment, without the tools of its developers:
#
#     deploy/install.sh /opt/longfuse-0.1.0
#
# requirements.lock lists those tools too. So all of it is fetched first, every file checked by its
# hash; then pip takes what the server needs from these files and from nowhere else. What it needs
# beyond them would end the installation with an error.
#
# PYTHON names the interpreter (python3.11). Packages come from where pip on this machine is told.
set -eu

if [ $# -ne 1 ] || [ -e "$1" ]; then
    echo "usage: $0 FOLDER, where FOLDER does not exist yet" >&2
    exit 2
fi
folder=$1
source=$(cd "$(dirname "$0")/.." && pwd)
python=${PYTHON:-python3.11}
work=$(mktemp -d)
unfinished=$folder
umask 022  # whoever runs the server reads it, and is not who installs it
trap 'rm -rf "$work" ${unfinished:+"$unfinished"}' EXIT
export PIP_DISABLE_PIP_VERSION_CHECK=1

"$python" -m venv "$work/tools"
pip() { "$work/tools/bin/python" -m pip "$@"; }
# Without the machine's settings: they may name further places.
local_pip() { PIP_CONFIG_FILE=/dev/null pip --isolated "$@"; }

pip download --quiet --require-hashes --no-deps --only-binary :all: \
    --dest "$work/wheels" --requirement "$source/requirements.lock"
# A new environment has build tools of its own, of another version.
local_pip install --quiet --upgrade --no-index --find-links "$work/wheels" setuptools wheel
# From a copy: a build leaves folders behind where it happens.
mkdir "$work/source"
cp -R "$source/pyproject.toml" "$source/README.md" "$source/LICENSE" \
    "$source/protocol" "$source/server" "$work/source"
local_pip wheel --quiet --no-index --no-build-isolation --no-deps \
    --wheel-dir "$work/wheels" "$work/source"

"$python" -m venv --without-pip "$folder"
local_pip --python "$folder/bin/python" install --quiet --no-index \
    --find-links "$work/wheels" longfuse
"$folder/bin/longfuse" --help >/dev/null
unfinished=
echo "installed in $folder"
