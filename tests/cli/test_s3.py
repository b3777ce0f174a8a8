"""A bucket of S3 is read and written by its URL, as folders on this machine are."""

from __future__ import annotations

import gzip
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest
from moto.server import ThreadedMotoServer

from tacenda import documents
from tests.cli.test_remote import FILES, NAME
from tests.forks import tacenda


@pytest.fixture(scope="module")
def bucket() -> Iterator[tuple[Any, dict[str, str]]]:
    """A bucket of a server on this machine, and the environment to reach it."""
    server = ThreadedMotoServer(port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    access = {
        "AWS_ENDPOINT_URL": f"http://{host}:{port}",
        "AWS_ACCESS_KEY_ID": "testing",
        "AWS_SECRET_ACCESS_KEY": "testing",
        "AWS_DEFAULT_REGION": "us-east-1",
    }
    client = boto3.client(
        "s3",
        endpoint_url=access["AWS_ENDPOINT_URL"],
        aws_access_key_id="testing",
        aws_secret_access_key="testing",
        region_name="us-east-1",
    )
    client.create_bucket(Bucket="letters")
    for name, data in FILES.items():
        client.put_object(Bucket="letters", Key=f"in/{name}", Body=data)
    yield client, access
    client.close()
    server.stop()


def policy_of(folder: Path) -> str:
    """Write a policy without a recognizer, and return its path."""
    path = folder / "p.yaml"
    path.write_text(f"recognizer: false\nthreshold: 0.5\ntarget: [{NAME}]\n")
    return str(path)


def command(access: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """Run the command line with access to the bucket."""
    return tacenda("sanitize", *arguments, env=os.environ | access)


def test_a_folder_of_a_bucket_becomes_a_folder(
    bucket: tuple[Any, dict[str, str]], tmp_path: Path
) -> None:
    """Under names that tell nothing, each file in its format, compressed if it was."""
    client, access = bucket
    policy = policy_of(tmp_path)
    run = command(access, "s3://letters/in/", "-o", "s3://letters/out/", "--policy", policy)
    assert run.returncode == 0, run.stderr
    assert b"4 written, 2 skipped" in run.stderr
    items = client.list_objects_v2(Bucket="letters", Prefix="out/")["Contents"]
    assert [item["Key"] for item in items] == [
        "out/a.txt", "out/b/c.docx", "out/b/d.eml", "out/document-6.jsonl.gz"
    ]  # fmt: skip
    for item in items:
        data = client.get_object(Bucket="letters", Key=item["Key"])["Body"].read()
        path = tmp_path / Path(item["Key"]).name
        path.write_bytes(data)
        (record,) = documents.read(path)
        assert isinstance(record, documents.SourceDocument)
        assert "Yalman" not in record.document.text
        assert "[PERSON 1] went." in record.document.text
    assert gzip.decompress((tmp_path / "document-6.jsonl.gz").read_bytes())
