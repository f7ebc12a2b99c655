/**
 * Assembly for AMD GPUs: the shape of statements, operands and blocks; what a name means is not decided here.
 *
 * The grammar is a function of the dialect, because the dialects share everything but comments and separators.
 * A parser for another one than LLVM's: `GCN_DIALECT=clrx tree-sitter generate --abi 14 --output DIRECTORY`, and
 * a scanner.c that matches its separators under its name.
 */

/// <reference types="tree-sitter-cli/dsl" />
// @ts-check

// Higher binds tighter. The order of the operators is that of GNU syntax, which LLVM follows here.
const PREC = {
  operand: 1,
  logical_or: 1,
  logical_and: 2,
  comparison: 3,
  additive: 4,
  bitwise: 5,
  multiplicative: 6,
  unary: 7,
  postfix: 8,
};

const DIALECTS = {
  // LLVM's assembler: a line is a statement, `;` and `//` start comments, `#` does at the start of a line only.
  llvm: {
    name: "amdgpu",
    line_comment: /;[^\r\n]*|\/\/[^\r\n]*/,
  },
  // CLRadeonExtender's: `;` separates statements, `#` and `//` start comments.
  clrx: {
    name: "amdgpu_clrx",
    line_comment: /#[^\r\n]*|\/\/[^\r\n]*/,
  },
};

const NAME = /[A-Za-z_$?][A-Za-z0-9_$?.@]*/;
const DOT_NAME = /\.[A-Za-z0-9_$?.@]*/;
// `\name`; `\@` and `\+` count expansions; `\()` is nothing, it ends a name.
const MACRO_ARGUMENT = /\\([A-Za-z_$.][A-Za-z0-9_$.]*|[@+]|\(\))/;

const BINARY_OPERATORS = [
  [PREC.logical_or, "||"],
  [PREC.logical_and, "&&"],
  [PREC.comparison, choice("==", "!=", "<>", "<", "<=", ">", ">=")],
  [PREC.additive, choice("+", "-")],
  [PREC.bitwise, choice("|", "^", "&", "!")],
  [PREC.multiplicative, choice("*", "/", "%", "<<", ">>")],
];

/** `token`, which closes something, or that it is missing at the end of a line. */
function closed(token, $) {
  return choice(token, alias($._missing_close, $.missing));
}

const SIGN = choice("-", "+", "~", "!");

/** A comma with an operand after it, or alone. */
function afterComma(operand, $) {
  return choice(alias(",", $.empty_operand), prec(PREC.operand, seq(",", field("operand", operand))));
}

/** The same where nothing is before the comma. */
function firstComma(operand, $) {
  const empty = alias(",", $.empty_operand);
  return choice(empty, prec(PREC.operand, seq(empty, field("operand", operand))));
}

