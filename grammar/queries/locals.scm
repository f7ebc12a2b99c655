; Where names are defined and used. A macro's parameters are its own; labels and symbols belong to the file.

(source_file) @local.scope

(macro_definition) @local.scope

(repetition) @local.scope

(label
  name: (identifier) @local.definition.label)

(assignment
  name: (identifier) @local.definition.var)

(macro_definition
  name: (identifier) @local.definition.macro)

(parameter
  name: (identifier) @local.definition.parameter)

(repetition
  parameter: (identifier) @local.definition.parameter)

(identifier) @local.reference

(local_label_reference) @local.reference

(macro_argument) @local.reference
