"""Networks run on this machine and tell nobody."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import onnxruntime
import pytest

from tacenda.errors import MissingExtraError, ModelError
from tacenda.models.checkpoint import DEVICE_VARIABLE
from tacenda.models.networks import RecognizerModel
from tacenda.models.session import ENGINE_VARIABLE, engine_of, open_session
from tests.forks import tacenda


@pytest.mark.parametrize("engine", ["onnxruntime", "openvino"])
def test_a_sanitized_text_leaves_no_trace_outside(tmp_path: Path, engine: str) -> None:
    """No id of the device, no cache and no report of use is written while a text is sanitized."""
    if engine == "openvino":
        pytest.importorskip("openvino", reason="needs the extra 'openvino'")
    folders = dict.fromkeys(("HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_DATA_HOME"), str(tmp_path))
    variables = {name: value for name, value in os.environ.items() if not name.startswith("ORT_")}
    subprocess.run(
        [
            sys.executable,
            "-c",
            "import tacenda\n"
            "print(tacenda.load(threads=1).sanitize('Anna Berg lives in Oslo.').text)\n"
            "import tacenda.models.networks, time; time.sleep(1)",
        ],
        env=variables | folders | {ENGINE_VARIABLE: engine},
        check=True,
        capture_output=True,
    )
    assert list(tmp_path.rglob("*")) == []


def test_the_engine_is_the_one_that_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """The variable decides; what can't be had is said, never replaced in silence."""
    network = {"network": {"heads": 2}}
    monkeypatch.setenv(ENGINE_VARIABLE, "onnxruntime")
    assert engine_of(network) == "onnxruntime"
    monkeypatch.setenv(ENGINE_VARIABLE, "tensorrt")
    with pytest.raises(
        ModelError,
        match="'tensorrt'; it may be auto, onnxruntime, onnxruntime-cuda, openvino or torch",
    ):
        engine_of(network)
    monkeypatch.setenv(ENGINE_VARIABLE, "openvino")
    monkeypatch.setattr("tacenda.models.session.find_spec", lambda _: None)
    with pytest.raises(MissingExtraError, match=r"\[openvino\]"):
        engine_of(network)
    monkeypatch.setattr("tacenda.models.session.find_spec", lambda _: object())
    assert engine_of(network) == "openvino"
    with pytest.raises(ModelError, match="has no `network`"):
        engine_of({})


@pytest.mark.parametrize(
    ("installed", "amx", "config", "preloaded", "engine"),
    [
        (True, True, {"network": {"heads": 2}}, "", "openvino"),
        (True, True, {}, "", "onnxruntime"),
        (True, False, {"network": {"heads": 2}}, "", "onnxruntime"),
        (False, True, {"network": {"heads": 2}}, "", "onnxruntime"),
        (True, True, {"network": {"heads": 2}}, "libjemalloc.so.2", "onnxruntime"),
    ],
)
def test_by_itself_the_engine_is_the_faster_one(
    monkeypatch: pytest.MonkeyPatch,
    *,
    installed: bool,
    amx: bool,
    config: object,
    preloaded: str,
    engine: str,
) -> None:
    """OpenVINO where it is installed, knows the network and has AMX, and frees what it took itself."""
    monkeypatch.delenv(ENGINE_VARIABLE)
    monkeypatch.setenv("LD_PRELOAD", preloaded)
    features = frozenset({"avx512_bf16", *(["amx_bf16"] if amx else [])})
    monkeypatch.setattr("tacenda.models.session.processor_features", lambda: features)
    monkeypatch.setattr(
        "tacenda.models.session.find_spec", lambda _: object() if installed else None
    )
    assert engine_of(config) == engine  # type: ignore[arg-type]


class _Session:
    """Stands for a session of onnxruntime where there is a GPU, or one whose libraries are missing."""

    has_libraries = True

    def __init__(self, path: str, options: object, providers: list[Any]) -> None:
        self.asked = providers

    def get_providers(self) -> list[str]:
        names = [item if isinstance(item, str) else item[0] for item in self.asked]
        return names if self.has_libraries else names[-1:]


@pytest.mark.parametrize(
    ("device", "engine", "expected", "provider"),
    [
        (None, "onnxruntime", "onnxruntime", "CPUExecutionProvider"),
        ("cpu", "onnxruntime", "onnxruntime", "CPUExecutionProvider"),
        ("mps", "onnxruntime", "onnxruntime", "CPUExecutionProvider"),
        ("cuda", None, "onnxruntime-cuda", ("CUDAExecutionProvider", {"device_id": 0})),
        ("cuda:1", None, "onnxruntime-cuda", ("CUDAExecutionProvider", {"device_id": 1})),
        (None, "onnxruntime-cuda", "onnxruntime-cuda", ("CUDAExecutionProvider", {"device_id": 0})),
        ("cuda", "onnxruntime", "onnxruntime", "CPUExecutionProvider"),
    ],
)
def test_the_recognizer_computes_on_the_gpu_that_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
    device: str | None,
    engine: str | None,
    expected: str,
    provider: object,
) -> None:
    """By the variable of the device, or of the engine, which goes before."""
    for variable, value in ((DEVICE_VARIABLE, device), (ENGINE_VARIABLE, engine)):
        monkeypatch.delenv(variable, raising=False)
        if value is not None:
            monkeypatch.setenv(variable, value)
    monkeypatch.setattr("onnxruntime.get_available_providers", lambda: ["CUDAExecutionProvider"])
    monkeypatch.setattr("onnxruntime.InferenceSession", _Session)
    model = RecognizerModel.load()
    assert (model.engine, model._session.asked[0]) == (expected, provider)


def test_a_gpu_that_is_not_there_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Never the processor in its place: neither without the provider nor without its libraries."""
    monkeypatch.delenv(ENGINE_VARIABLE, raising=False)
    monkeypatch.setenv(DEVICE_VARIABLE, "cuda")
    monkeypatch.setattr("onnxruntime.get_available_providers", lambda: ["CPUExecutionProvider"])
    with pytest.raises(ModelError, match="install onnxruntime-gpu in place of onnxruntime"):
        engine_of({"network": {"heads": 2}})
    monkeypatch.setattr(_Session, "has_libraries", False)
    monkeypatch.setattr("onnxruntime.InferenceSession", _Session)
    with pytest.raises(ModelError, match="can't compute on GPU 1"):
        open_session(Path("model.onnx"), gpu=1)


@pytest.mark.parametrize(
    ("device", "engine", "message"),
    [
        ("gpu", "auto", "it may be cpu, cuda or cuda:1"),
        ("cuda", "openvino", "which computes on the processor"),
        ("cuda", "auto", "onnxruntime knows no GPU here"),
        ("cpu", "auto", ""),
    ],
)
def test_sanitize_takes_a_device(tmp_path: Path, device: str, engine: str, message: str) -> None:
    """What it can't have is an error of its own."""
    if "CUDAExecutionProvider" in onnxruntime.get_available_providers() and engine == "auto":
        pytest.skip("there is a GPU")
    path = tmp_path / "a.txt"
    path.write_text("Anna Berg lives in Oslo.\n")
    environment = os.environ | {ENGINE_VARIABLE: engine, "COLUMNS": "200"}
    run = tacenda("sanitize", str(path), "--device", device, env=environment, text=True)
    assert (run.returncode == 0) == (message == "")
    assert message in " ".join(run.stderr.split())
    assert "Berg" not in run.stdout
