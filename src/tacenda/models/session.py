"""Networks in memory: one way to open a session of onnxruntime, on this machine and in silence."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

# Since 1.31 onnxruntime keeps an id of the device and reports its use to its maker over the network,
# unless this is set before it is loaded. Nothing about sanitizing may leave the machine.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

import onnxruntime

onnxruntime.disable_telemetry_events()  # where somebody else has loaded it before


def open_session(path: Path, *, single_thread: bool = True) -> Any:
    """Open a network for the processor.

    Args:
        path: a file in ONNX format.
        single_thread: one core a call, for callers with several calls at once; otherwise as many as
            onnxruntime takes, without busy waiting between calls.
    """
    options = onnxruntime.SessionOptions()
    # The arena keeps every size it ever saw; texts come in many.
    options.enable_cpu_mem_arena = False
    options.log_severity_level = 3
    if single_thread:
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
    else:
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
