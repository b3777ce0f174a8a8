"""The tables and figures of the five papers, remade from the files the authors released.

| name | number | paper |
|---|---|---|
| tab | 000 | Pilán et al. (2022), *The Text Anonymization Benchmark (TAB)* |
| explicit-measures | 001 | Papadopoulou et al. (2022), *Neural Text Sanitization with Explicit Measures of Privacy Risk* |
| deidentification | 002 | Morris et al. (2022), *Unsupervised Text Deidentification* |
| replacement | 003 | Olstad et al. (2023), *Generation of Replacement Options in Text Sanitization* |
| indicators | 004 | Papadopoulou et al. (2023), *Neural Text Sanitization with Privacy Risk Indicators* |

``tables`` defines the tables and runs them; each other module covers one paper; ``toy`` writes
small files in the same formats.
"""
