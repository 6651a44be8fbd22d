#include <pybind11/stl.h>
#include <pybind11/typing.h>

#include <memory>
#include <string>
#include <vector>

#include "bindings/array_in.hpp"
#include "core/render.hpp"
#include "core/scene.hpp"

namespace py = pybind11;
using esi::Vec3f;
namespace picture = esi::picture;

namespace {

template <class T>
struct Named {
  const char* name;
  T value;
};

constexpr Named<picture::MaterialKind> kKinds[] = {
    {"diffuse", picture::MaterialKind::diffuse},
    {"mirror", picture::MaterialKind::mirror},
    {"glass", picture::MaterialKind::glass},
    {"emissive", picture::MaterialKind::emissive},
};

constexpr Named<picture::TextureKind> kTextures[] = {
    {"none", picture::TextureKind::none},       {"wood", picture::TextureKind::wood},
    {"planks", picture::TextureKind::planks},   {"tile", picture::TextureKind::tile},
    {"fabric", picture::TextureKind::fabric},   {"paper", picture::TextureKind::paper},
    {"checker", picture::TextureKind::checker}, {"brick", picture::TextureKind::brick},
    {"grass", picture::TextureKind::grass},     {"noise", picture::TextureKind::noise},
    {"stripes", picture::TextureKind::stripes}, {"image", picture::TextureKind::image},
};

constexpr Named<picture::LightKind> kLights[] = {
    {"point", picture::LightKind::point},
    {"sun", picture::LightKind::sun},
    {"spot", picture::LightKind::spot},
};

template <class T, std::size_t N>
T value_of(const Named<T> (&table)[N], const std::string& name, const char* parameter) {
  for (const auto& entry : table) {
    if (name == entry.name) return entry.value;
  }
  throw py::value_error(std::string(parameter) + ": unknown " + name);
}

template <std::size_t N, class T>
std::vector<std::string> names_of(const Named<T> (&table)[N]) {
  std::vector<std::string> names;
  for (const auto& entry : table) names.emplace_back(entry.name);
  return names;
}

Vec3f color_in(const py::object& object, const char* name) {
  return static_cast<Vec3f>(esi::array_in<double>(object, name, {3}).vector(0));
}

// A material together with the image that it may show.
struct CompiledMaterial {
  picture::Material material;
  std::shared_ptr<picture::ImageTexture> image;
};

CompiledMaterial make_material(const std::string& kind, const std::string& texture,
                               const py::object& color, const py::object& second,
                               const py::object& tint, float scale, float ior, float gloss,
                               const py::object& image) {
  CompiledMaterial out;
  out.material.kind = value_of(kKinds, kind, "kind");
  out.material.texture = value_of(kTextures, texture, "texture");
  out.material.color = color_in(color, "color");
  out.material.second = color_in(second, "second");
  out.material.tint = color_in(tint, "tint");
  out.material.scale = scale;
  out.material.ior = ior;
  out.material.gloss = gloss;
  if (!image.is_none()) {
    const auto pixels = esi::array_in<std::uint8_t>(image, "image", {"h", "w", 3});
    out.image = std::make_shared<picture::ImageTexture>(
        pixels.data(), static_cast<int>(pixels.shape(1)), static_cast<int>(pixels.shape(0)));
    out.material.image = out.image.get();
  }
  return out;
}

picture::Light make_light(const std::string& kind, const py::object& position,
                          const py::object& direction, const py::object& color, float radius,
                          float cos_outer, float cos_inner) {
  picture::Light out;
  out.kind = value_of(kLights, kind, "kind");
  out.position = esi::array_in<double>(position, "position", {3}).vector(0);
  out.direction = esi::array_in<double>(direction, "direction", {3}).vector(0);
  out.color = color_in(color, "color");
  out.radius = radius;
  out.cos_outer = cos_outer;
  out.cos_inner = cos_inner;
  return out;
}

// Images by name, for those names that were asked for.
py::typing::Dict<py::str, py::array> render(picture::Renderer& renderer, esi::Scene& scene,
                                            const py::object& pose, int width, int height,
                                            double focal,
                                            const std::vector<const CompiledMaterial*>& materials,
                                            const std::vector<picture::Light>& lights,
                                            const picture::Options& options,
                                            const std::vector<std::string>& modalities) {
  const auto matrix = esi::array_in<double>(pose, "pose", {4, 4});
  picture::View view;
  std::copy(matrix.data(), matrix.data() + 12, view.pose.m.begin());
  view.width = width;
  view.height = height;
  view.focal = focal;
  view.center_x = 0.5 * width;
  view.center_y = 0.5 * height;
  std::vector<picture::Material> plain;
  plain.reserve(materials.size());
  for (const CompiledMaterial* material : materials) plain.push_back(material->material);

  py::typing::Dict<py::str, py::array> out;
  picture::Targets targets;
  const py::ssize_t h = height, w = width;
  const auto image = [&](const std::string& name, auto& target, int channels) {
    using T = std::remove_pointer_t<std::remove_reference_t<decltype(target)>>;
    if (std::find(modalities.begin(), modalities.end(), name) == modalities.end()) return;
    const std::vector<py::ssize_t> shape =
        channels == 1 ? std::vector<py::ssize_t>{h, w} : std::vector<py::ssize_t>{h, w, channels};
    py::array_t<T> array(shape);
    target = array.mutable_data();
    out[py::str(name)] = array;
  };
  image("rgb", targets.rgb, 3);
  image("radiance", targets.radiance, 3);
  image("depth", targets.depth, 1);
  image("ids", targets.ids, 1);
  image("seen_ids", targets.seen_ids, 1);
  image("normals", targets.normals, 3);
  image("through", targets.through, 1);
  {
    const py::gil_scoped_release release;
    renderer.render(scene, view, plain, lights, options, targets);
  }
  return out;
}

}  // namespace

