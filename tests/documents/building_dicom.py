"""DICOM files of a patient, written by pydicom."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
from pydicom import uid
from pydicom.dataset import Dataset, FileMetaDataset

STUDY = "1.2.840.99999.1.2"


def image(pixels: np.ndarray[Any, Any] | None = None, kind: str = "MONOCHROME2") -> Dataset:
    """Return a secondary capture of a patient."""
    dataset = Dataset()
    dataset.file_meta = FileMetaDataset()
    dataset.file_meta.TransferSyntaxUID = uid.ExplicitVRLittleEndian
    dataset.SOPClassUID = uid.SecondaryCaptureImageStorage
    dataset.SOPInstanceUID = f"{STUDY}.3"
    dataset.StudyInstanceUID, dataset.SeriesInstanceUID = STUDY, f"{STUDY}.1"
    dataset.PatientName, dataset.PatientID = "Yalman^Galip", "4711-0815"
    dataset.PatientBirthDate, dataset.StudyDate = "19440302", "20240305"
    dataset.Modality, dataset.Manufacturer = "OT", "Maker"
    if pixels is not None:
        dataset.set_pixel_data(pixels, kind, 8 * pixels.itemsize, generate_instance_uid=False)
    return dataset


def packed(dataset: Dataset) -> bytes:
    """Return the file of a data set."""
    output = io.BytesIO()
    dataset.save_as(output, enforce_file_format=True)
    return output.getvalue()
