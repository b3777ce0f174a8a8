"""Networks in memory: how a session is opened, locally and without telemetry, and which engine computes."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, Literal, get_args

from ..errors import MissingExtraError, ModelError
from .checkpoint import DEVICE_VARIABLE, OWN_KEY, TRANSFORMERS_KEY

# Since 1.31, onnxruntime keeps a device id and reports usage to its maker over the network unless
# this is set before it is loaded. Nothing about sanitizing may leave the machine.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

import onnxruntime

onnxruntime.disable_telemetry_events()  # if something else has loaded it before


_CPU: Final = "CPUExecutionProvider"
_CUDA: Final = "CUDAExecutionProvider"
_AMX: Final = "amx_bf16"
_DEVICE = re.compile(r"cuda(?::(\d+))?")
_most_cores: int | None = None


def limit_cores(number: int) -> None:
    """Limit this process to a number of cores, when others share the machine."""
    global _most_cores
    _most_cores = number


def cores() -> int:
    """Return the number of cores that this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    present = len(affinity(0)) if affinity else os.cpu_count() or 1
    return present if _most_cores is None else min(present, _most_cores)


def linux_value(path: str, *keys: str) -> str | None:
    """Return the value of the first line ``key: value`` in one of Linux's files, or None."""
    try:
        with Path(path).open(encoding="utf-8", errors="replace") as file:
            for line in file:
                key, _, value = line.partition(":")
                if key.strip() in keys:
                    return value
    except OSError:
        pass
    return None


def processor_features() -> frozenset[str]:
    """Return Linux's names for the processor's features; empty on other systems."""
    return frozenset((linux_value("/proc/cpuinfo", "flags", "Features") or "").split())


def open_session(path: Path, *, single_thread: bool = True, gpu: int | None = None) -> Any:
    """Open a network on the CPU or on a GPU.

    Args:
        path: a file in ONNX format.
        gpu: the CUDA device number.
        single_thread: use one core per call, for callers that make several calls at once; otherwise
            as many as onnxruntime chooses, without busy waiting between calls.

    Raises:
        ModelError: if the GPU can't be used.
    """
    options = onnxruntime.SessionOptions()
    # The arena keeps memory for every size it has seen, and texts have many sizes.
    options.enable_cpu_mem_arena = False
    options.log_severity_level = 3
    if single_thread:
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
    else:
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    providers: list[Any] = [_CPU]
    if gpu is not None:
        providers.insert(0, (_CUDA, {"device_id": gpu}))
    session = onnxruntime.InferenceSession(str(path), options, providers=providers)
    # It silently falls back to the CPU if CUDA's libraries can't be loaded.
    if gpu is not None and session.get_providers()[0] != _CUDA:
        raise ModelError(
            f"onnxruntime can't compute on GPU {gpu}: its driver or a library of CUDA is missing."
        )
    return session


# The engine of a recognizer. Each engine gives the same decisions in any batch; between engines,
# probabilities differ by a few hundredths at most, so the record of a run names the engine.


Engine = Literal["onnxruntime", "onnxruntime-cuda", "openvino", "torch"]
ENGINE_VARIABLE: Final = "TACENDA_ENGINE"
"""Environment variable: ``auto``, or the name of an engine."""
_PRELOAD: Final = "LD_PRELOAD"


def engine_of(config: Mapping[str, Any]) -> Engine:
    """Return the engine that computes a recognizer; see ``engine_with_reason``."""
    return engine_with_reason(config)[0]


