// Which Embree is in use.
#pragma once

namespace esi {

// Version of the library found at run time, 40400 for 4.4.0.
int embree_version();

// Throws EmbreeError unless the library found at run time has the interface compiled against.
void require_embree();

}  // namespace esi
