"""How much of what a corpus is about survives masking, by embeddings of its documents.

- ``embedding``: what maps texts to vectors: ``lsa``, latent semantic analysis of ``word_weights``,
  offline; or ``sentence_encoder``, one of the user's
- ``kmeans``: clusters of vectors; ``partitions``: how alike two clusterings are (NMI, ARI)
- ``survival``, ``measure``, ``figures``: of a system's masks
- ``naming``, ``terminal``: what users type and see
"""
