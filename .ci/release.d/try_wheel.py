"""Uses an installed package: try_wheel.py VERSION SAMPLE. Writes a file into the current directory."""

import sys

import linkstream as ls
import numpy as np

version, sample = sys.argv[1:]
assert ls.__version__ == version, ls.__version__
assert ls.check(sample)["verdict"] == "ok"
field = ls.open(sample)[0]
links = field.numpy()
assert links.shape == (8, 4, 4, 4, 4, 3, 3) and links.dtype == np.complex64, (links.shape, links.dtype)
# The links of a gauge configuration are unitary.
product = links @ links.conj().swapaxes(-1, -2)
assert np.allclose(product, np.eye(3), atol=1e-5)
damaged = bytearray(open(sample, "rb").read())
damaged[50_000] ^= 1
try:
    ls.open(bytes(damaged))[0].numpy()
except ls.ChecksumError as error:
    print("damage is noticed:", error)
else:
    sys.exit("damage was not noticed")
print("linkstream", version, "with NumPy", np.__version__, "on", sys.platform, "works")
