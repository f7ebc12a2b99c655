#ifndef TREE_SITTER_AMDGPU_H_
#define TREE_SITTER_AMDGPU_H_

typedef struct TSLanguage TSLanguage;

#ifdef __cplusplus
extern "C" {
#endif

const TSLanguage *tree_sitter_amdgpu(void);

#ifdef __cplusplus
}
#endif

#endif
