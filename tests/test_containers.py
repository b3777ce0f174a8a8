"""The image, what starts it, and the manifests, as far as files tell: nothing here needs Docker or a cluster."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import typer
import yaml

from tacenda.cli import app

ROOT = Path(__file__).parents[1]
MANIFESTS = sorted((ROOT / "deploy" / "kubernetes").glob("*.yaml"))
SERVERS = {"presidio": 5002, "review": 8765, "proxy": 8780}
_STEPS = re.compile(r"^([A-Z]+) +((?:.*\\\n)*.*)$", re.M)


def _steps() -> list[tuple[str, str]]:
    text = (ROOT / "Dockerfile").read_text("utf-8")
    lines = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    return [(name, re.sub(r"\\\n *", " ", rest)) for name, rest in _STEPS.findall(lines)]


def _stage(number: int) -> list[tuple[str, str]]:
    """The steps after the FROM with this number."""
    places = [index for index, (name, _) in enumerate(_steps()) if name == "FROM"] + [None]
    start, end = places[number - 1], places[number]
    assert start is not None
    return _steps()[start:end]


def _of(steps: list[tuple[str, str]], name: str) -> list[str]:
    return [rest for step, rest in steps if step == name]


def _copied() -> list[str]:
    return [
        source
        for rest in _of(_steps(), "COPY")
        if not rest.startswith("--from")
        for source in rest.split()[:-1]
    ]


def _list(text: str) -> list[str]:
    words = yaml.safe_load(text)
    assert isinstance(words, list)
    return words


def _resources() -> list[dict[str, Any]]:
    return [part for path in MANIFESTS for part in yaml.safe_load_all(path.read_text("utf-8"))]


def _pods() -> dict[str, dict[str, Any]]:
    return {
        part["metadata"]["name"].removeprefix("tacenda-"): part["spec"]["template"]
        for part in _resources()
        if part["kind"] == "Deployment"
    }


def _services() -> dict[str, dict[str, Any]]:
    services = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))["services"]
    assert isinstance(services, dict)
    return services


def _commands() -> Iterator[tuple[str, list[str]]]:
    yield "Dockerfile", _list(_of(_stage(2), "CMD")[0])
    for name, service in _services().items():
        yield f"compose {name}", service["command"]
    for name, pod in _pods().items():
        yield f"kubernetes {name}", pod["spec"]["containers"][0]["args"]
    page = (ROOT / "docs" / "containers.md").read_text("utf-8").replace("\\\n", " ")
    for line in re.findall(r"^docker run .*? tacenda (.+)$", page, re.M):
        yield "containers.md", shlex.split(line)


def _option(command: list[str], name: str) -> str:
    return command[command.index(name) + 1]


@pytest.mark.parametrize(
    ("place", "command"), [pytest.param(*each, id=each[0]) for each in _commands()]
)
def test_each_command_and_option_is_one_of_the_command_line(place: str, command: list[str]) -> None:
    """They are read as the program reads them; a wrong value is an error, too."""
    group: Any = typer.main.get_command(app)
    context = typer.Context(group, info_name="tacenda")
    words = list(command)
    while hasattr(group, "list_commands"):
        word = words.pop(0)
        group = group.get_command(context, word)
        assert group is not None, (place, word)
        context = typer.Context(group, parent=context, info_name=word)
    assert all(isinstance(word, str) for word in words)
    group.make_context("tacenda", words)


def test_the_image_is_of_two_stages_by_one_base() -> None:
    """The base can be given by its digest; the default is a tag that is not latest."""
    base, digest = _of(_steps(), "ARG")[0].split("=", 1)
    assert base == "PYTHON_IMAGE"
    assert re.fullmatch(r"python:3\.\d+-slim-\w+", digest)
    assert _of(_steps(), "FROM") == ["${PYTHON_IMAGE} AS build", "${PYTHON_IMAGE} AS run"]
    assert _of(_stage(2), "COPY")[0] == "--from=build /opt/tacenda /opt/tacenda"


def test_the_image_runs_as_a_user_without_a_name_in_the_command() -> None:
    """By number, so that Kubernetes can tell that it is not root, and before anything is started."""
    names = [name for name, _ in _stage(2)]
    assert _of(_stage(2), "USER") == ["10001:10001"]
    assert "RUN" not in names[names.index("USER") :]
    assert "useradd --uid 10001 " in _of(_stage(2), "RUN")[0]


def test_the_build_fetches_by_the_script_alone() -> None:
    """Nothing is added from an address, and no step installs beside the script."""
    assert not _of(_steps(), "ADD")
    assert _of(_stage(1), "RUN") == ["sh deploy/install.sh /opt/tacenda"]
    assert not re.search(r"https?:|pip|apt|curl|wget", " ".join(_of(_stage(2), "RUN")))


def test_each_copied_file_is_there_tracked_and_let_through() -> None:
    """`.dockerignore` leaves everything else out, documents and keys above all."""
    lines = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    rules = [line for line in lines if line and not line.startswith("#")]
    allowed = {rule[1:] for rule in rules if rule.startswith("!")}
    assert rules[0] == "*"
    assert set(_copied()) == allowed
    assert all((ROOT / source).exists() for source in _copied())
    if (ROOT / ".git").exists() and shutil.which("git"):
        for source in _copied():
            run = subprocess.run(["git", "ls-files", source], cwd=ROOT, capture_output=True)
            assert run.stdout, source


def test_the_script_installs_by_digest() -> None:
    """Each installation checks digests, or has no index to fetch from; the shell can read it."""
    script = ROOT / "deploy" / "install.sh"
    subprocess.run(["sh", "-n", str(script)], check=True)
    lines = re.sub(r"\\\n *", "", script.read_text("utf-8")).splitlines()
    installs = [line for line in lines if re.search(r"pip .*\binstall\b|pip wheel", line)]
    assert len(installs) == 4
    for line in installs:
        assert re.search(r"--require-hashes|--no-index|--no-build-isolation", line), line
    for path in re.findall(r"-r (\S+)", "\n".join(installs)):
        blocks = re.split(r"\n(?=\w)", (ROOT / path).read_text("utf-8").partition("\n\n")[0])
        assert len(blocks) > 3
        assert all("--hash=sha256:" in block for block in blocks[1:]), path
    assert "hatchling==" in (ROOT / "deploy" / "build.lock").read_text("utf-8")


def test_ports_and_probes_of_the_image_agree() -> None:
    """What it listens at, exposes and asks for its health."""
    steps = _stage(2)
    probe = _of(steps, "HEALTHCHECK")[0].partition(" CMD ")[2]
    port = _option(_list(_of(steps, "CMD")[0]), "--port")
    assert _of(steps, "EXPOSE") == [port]
    assert _list(probe) == ["python", "-I", "/opt/health.py", port]
    assert "deploy/health.py /opt/health.py" in _of(steps, "COPY")


@pytest.mark.parametrize("name", SERVERS)
def test_a_service_of_compose_is_shut_in(name: str) -> None:
    """Read-only, without capabilities, for this machine alone, and with the probe of its port."""
    service = _services()[name]
    port = _option(service["command"], "--port")
    assert port == str(SERVERS[name])
    assert service["ports"] == [f"127.0.0.1:{port}:{port}"]
    assert service["healthcheck"]["test"] == ["CMD", "python", "-I", "/opt/health.py", port]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["networks"] == (["open"] if name == "proxy" else ["closed"])


def test_the_review_application_has_a_volume_and_a_secret() -> None:
    """Projects lie in the volume, the keys where Compose puts the secret."""
    compose = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))
    service = compose["services"]["review"]
    (volume, _, folder) = service["volumes"][0].partition(":")
    assert volume in compose["volumes"]
    assert Path(_option(service["command"], "--store")).parent == Path(folder)
    assert service["secrets"] == list(compose["secrets"])
    assert _option(service["command"], "--api-key-file") == f"/run/secrets/{service['secrets'][0]}"


@pytest.mark.parametrize("name", SERVERS)
def test_a_pod_is_shut_in_and_probed(name: str) -> None:
    """Restricted, with limits; each mount has its volume, each probe asks the port of the command."""
    pod = _pods()[name]["spec"]
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert pod["automountServiceAccountToken"] is False
    volumes = {volume["name"] for volume in pod["volumes"]}
    for container in (*pod.get("initContainers", ()), *pod["containers"]):
        assert container["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }
        assert set(container["resources"]["limits"]) == {"cpu", "memory"}
        assert {mount["name"] for mount in container["volumeMounts"]} <= volumes
    (container,) = pod["containers"]
    port = container["ports"][0]
    assert port["containerPort"] == SERVERS[name] == int(_option(container["args"], "--port"))
    for kind in ("startupProbe", "livenessProbe", "readinessProbe"):
        probe = container[kind]["httpGet"]
        assert (probe["path"], probe["port"]) == ("/health", port["name"])


@pytest.mark.parametrize("name", SERVERS)
def test_a_pod_is_reached_by_its_service_and_its_policy_alone(name: str) -> None:
    """By the same labels and port; the rest is closed, and the proxy alone goes out."""
    pod = _pods()[name]
    labels = pod["metadata"]["labels"]
    parts = {
        (part["kind"], part["metadata"]["name"]): part["spec"]
        for part in _resources()
        if "spec" in part
    }
    service = parts["Service", f"tacenda-{name}"]
    assert service["selector"] == labels
    assert service["ports"][0]["port"] == SERVERS[name]
    policy = parts["NetworkPolicy", name]
    assert policy["podSelector"]["matchLabels"] == labels
    assert policy["ingress"][0]["ports"] == [{"protocol": "TCP", "port": SERVERS[name]}]
    assert ("egress" in policy) is (name == "proxy")
    closed = parts["NetworkPolicy", "closed"]
    assert closed == {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}


def test_every_resource_is_in_the_namespace_of_restricted_pods() -> None:
    """And each has a kind that the cluster has of itself."""
    kinds = {"Namespace", "Deployment", "Service", "PersistentVolumeClaim", "NetworkPolicy"}
    assert {part["kind"] for part in _resources()} == kinds
    for part in _resources():
        if part["kind"] == "Namespace":
            assert part["metadata"]["labels"] == {
                "pod-security.kubernetes.io/enforce": "restricted"
            }
        else:
            assert part["metadata"]["namespace"] == "tacenda"


def test_the_audit_looks_up_each_lock_file() -> None:
    """Weekly, and with no more rights than to read."""
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "audit.yml").read_text("utf-8"))
    triggers = workflow[True]  # `on` is true in YAML 1.1
    assert len(triggers["schedule"]) == 1
    assert workflow["permissions"] == {"contents": "read"}
    runs = [step.get("run", "") for step in workflow["jobs"]["audit"]["steps"]]
    audited = [run.split()[-1] for run in runs if run.startswith("pip-audit ")]
    assert audited == ["requirements.lock", "deploy/build.lock"]
    assert set(audited) <= set(triggers["push"]["paths"])
    assert all((ROOT / path).is_file() for path in audited)


@pytest.mark.parametrize(("status", "code"), [(200, 0), (503, 1)])
def test_the_probe_tells_health_from_illness(status: int, code: int) -> None:
    """By the status of `/health`; no proxy of the environment is asked."""
    paths = []

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            paths.append(self.path)
            self.send_response(status)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Answers) as server:
        Thread(target=server.handle_request, daemon=True).start()
        run = subprocess.run(
            [sys.executable, "-I", str(ROOT / "deploy" / "health.py"), str(server.server_port)],
            env={"http_proxy": "http://127.0.0.1:9"},
            timeout=300,
        )
    assert (run.returncode, paths) == (code, ["/health"])
