"""DICOM: headers by the standard's profile, and text in the pixels covered."""

from __future__ import annotations

import io
import shutil
import struct
import subprocess
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from tacenda import documents
from tacenda.document import Document
from tacenda.documents.inspection.dicom import strings
from tacenda.documents.writing import writer
from tacenda.errors import InputError
from tests.documents.conftest import mask_strings, sanitized
from tests.examples import for_each
from tests.forks import tacenda

pydicom = pytest.importorskip("pydicom")
from pydicom import uid  # noqa: E402
from pydicom.datadict import dictionary_has_tag, dictionary_VR  # noqa: E402
from pydicom.dataset import Dataset  # noqa: E402
from pydicom.sequence import Sequence  # noqa: E402

from tacenda.documents.dicom.profile import actions, names_and_codes  # noqa: E402

from .building_dicom import STUDY, image, packed  # noqa: E402

needs_tesseract = pytest.mark.skipif(
    shutil.which("tesseract") is None, reason="the program tesseract is not installed"
)
NAME = "Galip Yalman"
SECRET = "Zephyrine"
"""Planted where nothing may stay."""
OCR = documents.OcrSettings("eng", keeps_unread=True)
BLIND = documents.OcrSettings("", keeps_unread=True)


def record_of(data: bytes, ocr: documents.OcrSettings = BLIND) -> documents.SourceDocument:
    """Return the record, or raise what the file is refused for."""
    (item,) = documents.read("-", "dicom", stdin=io.BytesIO(data), ocr=ocr)
    if isinstance(item, documents.Failure):
        raise item.error
    return item


def written(data: bytes, *names: str, ocr: documents.OcrSettings = BLIND) -> bytes:
    """Return the file with names masked."""
    record, output = record_of(data, ocr), io.BytesIO()
    sink = writer("same", output, input_format="dicom")
    sink.write(record, mask_strings(record.document, *names))
    sink.close()
    return output.getvalue()


def opened(data: bytes) -> Dataset:
    """Return the data set of a file."""
    dataset: Dataset = pydicom.dcmread(io.BytesIO(data))
    return dataset


def burnt(*lines: str, fill: int = 255, paper: int = 0) -> np.ndarray[Any, Any]:
    """Return pixels with lines of text."""
    picture = Image.new("L", (900, 100 + 60 * len(lines)), paper)
    for number, line in enumerate(lines):
        font = ImageFont.load_default(34)
        ImageDraw.Draw(picture).text((60, 50 + 60 * number), line, fill=fill, font=font)
    return np.asarray(picture)


def test_the_table_is_that_of_the_standard() -> None:
    """Rows as PS3.15, table E.1-1, has them; of several actions the last one holds."""
    expected = {
        "AccessionNumber": "Z", "AcquisitionDateTime": "D", "ContentDate": "D", "ContentSequence": "D",
        "DeviceSerialNumber": "D", "DeviceUID": "U", "DigitalSignaturesSequence": "X", "InstitutionName": "D",
        "PatientBirthDate": "Z", "PatientComments": "X", "PatientID": "D", "PatientName": "Z", "PatientSex": "Z",
        "ReferencedImageSequence": "U", "ReferringPhysicianName": "Z", "SOPInstanceUID": "U", "StudyDate": "Z",
        "StudyDescription": "X", "StudyInstanceUID": "U",
    }  # fmt: skip
    table = actions()
    assert {key: table[pydicom.datadict.tag_for_keyword(key)] for key in expected} == expected
    assert set(table.values()) == set("XZDU")
    assert len(table) == 652


