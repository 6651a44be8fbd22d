"""How much do a low and a high eye see of a ball that has fallen behind a wall in MuJoCo?"""

import mujoco

from esi_fast import geometry as geo

WORLD = """<mujoco><worldbody><geom type="box" size=".1 1 1" pos="1 0 0"/>
  <body pos="2 0 2.5"><freejoint/><geom size=".3"/></body></worldbody></mujoco>"""
data = mujoco.MjData(model := mujoco.MjModel.from_xml_string(WORLD))
mujoco.mj_forward(model, data)
world = geo.interop.from_mujoco(model, data)
mujoco.mj_step(model, data, nstep=300)
world.update(data)
print(geo.occlusion.visible_fraction(world.scene, [(0, 0, 0.5), (0, 0, 6)], object_id=1))
