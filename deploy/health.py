"""Health of the server in this container: ``python health.py PORT`` ends with 0 if ``/health`` answers."""

from __future__ import annotations

import http.client
import sys

# Not urllib: it would ask the proxy that the environment names.
connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]), timeout=4)
connection.request("GET", "/health")
sys.exit(connection.getresponse().status != 200)