def planted(dataset: Dataset) -> Dataset:
    """Plant a secret in every attribute of the table, and where no attribute of the standard is."""
    values = {
        "AE": SECRET, "AS": "079Y", "CS": SECRET.upper(), "DA": "19440302", "DS": "7", "DT": "19440302",
        "IS": "7", "LO": SECRET, "LT": SECRET, "OB": SECRET.encode() + b"\0", "PN": f"{SECRET}^A", "SH": SECRET,
        "ST": SECRET, "TM": "1112", "UC": SECRET, "UI": f"{STUDY}.9", "UN": SECRET.encode() + b"\0",
        "UR": f"urn:{SECRET}", "US": 7, "UT": SECRET,
    }  # fmt: skip
    for tag in actions():
        if dictionary_has_tag(tag) and tag >> 16 not in (0, 2, 4, 0x42, 0xFFFA, 0xFFFC):
            vr = dictionary_VR(tag)
            inner = Dataset()
            inner.PatientComments = inner.ImageComments = inner.StudyID = SECRET
            inner.CodeMeaning = SECRET if actions()[tag] != "U" else "x"
            dataset.add_new(tag, vr, Sequence([inner]) if vr == "SQ" else values[vr])
    dataset.add_new(0x00091010, "LO", SECRET)
    dataset.add_new(0x00090010, "LO", SECRET)
    dataset.add_new(0x00081FFE, "LO", SECRET)
    dataset.add_new(0x60003000, "OW", SECRET.encode() + b"\0")
    dataset.add_new(0x50002500, "LO", SECRET)
    dataset.EvaluatorName, dataset.SecondaryReviewDate = f"{SECRET}^A", "19440302"
    dataset.VolumeFrameOfReferenceUID = f"{STUDY}.8"
    dataset.file_meta.SourceApplicationEntityTitle = SECRET
    dataset.preamble = SECRET.encode().ljust(128, b"\0")
    return dataset


def test_nothing_of_the_header_is_left_that_the_profile_removes() -> None:
    """In every attribute of the table, private and unknown ones, overlays, head, and behind the end."""
    data = packed(planted(image())) + struct.pack("<HH2sHI", 0xFFFC, 0xFFFC, b"OB", 0, 10)
    data += SECRET.encode() + b"\0"
    assert data.count(SECRET.encode()) > 300
    output = written(data)
    for spelling in (SECRET, SECRET.upper(), "19440302", "4711-0815", STUDY, "Yalman", "Maker^"):
        assert spelling.encode() not in output, spelling
    dataset = opened(output)
    assert (dataset.Modality, dataset.Manufacturer) == ("OT", "Maker")
    assert dataset.PatientName == ""
    assert dataset.PatientID.startswith("ID")
    assert dataset.PatientIdentityRemoved == "YES"
    assert dataset.DeidentificationMethod[1] == "DICOM PS3.15 2026c Annex E"
    (code,) = dataset.DeidentificationMethodCodeSequence
    assert (code.CodeValue, code.CodingSchemeDesignator) == ("113100", "DCM")
    assert "BurnedInAnnotation" not in dataset
    assert dataset.file_meta.MediaStorageSOPInstanceUID == dataset.SOPInstanceUID


def test_names_of_the_header_are_gone_from_what_the_profile_keeps() -> None:
    """Of people that the profile doesn't list too, in all their spellings; no other text changes."""
    dataset = image()
    dataset.PatientName = "Yamada^Tarou=山田^太郎"
    dataset.SpecificCharacterSet = "ISO_IR 192"
    dataset.Manufacturer = "Maker of Tarou Yamada"
    dataset.SoftwareVersions = ["山田 太郎", "7.1"]
    assert names_and_codes(dataset) == (("Tarou Yamada", "太郎 山田"), ("4711-0815",))
    output = sanitized(packed(dataset), "dicom", "Somebody Else")
    assert b"Yamada" not in output
    assert "山田".encode() not in output
    again = opened(output)
    assert again.SoftwareVersions[1] == "7.1"
    assert again.Manufacturer.startswith("Maker of ")


def test_identifiers_are_replaced_alike_in_all_files_of_a_run() -> None:
    """Studies stay together, references lead where they led, and classes of the standard stay."""
    one, two = image(), image()
    two.SOPInstanceUID = f"{STUDY}.4"
    reference = Dataset()
    reference.ReferencedSOPClassUID = uid.SecondaryCaptureImageStorage
    reference.ReferencedSOPInstanceUID = one.SOPInstanceUID
    two.SourceImageSequence = Sequence([reference])
    first, second = (opened(written(packed(each))) for each in (one, two))
    assert first.StudyInstanceUID == second.StudyInstanceUID != STUDY
    assert first.PatientID == second.PatientID
    assert first.SOPInstanceUID != second.SOPInstanceUID
    (again,) = second.SourceImageSequence
    assert again.ReferencedSOPInstanceUID == first.SOPInstanceUID
    assert again.ReferencedSOPClassUID == uid.SecondaryCaptureImageStorage
    assert uid.UID(first.StudyInstanceUID).is_valid
    keys = {"one": documents.Fields(), "other": documents.Fields()}
    ids = set()
    for fields in keys.values():
        (item,) = documents.read(
            "-", "dicom", stdin=io.BytesIO(packed(one)), fields=fields, ocr=BLIND
        )
        assert isinstance(item, documents.SourceDocument)
        stream = io.BytesIO()
        sink = writer("same", stream)
        sink.write(item, mask_strings(item.document))
        sink.close()
        ids.add(opened(stream.getvalue()).StudyInstanceUID)
    assert len(ids) == 2


