interface TypeName {
  type: string;
  named: boolean;
}

interface Child {
  multiple: boolean;
  required: boolean;
  types: TypeName[];
}

interface NodeType extends TypeName {
  subtypes?: TypeName[];
  fields?: { [name: string]: Child };
  children?: Child;
}

/** The grammar, for `parser.setLanguage` of the package `tree-sitter`. */
declare const gcn: {
  name: "amdgpu";
  language: unknown;
  nodeTypeInfo: NodeType[];
  readonly FOLDS_QUERY: string;
  readonly HIGHLIGHTS_QUERY: string;
  readonly INDENTS_QUERY: string;
  readonly INJECTIONS_QUERY: string;
  readonly LOCALS_QUERY: string;
  readonly TAGS_QUERY: string;
};

export = gcn;
