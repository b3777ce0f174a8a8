"""No question is asked twice."""

from __future__ import annotations

from tacenda.models.networks import Question
from tacenda_lab.indicators.language import CachedLanguageModel

from .fake import Words


def test_a_question_is_asked_once_until_it_is_forgotten() -> None:
    """Known answers come from memory; the oldest of more than it holds is asked anew."""
    words = Words()
    model = CachedLanguageModel(words, capacity=2)
    one, two, three = (Question((1, 0, number), (1,), (number,)) for number in (1, 2, 3))
    first = model.answer([one, two, one])
    assert words.asked == [one, two]
    assert [float(answer[0]) for answer in first] == [
        float(answer[0]) for answer in Words().answer([one, two, one])
    ]
    model.answer([one, two])
    assert words.asked == [one, two]
    assert float(model.answer([three, one])[1][0]) == float(first[0][0])
    model.answer([two, three])
    model.answer([one])
    assert words.asked == [one, two, three, one]
    assert (model.name, model.window, model.mask_id) == (words.name, words.window, words.mask_id)