@pytest.mark.parametrize("kind", ["MONOCHROME2", "MONOCHROME1", "RGB", "frames", "RLE"])
@needs_tesseract
def test_names_in_the_pixels_are_painted_over(kind: str) -> None:
    """In each frame, and nothing else changes; the name of the header is found in them by itself."""
    from tacenda.documents.ocr.scans import seen

    lines = ("Report of the clinic", f"Patient {NAME} in room 7", "All is well here")
    pixels = burnt(*lines) if kind != "MONOCHROME1" else burnt(*lines, fill=0, paper=255)
    if kind == "RGB":
        pixels = np.stack([pixels] * 3, axis=-1)
    elif kind == "frames":
        pixels = np.stack([pixels, pixels])
    dataset = image(pixels, kind if kind in ("RGB", "MONOCHROME1") else "MONOCHROME2")
    if kind == "RLE":
        dataset.compress(uid.RLELossless, generate_instance_uid=False)
    output = opened(sanitized_with(packed(dataset), documents.OcrSettings("eng")))
    after = output.pixel_array
    assert output.file_meta.TransferSyntaxUID == uid.ExplicitVRLittleEndian
    assert output.PhotometricInterpretation == dataset.PhotometricInterpretation
    assert after.shape == pixels.shape
    for number in range(2 if kind == "frames" else 1):
        frame = after[number] if kind == "frames" else after
        text = " ".join(word.text for word in seen(Image.fromarray(frame), 0, "eng", "a"))
        assert "Galip" not in text
        assert "Yalman" not in text
        assert "Report of the clinic" in text
    rows = np.s_[:, :100] if kind == "frames" else np.s_[:100]
    assert (after[rows] == pixels[rows]).all()
    assert output.BurnedInAnnotation == "NO"
    assert [item.CodeValue for item in output.DeidentificationMethodCodeSequence] == [
        "113100",
        "113101",
    ]


def sanitized_with(data: bytes, ocr: documents.OcrSettings) -> bytes:
    """Return a file sanitized under a policy that knows nobody."""
    from tacenda.pipeline import Sanitizer
    from tacenda.policy import Policy

    record, output = record_of(data, ocr), io.BytesIO()
    sanitizer = Sanitizer(Policy(recognizer=False, threshold=0.5), None, 0.5)
    sink = writer("same", output)
    sink.write(record, next(sanitizer.pipe([record.document])))
    sink.close()
    return output.getvalue()


@needs_tesseract
@pytest.mark.parametrize("keeps", [False, True])
def test_what_cannot_be_read_is_covered_unless_pictures_are_kept(keeps: bool) -> None:
    """A note says so, and the header says that pixels are clean only if they are."""
    pixels = burnt("All is well here", "", "", "").copy()
    chance = np.random.default_rng(1)
    pixels[180:300, 500:800] = chance.integers(90, 200, (120, 300))
    record = record_of(packed(image(pixels)), documents.OcrSettings("eng", keeps_unread=keeps))
    (note,) = record.notes
    assert note.startswith("its picture has regions that are not text")
    assert ("look at them" in note) is keeps
    output = opened(
        written(packed(image(pixels)), ocr=documents.OcrSettings("eng", keeps_unread=keeps))
    )
    assert bool(output.pixel_array[200:280, 520:780].std() > 0) is keeps
    assert ("BurnedInAnnotation" in output) is not keeps


def test_without_ocr_pixels_are_refused_unless_pictures_are_kept() -> None:
    """Then a note says that nobody has looked at them."""
    data = packed(image(burnt("All is well")))
    with pytest.raises(
        InputError, match=r"has pixels that may show names, and they were not read.*--pictures keep"
    ):
        record_of(data, documents.OcrSettings(""))
    assert record_of(data).notes == ("its pixels were not read: look at them for names.",)
    assert (opened(written(data)).pixel_array == burnt("All is well")).all()
    assert record_of(packed(image())).notes == ()


