"""Streamlit Community Cloud on this machine: an outer page with the app in a frame below `/~/+/`, a prefix that is cut.

The outer page shows in its address what the frame tells it, as the host's own page does; the frame has the host's
sandbox. The host's name is let in by Streamlit itself; here the proxy says so in its place.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from tools.proxying import MAIN, running, user
from tools.serving import free_port

SANDBOX = (
    "allow-same-origin allow-scripts allow-downloads allow-forms allow-modals allow-popups "
    "allow-popups-to-escape-sandbox"
)
OUTER = f"""<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Community</title>
<style>body, iframe {{ margin: 0; border: 0; width: 100%; height: 100vh; display: block }}</style>
<iframe title="app" sandbox="{SANDBOX}" allow="clipboard-read; clipboard-write; fullscreen"></iframe>
<script>
document.querySelector("iframe").src = "/~/+" + location.pathname + location.search
addEventListener("message", ({{ data }}) => {{
  const {{ type, queryParams, currentPageName }} = data
  if (type === "SET_QUERY_PARAM") history.replaceState(null, "", location.pathname + queryParams)
  if (type === "SET_CURRENT_PAGE_NAME") history.replaceState(null, "", "/" + currentPageName + location.search)
}})
</script>
</html>
"""
SERVER = """
map $http_upgrade $connection_kind {{ default upgrade; "" ""; }}
server {{
    listen 127.0.0.1:{port};
    client_max_body_size 70m;
    location = /~/+/_stcore/host-config {{
        default_type application/json;
        return 200 '{configuration}';
    }}
    location /~/+/ {{
        proxy_pass http://{app}/;
        proxy_http_version 1.1;
        proxy_set_header Upgrade $http_upgrade;
        proxy_set_header Connection $connection_kind;
        proxy_set_header Host $host:{port};
    }}
    location / {{
        root {folder};
        default_type text/html;
        try_files /outer.html =404;
    }}
}}
"""


@contextmanager
def community(app: str) -> Iterator[str]:
    """The address at which the host shows the app that answers at `app`."""
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    configuration = json.dumps(
        {"allowedOrigins": [address], "useExternalAuthToken": False, "enableCustomParentMessages": False}
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "outer.html").write_text(OUTER, "utf-8")
        (folder / "server.conf").write_text(
            SERVER.format(port=port, app=urlsplit(app).netloc, folder=folder, configuration=configuration), "utf-8"
        )
        main = MAIN.format(folder=folder, user=user(), files=f"include {folder}/server.conf;")
        (folder / "nginx.conf").write_text(main, "utf-8")
        with running(folder / "nginx.conf"):
            yield address
