"""BART as a corrector (Lewis et al. 2020; Katsumata and Komachi 2020): it reads a sentence and writes it anew."""
