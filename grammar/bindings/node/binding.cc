// Hands the generated parser to node-tree-sitter.

#include <napi.h>

typedef struct TSLanguage TSLanguage;

extern "C" TSLanguage *tree_sitter_amdgpu();

// By this tag node-tree-sitter knows that the pointer is a language.
const napi_type_tag LANGUAGE_TYPE_TAG = {0x8AF2E5212AD58ABF, 0xD5006CAD83ABBA16};

Napi::Object Init(Napi::Env env, Napi::Object exports) {
    auto language = Napi::External<TSLanguage>::New(env, tree_sitter_amdgpu());
    language.TypeTag(&LANGUAGE_TYPE_TAG);
    exports["name"] = Napi::String::New(env, "amdgpu");
    exports["language"] = language;
    return exports;
}

NODE_API_MODULE(tree_sitter_amdgpu_binding, Init)