void register_render(py::module_& m) {
  m.doc() = "Pictures of a scene.";

  py::class_<CompiledMaterial>(m, "Material", "A surface's look in linear light.")
      .def(py::init(&make_material), py::kw_only(), py::arg("kind"), py::arg("texture"),
           py::arg("color"), py::arg("second"), py::arg("tint"), py::arg("scale"), py::arg("ior"),
           py::arg("gloss"), py::arg("image"));

  py::class_<picture::Light>(m, "Light", "A light; radius is the tangent of half a sun's diameter.")
      .def(py::init(&make_light), py::kw_only(), py::arg("kind"), py::arg("position"),
           py::arg("direction"), py::arg("color"), py::arg("radius"), py::arg("cos_outer"),
           py::arg("cos_inner"));

  py::class_<picture::Options>(m, "Options", "Settings of a picture.")
      .def(py::init([](int samples, int shadow_samples, int ao_samples, float ao_distance,
                       int mirror_depth, int threads, bool smooth, bool filmic, float exposure,
                       float ground, const py::object& ambient, const py::object& background,
                       const py::object& zenith) {
             picture::Options o;
             o.samples = samples;
             o.shadow_samples = shadow_samples;
             o.ao_samples = ao_samples;
             o.ao_distance = ao_distance;
             o.mirror_depth = mirror_depth;
             o.threads = threads;
             o.smooth = smooth;
             o.filmic = filmic;
             o.exposure = exposure;
             o.ground = ground;
             o.ambient = color_in(ambient, "ambient");
             o.background = color_in(background, "background");
             o.zenith = color_in(zenith, "zenith");
             return o;
           }),
           py::kw_only(), py::arg("samples"), py::arg("shadow_samples"), py::arg("ao_samples"),
           py::arg("ao_distance"), py::arg("mirror_depth"), py::arg("threads"), py::arg("smooth"),
           py::arg("filmic"), py::arg("exposure"), py::arg("ground"), py::arg("ambient"),
           py::arg("background"), py::arg("zenith"));

  py::class_<picture::Renderer>(m, "Renderer",
                                "Renders one scene again and again, keeping what it built for it.")
      .def(py::init<>())
      .def("render", &render, py::arg("scene"), py::kw_only(), py::arg("pose"), py::arg("width"),
           py::arg("height"), py::arg("focal"), py::arg("materials"), py::arg("lights"),
           py::arg("options"), py::arg("modalities"));

  m.def("kinds", [] { return names_of(kKinds); }, "Names of the material kinds.");
  m.def("textures", [] { return names_of(kTextures); }, "Names of the textures.");
}
