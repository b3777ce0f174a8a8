"""Networks run on this machine and tell nobody."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tacenda.errors import MissingExtraError, ModelError
from tacenda.models.session import ENGINE_VARIABLE, engine_of


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
        ModelError, match="'tensorrt'; it may be auto, onnxruntime, openvino or torch"
    ):
        engine_of(network)
    monkeypatch.setenv(ENGINE_VARIABLE, "openvino")
    monkeypatch.setattr("tacenda.models.session.find_spec", lambda _: None)
    with pytest.raises(MissingExtraError, match=r"tacenda\[openvino\]"):
        engine_of(network)
    monkeypatch.setattr("tacenda.models.session.find_spec", lambda _: object())
    assert engine_of(network) == "openvino"
    with pytest.raises(ModelError, match="has no `network`"):
        engine_of({})


@pytest.mark.parametrize(
    ("installed", "bf16", "config", "preloaded", "engine"),
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
    bf16: bool,
    config: object,
    preloaded: str,
    engine: str,
) -> None:
    """OpenVINO where it is installed, knows the network and has bf16, and frees what it took itself."""
    monkeypatch.delenv(ENGINE_VARIABLE)
    monkeypatch.setenv("LD_PRELOAD", preloaded)
    stand_in = ModuleType("tacenda.models.openvino")
    stand_in.has_bf16 = lambda: bf16  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "tacenda.models.openvino", stand_in)
    monkeypatch.setattr(
        "tacenda.models.session.find_spec", lambda _: object() if installed else None
    )
    assert engine_of(config) == engine  # type: ignore[arg-type]
