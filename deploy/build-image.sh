#!/bin/sh
# Builds the image with buildah, which needs neither a daemon nor root: deploy/build-image.sh [NAME [OPTION…]]
set -eu
name=${1:-parley}
[ $# -eq 0 ] || shift
cd "$(dirname "$0")/.."
if ! command -v buildah >/dev/null; then
    echo "buildah is not installed; with podman or docker: podman build -f deploy/Containerfile -t $name ." >&2
    exit 1
fi
# The format of Docker keeps the health check.
exec buildah build --format docker --ignorefile .dockerignore --file deploy/Containerfile --tag "$name" "$@" .