def engine_with_reason(config: Mapping[str, Any]) -> tuple[Engine, str]:
    """Return the engine that computes a recognizer, and why it was chosen.

    The default is OpenVINO if it is installed and the processor multiplies matrices in bf16 (AMX),
    otherwise onnxruntime. With a preloaded allocator it is also onnxruntime: OpenVINO would free
    that allocator's memory with its own, which crashes. ``TACENDA_ENGINE`` overrides the choice. On
    a GPU (``TACENDA_DEVICE`` is ``cuda`` or ``cuda:1``) the default is onnxruntime-cuda, from the
    package onnxruntime-gpu.

    A transformers token classifier is computed by torch, or by onnxruntime if it has been exported
    and ``TACENDA_DEVICE`` names no device other than the CPU.

    Args:
        config: the content of the recognizer's ``config.json``; OpenVINO needs its ``network``.

    Raises:
        ModelError: if the variable names an unknown engine, or one that can't compute this
            recognizer; if a GPU is requested and onnxruntime has none.
        MissingExtraError: if it names OpenVINO, which isn't installed.
    """
    name = os.environ.get(ENGINE_VARIABLE) or "auto"
    if name not in ("auto", *get_args(Engine)):
        *others, last = get_args(Engine)
        raise ModelError(
            f"{ENGINE_VARIABLE} is {name!r}; it may be auto, {', '.join(others)} or {last}."
        )
    if TRANSFORMERS_KEY in config:
        return _classifier_engine(name, is_exported=bool(config.get(OWN_KEY, {}).get("onnx")))
    if name == "torch":
        raise ModelError(
            f"{ENGINE_VARIABLE}=torch: this recognizer is not a token classifier of "
            "transformers; use onnxruntime or OpenVINO."
        )
    is_installed = find_spec("openvino") is not None
    if name == "openvino":
        if not is_installed:
            raise MissingExtraError(f"{ENGINE_VARIABLE}=openvino", "openvino")
        if "network" not in config:
            raise ModelError(
                f"{ENGINE_VARIABLE}=openvino: this recognizer's config.json has no `network`; train it with "
                "this version, or let onnxruntime compute it."
            )
        return "openvino", f"{ENGINE_VARIABLE} names it"
    if name == "onnxruntime":
        return "onnxruntime", f"{ENGINE_VARIABLE} names it"
    if name == "onnxruntime-cuda" or is_gpu():
        _check_cuda()
        variable = DEVICE_VARIABLE if name == "auto" else ENGINE_VARIABLE
        return "onnxruntime-cuda", f"{variable} names it"
    if not is_installed:
        return "onnxruntime", "OpenVINO is not installed"
    if "network" not in config:
        return "onnxruntime", "OpenVINO can't compute this recognizer"
    if "malloc" in os.environ.get(_PRELOAD, ""):
        return "onnxruntime", f"OpenVINO can't run beside the allocator in {_PRELOAD}"
    if _AMX in processor_features():
        return "openvino", "it is installed, and the processor has AMX with bf16"
    return "onnxruntime", "the processor has no AMX with bf16, without which OpenVINO is slower"


def is_gpu() -> bool:
    """Return whether ``TACENDA_DEVICE`` is a CUDA GPU."""
    return _DEVICE.fullmatch(os.environ.get(DEVICE_VARIABLE) or "") is not None


def gpu_number() -> int:
    """Return the number of the GPU that ``TACENDA_DEVICE`` names; 0 by default."""
    match = _DEVICE.fullmatch(os.environ.get(DEVICE_VARIABLE) or "")
    return int(match[1] or 0) if match else 0


def _check_cuda() -> None:
    """Raise ModelError if onnxruntime has no GPU support."""
    if _CUDA not in onnxruntime.get_available_providers():
        raise ModelError(
            "onnxruntime knows no GPU here: install onnxruntime-gpu in place of onnxruntime, let "
            f"{DEVICE_VARIABLE} be cpu, or let {ENGINE_VARIABLE} be onnxruntime, so that only torch computes there."
        )


def _classifier_engine(name: str, *, is_exported: bool) -> tuple[Engine, str]:
    """Return the engine of a transformers token classifier, and why it was chosen."""
    if name in ("openvino", "onnxruntime-cuda"):
        raise ModelError(
            f"{ENGINE_VARIABLE}={name}: a token classifier of transformers is computed by torch or, "
            "where it has been exported, by onnxruntime."
        )
    if name == "onnxruntime" and not is_exported:
        raise ModelError(
            f"{ENGINE_VARIABLE}=onnxruntime: this recognizer has no model.onnx; let torch compute it."
        )
    if name != "auto":
        return ("torch" if name == "torch" else "onnxruntime"), f"{ENGINE_VARIABLE} names it"
    if not is_exported:
        return "torch", "the recognizer has no model.onnx"
    device = os.environ.get(DEVICE_VARIABLE) or "cpu"
    if device == "cpu":
        return "onnxruntime", "the recognizer has a model.onnx"
    return "torch", f"{DEVICE_VARIABLE} is {device}"
