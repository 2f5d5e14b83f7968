"""Encoders from scratch: packed text, the masked and the hybrid objective, `gec-fair pretrain mlm`."""
