"""The softmax over a file of vectors, against the dense one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="needs the extra 'train'")

WIDTH, COUNT, TEXTS = 5, 23, 4


def filled(path: Path, scale: float = 1.0, **options: Any) -> tuple[Any, Any, Any, Any]:
    """A file of vectors, the same dense as it has them, texts with a gradient, and the right vectors."""
    from tacenda_lab.train.sharded import VectorFile

    random = torch.Generator().manual_seed(3)
    dense = (torch.randn(COUNT, WIDTH, generator=random) * scale).half().float()
    file = VectorFile(path, COUNT, WIDTH, **options)
    file.write(0, dense[:9])
    file.write(9, dense[9:])
    x = torch.randn(TEXTS, WIDTH, generator=random).mul(scale).requires_grad_()
    return file, dense, x, torch.tensor([0, 22, 9, 9])


@pytest.mark.parametrize("shard_bytes", [1, 300, 10**6])
@pytest.mark.parametrize("smoothing", [0.0, 0.1])
@pytest.mark.parametrize("scale", [1.0, 100.0])
def test_loss_and_gradient_are_those_of_the_dense_softmax(
    tmp_path: Path, shard_bytes: int, smoothing: float, scale: float
) -> None:
    """In shards of one vector, of some and of all; with scores of tens of thousands, too."""
    from tacenda_lab.train.sharded import softmax_loss

    file, dense, x, right = filled(tmp_path / "v", scale, shard_bytes=shard_bytes)
    loss = softmax_loss(x, file, right, smoothing)
    (3 * loss).backward()
    other = x.detach().clone().requires_grad_()
    wanted = torch.nn.functional.cross_entropy(other @ dense.T, right, label_smoothing=smoothing)
    (3 * wanted).backward()
    assert loss.item() == pytest.approx(wanted.item(), rel=1e-5, abs=1e-4)
    assert torch.allclose(x.grad, other.grad, rtol=1e-4, atol=1e-5 * scale)


def test_ranks_and_neighbours_are_those_of_all_scores(tmp_path: Path) -> None:
    """The rank counts who is above; the nearest come from every shard."""
    from tacenda_lab.train.sharded import nearest, ranks

    file, dense, x, right = filled(tmp_path / "v", shard_bytes=300)
    scores = x.detach() @ dense.T
    own = scores[torch.arange(TEXTS), right]
    assert torch.equal(ranks(x.detach(), file, right), 1 + (scores > own[:, None]).sum(1))
    assert torch.equal(nearest(x.detach(), file, 6), scores.topk(6, dim=1).indices)


def test_equal_vectors_find_nobody(tmp_path: Path) -> None:
    """Who is like all others has the middle rank, not the first."""
    from tacenda_lab.train.sharded import VectorFile, ranks

    file = VectorFile(tmp_path / "v", 11, 2, shard_bytes=50)
    file.write(0, torch.ones(11, 2))
    assert ranks(torch.ones(1, 2), file, torch.tensor([4])).tolist() == [6]


def test_a_shard_takes_no_more_memory_than_it_may(tmp_path: Path) -> None:
    """A shard's vectors in 16 and 32 bits, with two scores a text and vector; two bytes a number on disk."""
    file, *_ = filled(tmp_path / "v", shard_bytes=400)
    sizes = [len(shard) for _, shard in file.shards(TEXTS)]
    assert sum(sizes) == COUNT
    assert max(sizes) * (6 * WIDTH + 8 * TEXTS) <= 400
    assert (tmp_path / "v").stat().st_size == 2 * COUNT * WIDTH


def test_numbers_that_16_bits_cant_hold_are_refused(tmp_path: Path) -> None:
    """An encoder that explodes writes no infinities."""
    from tacenda_lab.train.sharded import VectorFile

    with pytest.raises(OverflowError, match="non-finite numbers"):
        VectorFile(tmp_path / "v", 1, 1).write(0, torch.tensor([[1e6]]))
