#include "core/embree.hpp"

#include <string>

#include "core/embree_api.hpp"
#include "core/error.hpp"

namespace esi {

int embree_version() {
  RTCDevice device = rtcNewDevice("threads=1");
  if (device == nullptr) {
    throw EmbreeError("Embree could not be started (error " +
                      std::to_string(static_cast<int>(rtcGetDeviceError(nullptr))) +
                      "); it needs a processor with at least SSE2");
  }
  const auto version = rtcGetDeviceProperty(device, RTC_DEVICE_PROPERTY_VERSION);
  rtcReleaseDevice(device);
  return static_cast<int>(version);
}

void require_embree() {
  // Layouts of rays and hits may differ between minor versions, silently: patch levels are equal.
  const int found = embree_version();
  if (found / 100 != RTC_VERSION / 100) {
    throw EmbreeError("built for Embree " + std::to_string(RTC_VERSION) + ", but found " +
                      std::to_string(found) + "; reinstall esi-fast in this environment");
  }
}

}  // namespace esi
