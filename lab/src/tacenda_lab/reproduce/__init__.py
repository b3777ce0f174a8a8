"""The tables and figures of the five papers, made anew from the files that their authors release.

| number | paper |
|---|---|
| 000 | Pilán et al. (2022), *The Text Anonymization Benchmark (TAB)* |
| 001 | Papadopoulou et al. (2022), *Neural Text Sanitization with Explicit Measures of Privacy Risk* |
| 002 | Morris et al. (2022), *Unsupervised Text Deidentification* |
| 003 | Olstad et al. (2023), *Generation of Replacement Options in Text Sanitization* |
| 004 | Papadopoulou et al. (2023), *Neural Text Sanitization with Privacy Risk Indicators* |

``tables`` has the forms and the run, each other module one paper, ``toy`` small files of the same forms.
"""