def test_bits_beside_the_pixels_are_gone() -> None:
    """Old overlays hide in the upper bits of pixels, and text behind the last one."""
    dataset = image(np.arange(64, dtype=np.uint16).reshape(8, 8))
    values = np.frombuffer(dataset.PixelData, "<u2") | 0xF000
    dataset.BitsStored, dataset.HighBit = 12, 11
    dataset.PixelData = values.tobytes() + SECRET.encode() + b"\0"
    output = opened(written(packed(dataset)))
    assert SECRET.encode() not in output.PixelData
    assert np.frombuffer(output.PixelData, "<u2").tolist() == list(range(64))


@pytest.mark.parametrize("name", ["MR_small_RLE.dcm", "JPEG2000.dcm", "SC_rgb_rle_32bit_2frame.dcm", "liver_1frame.dcm",
                                  "SC_ybr_full_422_uncompressed.dcm", "reportsi.dcm", "rtplan.dcm", "image_dfl.dcm"])  # fmt: skip
def test_another_program_opens_the_output(name: str) -> None:
    """Of files that scanners and programs wrote: all attributes are read, and all pixels."""
    reader = pytest.importorskip("dicomsdl")
    from pydicom.data import get_testdata_file

    path = get_testdata_file(name, download=False)
    if path is None:
        pytest.skip("pydicom came without this file")
    with open(path, "rb") as file:  # noqa: PTH123
        data = file.read()
    output = written(data)
    before, after = opened(data), opened(output)
    parsed = reader.open_memory(output)
    assert str(parsed.SOPInstanceUID) == after.SOPInstanceUID != before.SOPInstanceUID
    assert parsed.PatientIdentityRemoved == "YES"
    if "PixelData" in before and before.BitsAllocated in (8, 16):
        assert (parsed.Rows, parsed.Columns) == (before.Rows, before.Columns)
        assert (parsed.pixelData(0, storedvalue=True) == frame_of(after)).all()
    names, _ = names_and_codes(before)
    for part in {part for name in names for part in name.split() if len(part) > 3}:
        assert all(part not in passage.text for passage in strings(output)), part


def frame_of(dataset: Dataset) -> Any:
    """Return the first frame of a file."""
    pixels = dataset.pixel_array
    return pixels[0] if int(dataset.get("NumberOfFrames") or 1) > 1 else pixels


def test_the_independent_reader_finds_every_string() -> None:
    """In items of sequences of either kind of length, long and short values, and behind the end."""
    inner, outer = Dataset(), image(np.zeros((4, 4), np.uint8))
    inner.CodeMeaning, inner.TextValue = "alpha", "beta"
    inner.is_undefined_length_sequence_item = True
    outer.ConceptNameCodeSequence = Sequence([inner])
    outer.add_new(0x00091010, "UN", b"gamma\0")
    outer.PatientName, outer.SpecificCharacterSet = "Özil^Jörg", "ISO_IR 192"
    for undefined in (False, True):
        outer["ConceptNameCodeSequence"].is_undefined_length = undefined
        found = {passage.text for passage in strings(packed(outer) + b"delta")}
        assert {"alpha", "beta", "gamma", "Özil Jörg", "delta"} <= found
        assert "Maker" in found


def test_a_leak_in_the_header_is_found() -> None:
    """The check after writing reads every attribute, whoever wrote it."""
    from tacenda.documents import inspection

    dataset = image()
    dataset.Manufacturer = f"Made for {NAME}"
    result = mask_strings(Document("a", f"Dear {NAME}"), NAME)
    places = inspection.survivors(inspection.passages(packed(dataset), "dicom"), result)
    assert "attribute (0008,0070)" in places


def changed(**values: Any) -> bytes:
    """Return a file with other values."""
    dataset = image(np.zeros((4, 4), np.uint8))
    for keyword, value in values.items():
        setattr(dataset, keyword, value)
    return packed(dataset)


def directory() -> bytes:
    """Return a directory of a medium."""
    dataset = image()
    dataset.SOPClassUID = uid.MediaStorageDirectoryStorage
    return packed(dataset)