/** @param {{name: string, line_comment: RegExp}} dialect */
function defineGrammar(dialect) {
  return grammar({
    name: dialect.name,

    extras: ($) => [/[ \t\f\v]/, $.comment],

    // The scanner (src/scanner.c) matches the words that open and close blocks, so that a word which closes
    // nothing, and a block that is never closed, do not affect the rest of the file.
    //
    // Where a line ends too early, `missing` nodes of no width replace what it lacks, one after another.
    //
    // The last two tokens are for error recovery, and matched nowhere else: a line end after an error that the line's
    // own tokens did not repair can only end a whole line, so recovery continues at the next one. `skipped_line` is in no
    // rule: it makes it costly to run on into the next line, and it is valid only during error recovery.
    externals: ($) => [
      $._separator,
      $._implied_line_end,
      $._macro_open,
      $._macro_close,
      $._repeat_open,
      $._iterate_open,
      $._repeat_close,
      $._if_open,
      $._elseif,
      $._else,
      $._if_close,
      $._descriptor_open,
      $._descriptor_close,
      $._metadata_open,
      $.metadata_text,
      $._metadata_close,
      $._stray,
      $._unclosed,
      $._assignment_word,
      $.string_content,
      $.escape_sequence,
      $._adjacent_argument,
      $._adjacent_name,
      $._missing_expression,
      $._missing_close,
      $._error_line_end,
      $.skipped_line,
      $.listing_label,
      $._listing_text,
      $._register_file,
      $._register_before_bar,
      $._scanned_word,
    ],

    // The fewer rules a parse goes through, the less time it takes.
    inline: ($) => [
      $._leading_operand,
      $._name,
      $._word,
      $._expression,
      $._whole_operand,
      $._abs_operand,
      $._further_operand,
      $._whole_register,
    ],

    rules: {
      source_file: ($) => repeat($._line),

      block: ($) => repeat1($._line),

      _line: ($) =>
        choice(
          $._separator,
          seq($._statement, $._line_end),
          seq(optional($._labels), optional($._block_statement), $._error_line_end),
        ),

      // Of no width at the end of a file, and after a block left open, before what ends the block around it.
      _line_end: ($) => choice($._separator, $._implied_line_end),

      // A disassembler's labels and headings fill their lines: `0000000000001c00 <name>:`, `...`
      _statement: ($) =>
        choice($._labelled, $._command, $.listing_label, alias($._listing_text, $.comment)),

      _labelled: ($) => seq($._labels, optional($._command)),

      _labels: ($) => repeat1($.label),

      _command: ($) =>
        choice(
          $.instruction,
          $.dual_instruction,
          $.directive,
          $.assignment,
          $.stray_directive,
          $._block_statement,
          alias($._hash_comment, $.comment),
        ),

      _block_statement: ($) =>
        choice($.macro_definition, $.repetition, $.conditional, $.kernel_descriptor, $.metadata),

      // Statements

      label: ($) => seq(field("name", choice($._name, $.integer, $.string)), ":"),

      instruction: ($) => seq(field("mnemonic", $._word), optional($._instruction_operands)),

      dual_instruction: ($) => seq(field("first", $.instruction), "::", field("second", $.instruction)),

      directive: ($) =>
        seq(
          field("name", choice(alias($._dot_word, $.directive_name), alias($._pasted_dot_word, $.pasted))),
          optional($._operands),
        ),

      assignment: ($) =>
        choice(
          seq(field("name", $._name), field("operator", choice("=", "==")), field("value", $._expression)),
          seq(
            field("directive", alias($._assignment_word, $.directive_name)),
            field("name", choice($._name, $.string)),
            ",",
            field("value", $._expression),
          ),
        ),

      // Blocks

      macro_definition: ($) =>
        seq(
          field("directive", alias($._macro_open, $.directive_name)),
          choice(
            $._body_after_error,
            seq(
              field("name", $._name),
              optional(","),
              optional(field("parameters", $.parameters)),
              optional($._body),
            ),
          ),
          choice(field("end", alias($._macro_close, $.directive_name)), $._unclosed),
        ),

      _body: ($) => seq($._line_end, optional(field("body", $.block))),

      _body_after_error: ($) => seq($._error_line_end, optional(field("body", $.block))),

      parameters: ($) => seq($.parameter, repeat(seq(optional(","), $.parameter))),

      parameter: ($) =>
        seq(
          field("name", $._name),
          optional(seq(":", field("qualifier", $.identifier))),
          optional($._default),
        ),

      _default: ($) =>
        choice("=", prec(PREC.operand, seq("=", field("default", choice($._expression, $.modifier, $.angle_string))))),

      repetition: ($) =>
        seq(
          choice(
            seq(
              field("directive", alias($._repeat_open, $.directive_name)),
              choice($._body_after_error, seq(optional($._operands), optional($._body))),
            ),
            seq(
              field("directive", alias($._iterate_open, $.directive_name)),
              choice(
                $._body_after_error,
                seq(field("parameter", $._name), optional($._values), optional($._body)),
              ),
            ),
          ),
          choice(field("end", alias($._repeat_close, $.directive_name)), $._unclosed),
        ),

      conditional: ($) =>
        seq(
          field("directive", alias($._if_open, $.directive_name)),
          choice($._body_after_error, seq(optional($._operands), optional($._body))),
          repeat(field("alternative", choice($.elseif_clause, $.else_clause))),
          choice(field("end", alias($._if_close, $.directive_name)), $._unclosed),
        ),

      elseif_clause: ($) =>
        seq(
          field("directive", alias($._elseif, $.directive_name)),
          choice($._body_after_error, seq(optional($._operands), optional($._body))),
        ),

      else_clause: ($) =>
        seq(
          field("directive", alias($._else, $.directive_name)),
          optional(choice($._body_after_error, $._body)),
        ),

      kernel_descriptor: ($) =>
        seq(
          field("directive", alias($._descriptor_open, $.directive_name)),
          choice($._body_after_error, seq(optional(field("name", $._word)), optional($._body))),
          choice(field("end", alias($._descriptor_close, $.directive_name)), $._unclosed),
        ),

      metadata: ($) =>
        seq(
          field("directive", alias($._metadata_open, $.directive_name)),
          optional(seq(choice($._separator, $._error_line_end), optional(field("body", $.metadata_text)))),
          choice(field("end", alias($._metadata_close, $.directive_name)), $._unclosed),
        ),

      // A word that closes or continues a block where none is open.
      stray_directive: ($) =>
        seq(field("directive", alias($._stray, $.directive_name)), optional($._operands)),

      // Operands

      // Commas are optional, and one without an operand stands for an empty one: `a, b c,, d`.
      _operands: ($) =>
        seq(choice(field("operand", $._leading_operand), $._first_comma), repeat($._further_operand)),

      _further_operand: ($) => choice($._after_comma, field("operand", $._operand)),

      // The same after something else, so that its first comma only separates: `.irp name, 1, 2`
      _values: ($) => seq(choice(field("operand", $._leading_operand), $._after_comma), repeat($._further_operand)),

      _first_comma: ($) => firstComma($._leading_operand, $),

      _after_comma: ($) => afterComma($._leading_operand, $),

      _operand: ($) => choice($._expression, $.modifier, $.structure),

      // `<text>` and `%expression` are operators if something comes before them.
      _leading_operand: ($) =>
        choice($._operand, $.named_argument, $.angle_string, $.percent_expression, $.tag),

      // An instruction's are the same, but that a register by name ends before a `|`: `v1 |v2|` are two of them.
      _instruction_operands: ($) =>
        seq(
          choice(field("operand", choice($._leading_operand, $._whole_register)), $._first_instruction_comma),
          repeat(choice($._after_instruction_comma, field("operand", choice($._operand, $._whole_register)))),
        ),

      _first_instruction_comma: ($) => firstComma(choice($._leading_operand, $._whole_register), $),

      _after_instruction_comma: ($) => afterComma(choice($._leading_operand, $._whole_register), $),

      _whole_register: ($) =>
        choice(alias($._register_before_bar, $.identifier), alias($._signed_register, $.unary_expression)),

      _signed_register: ($) =>
        prec(PREC.unary, seq(field("operator", SIGN), field("operand", $._whole_register))),

      // `@function`, `#alloc`
      tag: ($) => seq(choice("@", "#"), field("name", $.identifier)),

      modifier: ($) => seq(field("name", $._word), ":", field("value", choice($._expression, $.structure))),

      named_argument: ($) =>
        seq(
          field("name", $._word),
          choice("=", prec(PREC.operand, seq("=", field("value", choice($._expression, $.modifier, $.angle_string))))),
        ),

      angle_string: (_) => token(seq("<", /[^<>\r\n]*/, ">")),

      percent_expression: ($) => seq("%", field("value", $._expression)),

      // `{id: 1, offset: 0, size: 32}`
      structure: ($) => seq("{", optional(seq($.modifier, repeat(seq(",", $.modifier)))), closed("}", $)),

      // Expressions

      _expression: ($) => choice($._term, $._whole_operand),

      // What an operator may follow: `s[2:3] |v4|` are two operands.
      _term: ($) =>
        choice(
          $._name,
          $.string,
          $.character,
          $.integer,
          $.float,
          $.local_label_reference,
          $.call,
          $.parenthesized,
          $.unary_expression,
          $.binary_expression,
          alias($._missing_expression, $.missing),
        ),

      _whole_operand: ($) =>
        choice($.register, $.list, $.absolute_value),

      // `v[0]`, `s[a+1:a+2]`: a name with a place or a range in brackets. A blank may come after the file's name.
      register: ($) =>
        prec(
          PREC.postfix,
          seq(
            choice(
              seq(field("base", $._name), token.immediate("[")),
              seq(field("base", alias($._register_file, $.identifier)), "["),
            ),
            field("first", $._expression),
            optional(seq(":", field("last", $._expression))),
            closed("]", $),
          ),
        ),

      list: ($) => seq("[", optional($._items), closed("]", $)),

      _items: ($) => seq(field("item", $._operand), repeat(seq(",", field("item", $._operand)))),

      call: ($) =>
        prec(
          PREC.postfix,
          seq(field("function", $._name), "(", optional($._arguments), closed(")", $)),
        ),

      _arguments: ($) => seq(field("argument", $._operand), repeat(seq(",", field("argument", $._operand)))),

      absolute_value: ($) => seq("|", field("operand", $._abs_operand), closed("|", $)),

      // With more than one part it is one argument of a macro.
      parenthesized: ($) => seq("(", optional($._arguments), closed(")", $)),

      unary_expression: ($) =>
        prec(PREC.unary, seq(field("operator", SIGN), field("operand", $._expression))),

      binary_expression: ($) =>
        choice(
          ...BINARY_OPERATORS.map(([precedence, operator]) =>
            prec.left(
              precedence,
              seq(field("left", $._term), field("operator", operator), field("right", $._expression)),
            ),
          ),
        ),

      _abs_operand: ($) =>
        choice(
          $._name,
          $.integer,
          $.float,
          $.register,
          $.list,
          $.call,
          $.parenthesized,
          $.unary_expression,
          alias($._missing_expression, $.missing),
        ),

      // Literals

      // The scanner matches the contents, where blanks and comment signs are text.
      string: ($) =>
        seq(
          '"',
          repeat(choice($.string_content, $.escape_sequence, alias($._adjacent_argument, $.macro_argument))),
          closed('"', $),
        ),

      character: (_) => /'([^'\\\r\n]|\\[^\r\n])'/,

      float: (_) =>
        token(
          choice(
            // No octal number has a fraction; the digits of an exponent may be missing.
            /(0|[1-9][0-9]*)\.[0-9]*([eE][+-]?[0-9]*)?/,
            /\.[0-9]+([eE][+-]?[0-9]*)?/,
            /[1-9][0-9]*[eE][+-]?[0-9]*/,
            /0[xX][0-9a-fA-F]*(\.[0-9a-fA-F]*)?[pP][+-]?[0-9]+/,
          ),
        ),

      integer: (_) =>
        token(seq(choice(/[0-9]+/, /0[xX][0-9a-fA-F]+/, /0[bB][01]+/), optional(/[uU][lL]{0,2}|[lL]{1,2}/))),

      local_label_reference: (_) => /[0-9]+[bf]/,

      // Names

      identifier: (_) => NAME,

      _dot_word: (_) => DOT_NAME,

      // `2D_ARRAY`
      _number_word: (_) => /[0-9]+[A-Za-z_][A-Za-z0-9_]*/,

      macro_argument: (_) => MACRO_ARGUMENT,

      _name: ($) =>
        choice($._word, alias($._dot_word, $.identifier), alias($._pasted_dot_word, $.pasted)),

      _word: ($) =>
        choice(
          $.identifier,
          alias($._scanned_word, $.identifier),
          alias($._number_word, $.identifier),
          $.macro_argument,
          $.pasted,
        ),

      // `s_load_dwordx\count`, `\l\n`, `kernel_\()name`: a token that is complete only when the macro is expanded.
      pasted: ($) =>
        choice(
          seq(choice($.identifier, $.integer, $.float, alias($._number_word, $.identifier)), $._pasted_parts),
          seq($.macro_argument, $._pasted_more),
        ),

      _pasted_dot_word: ($) => seq(alias($._dot_word, $.identifier), $._pasted_parts),

      _pasted_parts: ($) => seq(alias($._adjacent_argument, $.macro_argument), optional($._pasted_more)),

      _pasted_more: ($) =>
        repeat1(choice(alias($._adjacent_argument, $.macro_argument), alias($._adjacent_name, $.identifier))),

      // Comments

      // One that is not closed goes to the end of the file.
      comment: (_) =>
        token(choice(dialect.line_comment, /\/\*[^*]*\*+([^/*][^*]*\*+)*\//, /\/\*([^*]|\*+[^*\/])*\**/)),

      _hash_comment: (_) => /#[^\r\n]*/,
    },
  });
}

module.exports = defineGrammar(DIALECTS[process.env.GCN_DIALECT ?? "llvm"]);
