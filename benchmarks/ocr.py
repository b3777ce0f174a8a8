"""Generated scans with planted names: words read right, and names that another reading still finds.

python -m benchmarks ocr --pages 12
"""

from __future__ import annotations

import argparse
import random
import re
import time
from collections import Counter

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from tacenda.documents.ocr.covering import covered, patch
from tacenda.documents.ocr.files import edited
from tacenda.documents.ocr.scans import scanned
from tacenda.documents.ocr.tesseract import words
from tacenda.pipeline import Sanitizer
from tacenda.policy import Policy

GIVEN = "Galip Anna Priya Tomasz Ines Oluwaseun Katarina Bjarne Maeve Dmitri".split()
FAMILY = "Yalman Berg Nair Kowalczyk Quintela Adeyemi Horvat Thorsen Gallagher Sokolov".split()
SENTENCES = (
    "The application was lodged by {} against the decision of the regional court.",
    "On the following day {} wrote to the registry and asked for a copy of the file.",
    "My dear {}, thank you for your letter and for the books that came with it.",
    "The court heard {} as a witness and found the statement to be consistent.",
    "The nurse noted that {} had slept badly and complained of pain in the left knee.",
    "Please send the invoice to {} before the end of the month, as we agreed.",
)
SPOILS = {  # skew in degrees, blur in dots, noise in grey values, grey of the ink
    "clean": (0.0, 0.0, 0.0, 0),
    "skewed": (1.5, 0.6, 6.0, 30),
    "blurred": (0.5, 1.6, 10.0, 50),
    "noisy": (-1.0, 0.8, 28.0, 60),
}


def page(chance: random.Random, kind: str) -> tuple[Image.Image, str, str]:
    """Return a scan at 200 dots an inch, its text, and the name planted in it."""
    name = f"{chance.choice(GIVEN)} {chance.choice(FAMILY)}"
    skew, blur, noise, ink = SPOILS[kind]
    text = " ".join(chance.choice(SENTENCES).format(name) for _ in range(14))
    image = Image.new("L", (1654, 1400), 255)
    draw, font = ImageDraw.Draw(image), ImageFont.load_default(chance.choice((28, 32, 36)))
    x, y = 150, 150
    for word in text.split():
        length = font.getlength(word + " ")
        if x + length > 1500:
            x, y = 150, y + 52
        draw.text((x, y), word, fill=ink, font=font)
        x += int(length)
    image = image.rotate(skew, Image.Resampling.BICUBIC, fillcolor=255)
    image = image.filter(ImageFilter.GaussianBlur(blur))
    dots = np.asarray(image) + np.random.default_rng(chance.randrange(2**32)).normal(
        0, noise, image.size[::-1]
    )
    return Image.fromarray(dots.clip(0, 255).astype(np.uint8)), text, name


def main(parser: argparse.ArgumentParser) -> None:
    """Print a line for each kind of scan."""
    parser.add_argument("--pages", type=int, default=12)
    count = max(1, parser.parse_args().pages // len(SPOILS))
    sanitizer = Sanitizer(Policy(recognizer=False, threshold=0.5), None, 0.5)
    print(
        "| scans | pages | words read right | names read | names left | unread regions | s a page |"
    )
    for kind in SPOILS:
        chance = random.Random(kind)
        right = total = names = planted = left = unread = 0
        begin = time.perf_counter()
        for _ in range(count):
            image, text, name = page(chance, kind)
            scan = scanned(image, "eng", "a")
            content, _ = scan.text()
            right += (Counter(text.split()) & Counter(content.split())).total()
            total += len(text.split())
            family = name.split()[1]
            planted += text.count(family)
            names += content.count(family)
            unread += len(scan.unread)
            result = sanitizer.sanitize(content, target=name)
            boxes = [*edited(scan, result, 0), *map(patch, scan.unread)]
            output, _ = covered(image, boxes, scan, result, "eng", "picture 1")
            # Neither reading of the product: another layout, and twice the size.
            large = output.resize((2 * output.width, 2 * output.height)).filter(
                ImageFilter.MedianFilter(3)
            )
            again = " ".join(word.text for word in words(large, "eng", "a"))
            left += len(re.findall("|".join(name.split()), again))
        seconds = (time.perf_counter() - begin) / count
        print(
            f"| {kind} | {count} | {right / total:.1%} | {names} of {planted} | {left} | {unread} | {seconds:.1f} |"
        )
