"""Which bodies of a MuJoCo world does a camera see in a mirror, while they move?

    python examples/mujoco_mirror.py

The kernels need nothing but arrays: ``from_mujoco`` reads the geoms once, ``update`` moves them.
"""

from __future__ import annotations

import mujoco
import numpy as np

from esi_fast import geometry as geo
from esi_fast.geometry.mirror import Mirror, sees

WORLD = """
<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="4 4 1"/>
    <body name="mirror" pos="2 0 1"><geom type="box" size=".02 .6 .9"/></body>
    <body name="screen" pos="0 -.4 1"><geom type="box" size=".5 .03 1"/></body>
    <body name="ball" pos="-.4 1.2 .3"><freejoint/><geom type="sphere" size=".15"/></body>
    <body name="crate" pos="-.5 .9 4"><freejoint/><geom type="box" size=".2 .2 .2"/></body>
  </worldbody>
</mujoco>
"""


def main() -> list[tuple[float, dict[str, float]]]:
    """Prints and returns, for some moments, the share of each body that the mirror shows."""
    model = mujoco.MjModel.from_xml_string(WORLD)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    world = geo.interop.from_mujoco(model, data)
    names = [model.body(k).name for k in range(model.nbody)]
    panel = names.index("mirror")
    # The mirror faces -x: its local +X is turned by half a turn about z.
    mirror = Mirror.on_box(
        data.xpos[panel], geo.transforms.yaw_quat(np.pi), (0.04, 1.2, 1.8), object_id=panel
    )
    camera = geo.Camera.looking_at((-0.2, -1.2, 1.2), mirror.center, vfov_deg=50)
    seen = []
    for _ in range(6):
        view = sees(world.scene, camera, mirror)
        shares = {
            names[k]: round(float(share), 3)
            for k, share in zip(view.object_id, view.fraction, strict=True)
        }
        seen.append((data.time, shares))
        print(f"{data.time:.2f} s", shares)
        for _ in range(100):
            mujoco.mj_step(model, data)
        world.update(data)
    return seen


if __name__ == "__main__":
    main()
