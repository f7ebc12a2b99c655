// Hands the generated parser to py-tree-sitter. Compiled twice: as gcn_lsp._tree_sitter_gcn, and, with MODULE defined,
// as tree_sitter_amdgpu._binding of the grammar's own package.

#include <Python.h>

#ifndef MODULE
#define MODULE _tree_sitter_gcn
#endif

#define TEXT_OF(name) #name
#define AS_TEXT(name) TEXT_OF(name)
#define JOIN(first, second) first##second
#define INITIALISER(name) JOIN(PyInit_, name)

typedef struct TSLanguage TSLanguage;

const TSLanguage *tree_sitter_amdgpu(void);

// py-tree-sitter takes the language from a capsule of this name.
static PyObject *language(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(arguments)) {
    return PyCapsule_New((void *)tree_sitter_amdgpu(), "tree_sitter.Language", NULL);
}

static PyMethodDef methods[] = {
    {"language", language, METH_NOARGS, "The grammar, for `tree_sitter.Language`."},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef_Slot slots[] = {
#ifdef Py_GIL_DISABLED
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL},
};

static struct PyModuleDef module = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = AS_TEXT(MODULE),
    .m_doc = "The tree-sitter grammar of AMD GPU assembly.",
    .m_size = 0,
    .m_methods = methods,
    .m_slots = slots,
};

PyMODINIT_FUNC INITIALISER(MODULE)(void) { return PyModuleDef_Init(&module); }
