# SPDX-License-Identifier: GPL-2.0-or-later
"""encode() and decode() of numpy-hilbert-curve, for the calls that RFold makes: Hilbert's curve by
the transformation of Skilling, "Programming the Hilbert curve", 2004."""
import numpy


def transpose(x, bits, back):
    """Coordinates to the index's bits, one word a dimension, or back; in place."""
    n, levels = len(x), [1 << i for i in range(1, bits)]
    if back:
        ungray(x, x[n - 1] >> 1)
    for level in levels if back else reversed(levels):
        low = level - 1
        for i in reversed(range(n)) if back else range(n):
            swap = 0 if x[i] & level else (x[0] ^ x[i]) & low
            x[0] ^= swap if swap or not x[i] & level else low
            x[i] ^= swap
    if not back:
        gray(x, bits)


def ungray(x, carry):
    for i in range(len(x) - 1, 0, -1):
        x[i] ^= x[i - 1]
    x[0] ^= carry


def gray(x, bits):
    for i in range(1, len(x)):
        x[i] ^= x[i - 1]
    flip = 0
    for i in range(1, bits):
        if x[-1] >> i & 1:
            flip ^= (1 << i) - 1
    for i in range(len(x)):
        x[i] ^= flip


def encode(places, num_dims, num_bits):
    index = []
    for place in places:
        x = [int(at) for at in place]
        transpose(x, num_bits, False)
        index.append(sum((x[d] >> b & 1) << (b * num_dims + num_dims - 1 - d)
                         for b in range(num_bits) for d in range(num_dims)))
    return numpy.array(index)


def decode(indices, num_dims, num_bits):
    places = []
    for index in numpy.ravel(indices):
        x = [sum((int(index) >> (b * num_dims + num_dims - 1 - d) & 1) << b
                 for b in range(num_bits)) for d in range(num_dims)]
        transpose(x, num_bits, True)
        places.append(x)
    return numpy.array(places)
