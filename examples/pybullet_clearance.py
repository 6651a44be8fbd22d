"""How far apart are two balls of a PyBullet world, before and after one of them has moved?"""

import pybullet

from esi_fast import geometry as geo

pybullet.connect(pybullet.DIRECT)
ball = pybullet.createCollisionShape(pybullet.GEOM_SPHERE, radius=0.2)
bodies = [pybullet.createMultiBody(1.0, ball, basePosition=[x, 0, 0]) for x in (0, 2)]
world = geo.interop.from_pybullet(pybullet)
print(geo.distance.object_distance(world.scene, *bodies).distance)
pybullet.resetBasePositionAndOrientation(bodies[1], [0.5, 0, 0], [0, 0, 0, 1])
world.update()
print(geo.distance.object_distance(world.scene, *bodies).distance)
