"""The way from one room into the other on a NumPy map, through the door in the wall between."""

import numpy as np

from esi_fast import geometry as geo

free = np.ones((60, 80), dtype=bool)
free[:, 40] = False
free[50:53, 40] = True
floor = geo.gridmap.GridMap(free, resolution=0.1)
path = geo.gridmap.shortest_path(floor, (5, 5), (5, 75))
print(f"{path.distance:.3f} m over {len(path.cells)} cells, {path.diagonal} diagonal steps")
