// gcn_lsp._tree_sitter_gcn: hands the generated parser to py-tree-sitter.

#include <Python.h>

typedef struct TSLanguage TSLanguage;

const TSLanguage *tree_sitter_gcn(void);

// py-tree-sitter takes the language from a capsule of this name.
static PyObject *language(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(arguments)) {
    return PyCapsule_New((void *)tree_sitter_gcn(), "tree_sitter.Language", NULL);
}

static PyMethodDef methods[] = {
    {"language", language, METH_NOARGS, "The grammar, for `tree_sitter.Language`."},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef_Slot slots[] = {{0, NULL}};

static struct PyModuleDef module = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "_tree_sitter_gcn",
    .m_doc = "The tree-sitter grammar of AMD GPU assembly.",
    .m_size = 0,
    .m_methods = methods,
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit__tree_sitter_gcn(void) { return PyModuleDef_Init(&module); }
