"""Fetch the bundle of Plotly for flat figures: a third of the whole script, which is served in its absence.

`python -m tools.bundle` takes it from the npm registry (or the one that `npm_config_registry` names), or from a file
that is there already; `--check` says whether it is there. Nothing is kept whose hash is not the one below.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import os
import sys
import tarfile
import urllib.request
from pathlib import Path

from explorer.host.plotlyscript import BUNDLE, BUNDLES

NAME, VERSION = "plotly.js-cartesian-dist-min", "4.1.1"
SHA256 = "79542150855a52c567260e3137095dbe2b744e6d702a5cabe67da246942fba7a"  # of the script itself
INSIDE = "package/plotly-cartesian.min.js"  # of the archive; MIT, as its first lines say
REGISTRY = "https://registry.npmjs.org"


def bundle_of(archive: bytes) -> bytes:
    """The script inside an archive of the registry, if it is the right one."""
    with tarfile.open(fileobj=io.BytesIO(archive)) as opened:
        member = opened.extractfile(INSIDE)
        script = member.read() if member else b""
    if (found := hashlib.sha256(script).hexdigest()) != SHA256:
        raise ValueError(f"the bundle must have the hash {SHA256}; got {found}")
    return script


def fetched(source: str | None) -> bytes:
    """The archive: from a file, or from the registry."""
    if source is not None:
        return Path(source).read_bytes()
    registry = {name.lower(): text for name, text in os.environ.items()}.get("npm_config_registry", REGISTRY).rstrip(
        "/"
    )
    with urllib.request.urlopen(f"{registry}/{NAME}/-/{NAME}-{VERSION}.tgz", timeout=60) as answer:
        archive: bytes = answer.read()
    return archive


def main() -> int:
    """Fetch, check and keep the bundle; the exit status."""
    asked = argparse.ArgumentParser(prog="python -m tools.bundle", description=(__doc__ or "").splitlines()[0])
    asked.add_argument("archive", nargs="?", help=f"a file {NAME}-{VERSION}.tgz that is there already")
    asked.add_argument("--check", action="store_true", help="say whether the bundle is there, and fetch nothing")
    options = asked.parse_args()
    place = BUNDLES / BUNDLE
    if options.check:
        right = place.is_file() and hashlib.sha256(place.read_bytes()).hexdigest() == SHA256
        print(f"{place.name} {'is there' if right else 'is not there: run python -m tools.bundle'}")
        return 0 if right else 1
    try:
        script = bundle_of(fetched(options.archive))
    except (OSError, ValueError, KeyError, tarfile.TarError) as problem:
        print(f"No bundle was kept, the whole script is served: {problem}", file=sys.stderr)
        return 1
    place.write_bytes(script)
    print(f"{place.name} is there: {len(script) / 1e6:.1f} MB, in place of the whole script")
    return 0


if __name__ == "__main__":
    sys.exit(main())