@for_each(
    ("data", "message"),
    [
        (b"hello", "is not a DICOM file"),
        (packed(image(burnt("a")))[:2000], "can't be decoded"),
        (directory(), "DICOMDIR"),
        (changed(EncapsulatedDocument=b"%PDF"), "contains another file"),
        (changed(FloatPixelData=b"\0" * 64), "floating point"),
        (changed(NumberOfFrames="11").replace(b"IS\2\x0011", b"IS\2\0001A"), "unknown size"),
        (changed(Rows=60_000, Columns=60_000), "more than 60,000,000 pixels"),
    ],
)
def test_what_cannot_be_sanitized_is_refused(data: bytes, message: str) -> None:
    """With the reason, without a word of the header."""
    with pytest.raises(InputError, match=message) as refusal:
        record_of(data)
    assert "Yalman" not in str(refusal.value)


@needs_tesseract
def test_long_films_are_refused() -> None:
    """Reading each of their frames would take too long."""
    with pytest.raises(InputError, match="more than 100 frames"):
        record_of(packed(image(np.zeros((101, 4, 4), np.uint8))), OCR)


def test_without_the_extra_the_message_says_how_to_install_it() -> None:
    """As for any other format."""
    code = (
        "import sys; sys.modules['pydicom'] = None; from tacenda.documents.registry import SHIPPED\n"
        "from tacenda.documents.formats import ReadOptions; from tacenda.errors import MissingExtraError\n"
        "try: SHIPPED['dicom'].read(None, None, ReadOptions())\n"
        "except MissingExtraError as error: print(error)"
    )
    import sys

    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install" in run.stdout
    assert "dicom" in run.stdout


def test_the_key_of_the_policy_makes_the_same_identifiers_in_every_run(tmp_path: Path) -> None:
    """So that a study that comes later belongs to the same patient."""
    (tmp_path / "a.dcm").write_bytes(packed(image()))
    (tmp_path / "policy.yaml").write_text("key_file: key\n", "utf-8")
    (tmp_path / "key").write_text("b2f0c17a9d3e4655a1c8e07f62d94b3187e5f0a94c6d2b18", "utf-8")
    (tmp_path / "key").chmod(0o600)
    command = ("sanitize", "a.dcm", "--policy")
    outputs = {"keyed": [], "default": []}  # type: ignore[var-annotated]
    for name, chosen in (("keyed", "policy.yaml"), ("default", "lenient")):
        for number in range(2):
            run = tacenda(*command, chosen, "-o", f"{name}{number}.dcm", cwd=tmp_path)
            assert run.returncode == 0, run.stderr
            output = opened((tmp_path / f"{name}{number}.dcm").read_bytes())
            outputs[name].append((output.StudyInstanceUID, output.PatientID))
    assert len(set(outputs["keyed"])) == 1
    assert len(set(outputs["default"])) == 2


def test_an_image_attached_to_a_message_is_sanitized(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its header follows the profile, and who is named there is masked in the message, too."""
    monkeypatch.setenv("TACENDA_OCR_LANGUAGES", "off")
    monkeypatch.setenv("TACENDA_PICTURES", "keep")
    message = EmailMessage(policy.default)
    message["Subject"] = f"The scan of {NAME}"
    message.set_content("See the scan.\n")
    pixels = np.full((8, 8), 7, np.uint8)
    message.add_attachment(packed(image(pixels)), "application", "dicom", filename="scan.dcm")
    output = sanitized(message.as_bytes(), "eml", "Nobody Else")
    assert b"alman" not in output
    (scan,) = message_from_bytes(output, policy=policy.default).iter_attachments()  # type: ignore[attr-defined]
    assert (scan.get_content_type(), scan.get_filename()) == ("application/dicom", "scan.dcm")
    dataset = opened(scan.get_content())
    assert dataset.PatientIdentityRemoved == "YES"
    assert "Yalman" not in str(dataset)
    assert STUDY not in str(dataset)
    assert (dataset.pixel_array == pixels).all()


def test_an_image_attached_to_a_message_is_removed_if_it_can_not_be_read() -> None:
    """A note counts it."""
    message = EmailMessage(policy.default)
    message["Subject"] = "The scan"
    message.set_content("See the scan.\n")
    message.add_attachment(b"no image", "application", "dicom", filename="scan.dcm")
    (record,) = documents.read("-", "eml", stdin=io.BytesIO(message.as_bytes()))
    assert isinstance(record, documents.SourceDocument)
    assert any("1 part was removed" in note for note in record.notes)
