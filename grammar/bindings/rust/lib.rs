//! The tree-sitter grammar of AMD GPU assembly: GCN, CDNA and RDNA in LLVM's syntax.
//!
//! ```
//! let mut parser = tree_sitter::Parser::new();
//! parser.set_language(&tree_sitter_amdgpu::LANGUAGE.into()).unwrap();
//! let tree = parser.parse("v_add_f32 v0, v1, v2\n", None).unwrap();
//! assert!(!tree.root_node().has_error());
//! ```

use tree_sitter_language::LanguageFn;

extern "C" {
    fn tree_sitter_amdgpu() -> *const ();
}

/// The grammar.
pub const LANGUAGE: LanguageFn = unsafe { LanguageFn::from_raw(tree_sitter_amdgpu) };

/// The types of nodes, as JSON.
pub const NODE_TYPES: &str = include_str!("../../src/node-types.json");
/// What is coloured how.
pub const HIGHLIGHTS_QUERY: &str = include_str!("../../queries/highlights.scm");
/// What can be folded away.
pub const FOLDS_QUERY: &str = include_str!("../../queries/folds.scm");
/// What is indented.
pub const INDENTS_QUERY: &str = include_str!("../../queries/indents.scm");
/// What is in another language.
pub const INJECTIONS_QUERY: &str = include_str!("../../queries/injections.scm");
/// Where names are defined and used.
pub const LOCALS_QUERY: &str = include_str!("../../queries/locals.scm");
/// What a file defines and calls.
pub const TAGS_QUERY: &str = include_str!("../../queries/tags.scm");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_a_kernel() {
        let mut parser = tree_sitter::Parser::new();
        parser.set_language(&LANGUAGE.into()).unwrap();
        let tree = parser.parse("kernel:\n  v_add_f32 v0, v1, v2\n  s_endpgm\n", None).unwrap();
        assert!(!tree.root_node().has_error());
    }

    #[test]
    fn queries_fit_the_grammar() {
        for query in [HIGHLIGHTS_QUERY, FOLDS_QUERY, INDENTS_QUERY, INJECTIONS_QUERY, LOCALS_QUERY, TAGS_QUERY] {
            tree_sitter::Query::new(&LANGUAGE.into(), query).unwrap();
        }
    }
}
