"""What risk indicators learn: the span classifier, curves of calibration, and how to combine.

cases      annotated documents -> entities with the share of annotators that mask them
fitting    cases -> curves and weights; what each indicator is worth to the others
recipe     all of it, from the corpora to the folder that is shipped
"""
