"""How much of a liquid still hangs together after a splash, from particles in an array."""

import numpy as np

from esi_fast import geometry as geo

rng = np.random.default_rng(0)
pool = np.mgrid[0:40, 0:40, 0:10].reshape(3, -1).T * 0.02
drops = rng.uniform((0, 0, 0.3), (0.8, 0.8, 1.0), (500, 3))
water = np.concatenate([pool, drops])
largest = geo.particles.largest_component(water, radius=0.02)
print(f"{largest.size} of {len(water)} particles are one body of water")
