// The scanner of tree-sitter-amdgpu: matches the words that open and close blocks (`.macro`, `.else`, `.endif`).
//
// Its state is the stack of the open blocks. With it a word that closes nothing becomes a stray word, and a block
// that is left open ends where the block around it ends, or at the end of the file. Neither is an error that would
// take the lines around it along. Everything else is matched by the generated lexer.

#include "tree_sitter/alloc.h"
#include "tree_sitter/parser.h"

#include <string.h>

// In the order of `externals` in grammar.js.
enum Token {
    SEPARATOR,
    IMPLIED_LINE_END,
    MACRO_OPEN,
    MACRO_CLOSE,
    REPEAT_OPEN,
    ITERATE_OPEN,
    REPEAT_CLOSE,
    IF_OPEN,
    ELSEIF,
    ELSE,
    IF_CLOSE,
    DESCRIPTOR_OPEN,
    DESCRIPTOR_CLOSE,
    METADATA_OPEN,
    METADATA_TEXT,
    METADATA_CLOSE,
    STRAY,
    UNCLOSED,
    ASSIGNMENT_WORD,
    STRING_CONTENT,
    ESCAPE_SEQUENCE,
    ADJACENT_ARGUMENT,
    ADJACENT_NAME,
    MISSING_EXPRESSION,
    MISSING_CLOSE,
    ERROR_LINE_END,
    SKIPPED_LINE,
    LISTING_LABEL,
    LISTING_TEXT,
    REGISTER_FILE,
    REGISTER_BEFORE_BAR,
    SCANNED_WORD,
};

enum Block { NO_BLOCK, MACRO, REPEAT, CONDITIONAL, DESCRIPTOR, METADATA };

enum Role { OPENS, CONTINUES, CLOSES, ASSIGNS };

typedef struct {
    const char *name;
    enum Token token;
    enum Block block;
    enum Role role;
} Word;

static const Word WORDS[] = {
    {".set", ASSIGNMENT_WORD, NO_BLOCK, ASSIGNS},
    {".equ", ASSIGNMENT_WORD, NO_BLOCK, ASSIGNS},
    {".equiv", ASSIGNMENT_WORD, NO_BLOCK, ASSIGNS},
    {".macro", MACRO_OPEN, MACRO, OPENS},
    {".endm", MACRO_CLOSE, MACRO, CLOSES},
    {".endmacro", MACRO_CLOSE, MACRO, CLOSES},
    {".rept", REPEAT_OPEN, REPEAT, OPENS},
    {".rep", REPEAT_OPEN, REPEAT, OPENS},
    {".irp", ITERATE_OPEN, REPEAT, OPENS},
    {".irpc", ITERATE_OPEN, REPEAT, OPENS},
    {".endr", REPEAT_CLOSE, REPEAT, CLOSES},
    {".if", IF_OPEN, CONDITIONAL, OPENS},
    {".ifb", IF_OPEN, CONDITIONAL, OPENS},
    {".ifc", IF_OPEN, CONDITIONAL, OPENS},
    {".ifdef", IF_OPEN, CONDITIONAL, OPENS},
    {".ifeq", IF_OPEN, CONDITIONAL, OPENS},
    {".ifeqs", IF_OPEN, CONDITIONAL, OPENS},
    {".ifge", IF_OPEN, CONDITIONAL, OPENS},
    {".ifgt", IF_OPEN, CONDITIONAL, OPENS},
    {".ifle", IF_OPEN, CONDITIONAL, OPENS},
    {".iflt", IF_OPEN, CONDITIONAL, OPENS},
    {".ifnb", IF_OPEN, CONDITIONAL, OPENS},
    {".ifnc", IF_OPEN, CONDITIONAL, OPENS},
    {".ifndef", IF_OPEN, CONDITIONAL, OPENS},
    {".ifne", IF_OPEN, CONDITIONAL, OPENS},
    {".ifnes", IF_OPEN, CONDITIONAL, OPENS},
    {".ifnotdef", IF_OPEN, CONDITIONAL, OPENS},
    {".elseif", ELSEIF, CONDITIONAL, CONTINUES},
    {".else", ELSE, CONDITIONAL, CONTINUES},
    {".endif", IF_CLOSE, CONDITIONAL, CLOSES},
    {".amdhsa_kernel", DESCRIPTOR_OPEN, DESCRIPTOR, OPENS},
    {".end_amdhsa_kernel", DESCRIPTOR_CLOSE, DESCRIPTOR, CLOSES},
    {".amd_kernel_code_t", DESCRIPTOR_OPEN, DESCRIPTOR, OPENS},
    {".end_amd_kernel_code_t", DESCRIPTOR_CLOSE, DESCRIPTOR, CLOSES},
    {".amdgpu_metadata", METADATA_OPEN, METADATA, OPENS},
    {".end_amdgpu_metadata", METADATA_CLOSE, METADATA, CLOSES},
    {".amd_amdgpu_hsa_metadata", METADATA_OPEN, METADATA, OPENS},
    {".end_amd_amdgpu_hsa_metadata", METADATA_CLOSE, METADATA, CLOSES},
    {".amdgpu_pal_metadata", METADATA_OPEN, METADATA, OPENS},
    {".end_amdgpu_pal_metadata", METADATA_CLOSE, METADATA, CLOSES},
};

// The longest word above; a deeper nesting than anyone writes, beyond which blocks are not matched; and the rest of a
// line, in characters, that is too long to be looked into after an error.
enum { LONGEST_WORD = 28, DEEPEST = 200, LONG_LINE = 500 };

typedef struct {
    uint8_t depth;
    uint8_t blocks[DEEPEST];
} Scanner;

static bool is_digit(int32_t character) { return character >= '0' && character <= '9'; }

static bool is_argument_part(int32_t character) {
    return is_digit(character) || (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
           character == '_' || character == '.' || character == '$';
}

static bool is_name_part(int32_t character) {
    return is_argument_part(character) || character == '@' || character == '?';
}

static bool is_blank(int32_t character) {
    return character == ' ' || character == '\t' || character == '\f' || character == '\v';
}

static bool is_line_end(const TSLexer *lexer) {
    return lexer->lookahead == '\n' || lexer->lookahead == '\r' || lexer->eof(lexer);
}

// The word of the table of which the lexer has read the point, or NULL; the whole name is read either way. Case does not
// matter.
static const Word *read_word(TSLexer *lexer) {
    char name[LONGEST_WORD + 1] = ".";
    unsigned length = 1;
    bool fits = true;
    while (is_name_part(lexer->lookahead)) {
        int32_t character = lexer->lookahead;
        fits = fits && length < LONGEST_WORD;
        if (fits) name[length++] = (char)(character >= 'A' && character <= 'Z' ? character + ('a' - 'A') : character);
        lexer->advance(lexer, false);
    }
    if (!fits) return NULL;
    name[length] = '\0';
    for (unsigned index = 0; index < sizeof WORDS / sizeof *WORDS; index++) {
        if (strcmp(name, WORDS[index].name) == 0) return &WORDS[index];
    }
    return NULL;
}

// The place in the stack, from 1, of the block that `word` continues or closes; 0 if there is none.
// The body of a macro or of a repetition is text that is read as a whole: no conditional reaches out of it.
static unsigned matching_block(const Scanner *scanner, const Word *word) {
    bool may_leave_bodies = word->block == MACRO || word->block == REPEAT;
    for (unsigned place = scanner->depth; place > 0; place--) {
        enum Block block = (enum Block)scanner->blocks[place - 1];
        if (block == word->block) return place;
        if (!may_leave_bodies && (block == MACRO || block == REPEAT)) return 0;
    }
    return 0;
}

static bool accept(TSLexer *lexer, enum Token token) {
    lexer->result_symbol = token;
    return true;
}

// LF, CRLF or CR.
static bool scan_line_end(TSLexer *lexer, enum Token token) {
    if (lexer->lookahead == '\r') lexer->advance(lexer, false);
    if (lexer->lookahead == '\n') lexer->advance(lexer, false);
    lexer->mark_end(lexer);
    return accept(lexer, token);
}

static bool reads(TSLexer *lexer, const char *text) {
    for (; *text; text++) {
        if (lexer->lookahead != *text) return false;
        lexer->advance(lexer, false);
    }
    return true;
}

// The rest of a line that has no more blanks and ends with `end`, of which no character comes twice before its last.
static bool line_ends_with(TSLexer *lexer, const char *end) {
    unsigned matched = 0, length = 0;
    for (; !is_line_end(lexer) && !is_blank(lexer->lookahead); length++) {
        matched = lexer->lookahead == end[matched] ? matched + 1 : lexer->lookahead == end[0];
        lexer->advance(lexer, false);
        if (!end[matched] && !is_line_end(lexer)) matched = 0;
    }
    return is_line_end(lexer) && !end[matched] && length > strlen(end);
}

static bool accept_line(TSLexer *lexer, enum Token token) {
    lexer->mark_end(lexer);
    return accept(lexer, token);
}

// `<name>:` up to the line's end.
static bool scan_listed_name(TSLexer *lexer) {
    bool is_empty = true;
    for (lexer->advance(lexer, false); lexer->lookahead != '<' && lexer->lookahead != '>'; is_empty = false) {
        if (is_line_end(lexer)) return false;
        lexer->advance(lexer, false);
    }
    return !is_empty && reads(lexer, ">:") && is_line_end(lexer) && accept_line(lexer, LISTING_LABEL);
}

// A line that disassemblers write and assemblers do not read: a label with its address, the name of the file and its
// format, the title of a section, or `...` for zeros that are left out. `length` points of it have been read.
static bool scan_listing(TSLexer *lexer, bool is_indented, unsigned length) {
    static const char TITLE[] = "Disassembly";
    if (lexer->lookahead == '<' && length == 0) return scan_listed_name(lexer);
    bool is_address = length == 0, is_title = length == 0, is_zeros = is_indented;
    int32_t last = 0;
    for (; !is_line_end(lexer) && !is_blank(lexer->lookahead); length++) {
        last = lexer->lookahead;
        is_address = is_address && (is_digit(last) || (last >= 'a' && last <= 'f') || (last >= 'A' && last <= 'F'));
        is_title = is_title && length < sizeof TITLE && last == TITLE[length];
        is_zeros = is_zeros && last == '.';
        lexer->advance(lexer, false);
    }
    if (is_line_end(lexer)) return is_zeros && length == 3 && accept_line(lexer, LISTING_TEXT);
    if (is_address && length >= 8 && length <= 16) {
        return reads(lexer, " ") && lexer->lookahead == '<' && scan_listed_name(lexer);
    }
    if (is_title && length == sizeof TITLE - 1 && !is_indented) {
        return reads(lexer, " of section ") && line_ends_with(lexer, ":") && accept_line(lexer, LISTING_TEXT);
    }
    if (last != ':' || length < 2 || is_indented) return false;
    while (is_blank(lexer->lookahead)) lexer->advance(lexer, false);
    return reads(lexer, "file format ") && line_ends_with(lexer, "-amdgpu") && accept_line(lexer, LISTING_TEXT);
}

static bool unclosed(Scanner *scanner, TSLexer *lexer) {
    scanner->depth--;
    return accept(lexer, UNCLOSED);
}

// Whole lines up to one that starts with a word which ends the metadata, or the macro around it.
static bool scan_metadata_text(Scanner *scanner, TSLexer *lexer, const bool *valid) {
    bool any_line = false;
    lexer->mark_end(lexer);
    while (!lexer->eof(lexer)) {
        while (is_blank(lexer->lookahead)) lexer->advance(lexer, false);
        const Word *word = NULL;
        if (lexer->lookahead == '.') {
            lexer->advance(lexer, false);
            word = read_word(lexer);
        }
        if (word && word->role == CLOSES && (word->block == METADATA || word->block == MACRO)) {
            if (any_line || word->block != METADATA || !valid[METADATA_CLOSE]) break;
            lexer->mark_end(lexer);
            scanner->depth--;
            return accept(lexer, METADATA_CLOSE);
        }
        while (!is_line_end(lexer)) lexer->advance(lexer, false);
        lexer->mark_end(lexer);
        if (!lexer->eof(lexer)) scan_line_end(lexer, METADATA_TEXT);
        any_line = true;
    }
    if (any_line) return accept(lexer, METADATA_TEXT);
    return valid[UNCLOSED] && scanner->depth > 0 && unclosed(scanner, lexer);
}

static bool is_in_body(const Scanner *scanner) {
    for (unsigned place = 0; place < scanner->depth; place++) {
        if (scanner->blocks[place] == MACRO || scanner->blocks[place] == REPEAT) return true;
    }
    return false;
}

// What follows a backslash, up to the end of an argument's name or of an escape.
static bool scan_after_backslash(const Scanner *scanner, TSLexer *lexer, const bool *valid) {
    bool in_string = valid[STRING_CONTENT];
    int32_t first = lexer->lookahead;
    if (is_line_end(lexer)) return false;
    lexer->advance(lexer, false);
    lexer->mark_end(lexer);
    if (in_string && (is_digit(first) || !is_in_body(scanner))) {
        bool is_octal = first >= '0' && first <= '7';
        for (unsigned count = 1; is_octal && count < 3 && lexer->lookahead >= '0' && lexer->lookahead <= '7'; count++) {
            lexer->advance(lexer, false);
        }
        lexer->mark_end(lexer);
        return accept(lexer, ESCAPE_SEQUENCE);
    }
    if (first == '(' && lexer->lookahead == ')') {
        lexer->advance(lexer, false);
    } else if (is_argument_part(first) && !is_digit(first)) {
        // A lone letter is rather a control character than an argument.
        bool is_control = strchr("bfnrt", first) && in_string && !is_argument_part(lexer->lookahead);
        while (is_argument_part(lexer->lookahead)) lexer->advance(lexer, false);
        if (is_control) return accept(lexer, ESCAPE_SEQUENCE);
    } else if (first != '@' && first != '+') {
        return in_string && accept(lexer, ESCAPE_SEQUENCE);
    }
    lexer->mark_end(lexer);
    return valid[ADJACENT_ARGUMENT] && accept(lexer, ADJACENT_ARGUMENT);
}

// A piece of a string, or of a name directly after another piece, where blanks and comment signs do not separate.
static bool scan_piece(const Scanner *scanner, TSLexer *lexer, const bool *valid) {
    if (lexer->lookahead == '\\') {
        lexer->advance(lexer, false);
        return scan_after_backslash(scanner, lexer, valid);
    }
    if (lexer->lookahead == '"') return false;
    if (valid[STRING_CONTENT]) {
        while (lexer->lookahead != '"' && lexer->lookahead != '\\' && !is_line_end(lexer)) lexer->advance(lexer, false);
    } else {
        while (is_name_part(lexer->lookahead)) lexer->advance(lexer, false);
    }
    lexer->mark_end(lexer);
    return accept(lexer, valid[STRING_CONTENT] ? STRING_CONTENT : ADJACENT_NAME);
}

// During error recovery: the line's end; or, at the start of the next line, that whole line.
// So is the rest of a line after a character that starts no token, and of a long line, in which looking for the
// column would take ever longer. A comment after it stays one.
static bool scan_after_error(TSLexer *lexer) {
    bool is_hopeless = lexer->get_column(lexer) == 0;
    while (is_blank(lexer->lookahead)) lexer->advance(lexer, true);
    if (lexer->eof(lexer)) return false;
    if (is_line_end(lexer)) return scan_line_end(lexer, ERROR_LINE_END);
    is_hopeless = is_hopeless || lexer->lookahead < ' ' || lexer->lookahead > '~';
    unsigned length = 0;
    bool in_string = false;
    for (; !is_line_end(lexer); length++) {
        int32_t character = lexer->lookahead;
        in_string = in_string != (character == '"');
        lexer->mark_end(lexer);
        if (character == ';' && !in_string) break;
        lexer->advance(lexer, false);
        if (character == '\\' && in_string && !is_line_end(lexer)) lexer->advance(lexer, false);
        if (character == '/' && !in_string && (lexer->lookahead == '/' || lexer->lookahead == '*')) break;
    }
    if (is_line_end(lexer)) lexer->mark_end(lexer);
    return length > 0 && (is_hopeless || length > LONG_LINE) && accept(lexer, SKIPPED_LINE);
}

static bool scan_block_word(Scanner *scanner, TSLexer *lexer, const bool *valid, const Word *word) {
    enum Token token = word->token;
    unsigned place = matching_block(scanner, word);
    bool opens = word->role == OPENS;
    if (word->role == CONTINUES || word->role == CLOSES) {
        if (place == 0) {
            token = STRAY;
        } else if (place < scanner->depth && valid[UNCLOSED]) {
            return unclosed(scanner, lexer);
        } else if (valid[IMPLIED_LINE_END] && !valid[token]) {
            return accept(lexer, IMPLIED_LINE_END);
        } else if (place < scanner->depth) {
            return false;
        }
    }
    if (!valid[token] || (opens && scanner->depth == DEEPEST)) return false;
    if (opens) scanner->blocks[scanner->depth++] = (uint8_t)word->block;
    if (word->role == CLOSES && token != STRAY) scanner->depth--;
    lexer->mark_end(lexer);
    return accept(lexer, token);
}

// The files of registers that a number or a range selects from, and the registers that have a name instead.
static const char *const REGISTER_FILES[] = {"v", "s", "a", "acc", "ttmp"};
static const char *const NAMED_REGISTERS[] = {"m0", "null"};
static const char *const PAIRS[] = {"vcc", "exec", "flat_scratch", "xnack_mask"};

static bool is_among(const char *name, unsigned length, const char *const *names, unsigned count) {
    for (unsigned index = 0; index < count; index++) {
        if (strlen(names[index]) == length && strncmp(name, names[index], length) == 0) return true;
    }
    return false;
}
#define IS_AMONG(name, length, names) is_among(name, length, names, sizeof names / sizeof *names)

static bool ends_with(const char *name, unsigned length, const char *end) {
    unsigned of_end = (unsigned)strlen(end);
    return length > of_end && strncmp(name + length - of_end, end, of_end) == 0;
}

// `v1`, `vcc_lo`, `v2.h`
static bool is_register(const char *name, unsigned length) {
    if (ends_with(name, length, ".l") || ends_with(name, length, ".h")) length -= 2;
    if (IS_AMONG(name, length, NAMED_REGISTERS)) return true;
    unsigned letters = length;
    while (letters > 0 && is_digit(name[letters - 1])) letters--;
    if (letters < length) return IS_AMONG(name, letters, REGISTER_FILES);
    if (ends_with(name, length, "_lo") || ends_with(name, length, "_hi")) length -= 3;
    return IS_AMONG(name, length, PAIRS);
}

// A word in an operand, which may be whole with what follows it: `v [0:1]` has a blank in a register, and no expression
// starts with a register, so that the bar in `v1 |v2|` begins another operand.
static bool scan_word(TSLexer *lexer, const bool *valid) {
    char name[LONGEST_WORD];
    unsigned length = 0;
    for (; is_name_part(lexer->lookahead); lexer->advance(lexer, false)) {
        if (length == LONGEST_WORD) return false;
        name[length++] = (char)lexer->lookahead;
    }
    if (length == 0 || lexer->lookahead == '\\') return false;
    lexer->mark_end(lexer);
    bool is_apart = is_blank(lexer->lookahead);
    while (is_blank(lexer->lookahead)) lexer->advance(lexer, false);
    if (lexer->lookahead == '[' && is_apart && IS_AMONG(name, length, REGISTER_FILES)) {
        return accept(lexer, REGISTER_FILE);
    }
    if (lexer->lookahead == '|' && valid[REGISTER_BEFORE_BAR] && is_register(name, length)) {
        lexer->advance(lexer, false);
        if (lexer->lookahead != '|') return accept(lexer, REGISTER_BEFORE_BAR);
    }
    return valid[SCANNED_WORD] && accept(lexer, SCANNED_WORD);
}

// At the end of a line that must not end here: the token that should come next.
static bool scan_missing(TSLexer *lexer, const bool *valid) {
    if (valid[MISSING_CLOSE]) return accept(lexer, MISSING_CLOSE);
    return valid[MISSING_EXPRESSION] && accept(lexer, MISSING_EXPRESSION);
}

static bool scan(Scanner *scanner, TSLexer *lexer, const bool *valid) {
    if (valid[SKIPPED_LINE]) return scan_after_error(lexer);
    if (valid[METADATA_TEXT]) return scan_metadata_text(scanner, lexer, valid);
    lexer->mark_end(lexer);
    bool after_piece = valid[ADJACENT_ARGUMENT] && lexer->lookahead == '\\';
    if (after_piece || (valid[STRING_CONTENT] && !is_line_end(lexer))) return scan_piece(scanner, lexer, valid);
    if (valid[ADJACENT_NAME] && is_name_part(lexer->lookahead)) return scan_piece(scanner, lexer, valid);
    bool is_indented = is_blank(lexer->lookahead);
    while (is_blank(lexer->lookahead)) lexer->advance(lexer, true);
    if (lexer->eof(lexer)) {
        if (valid[UNCLOSED] && scanner->depth > 0) return unclosed(scanner, lexer);
        if (valid[IMPLIED_LINE_END]) return accept(lexer, IMPLIED_LINE_END);
        return !valid[SEPARATOR] && scan_missing(lexer, valid);
    }
    if (is_line_end(lexer)) return valid[SEPARATOR] ? scan_line_end(lexer, SEPARATOR) : scan_missing(lexer, valid);
    if (lexer->lookahead != '.' && valid[LISTING_LABEL]) return scan_listing(lexer, is_indented, 0);
    // A character that is no part of a name may have the low byte of a letter.
    if (valid[REGISTER_FILE] && is_name_part(lexer->lookahead) && strchr("vsatmnefx", lexer->lookahead)) {
        return scan_word(lexer, valid);
    }
    if (lexer->lookahead != '.') return false;
    lexer->advance(lexer, false);
    if (lexer->lookahead == '.' || lexer->lookahead == '/') {
        return valid[LISTING_LABEL] && scan_listing(lexer, is_indented, 1);
    }
    const Word *word = read_word(lexer);
    // A name that goes on with an argument is another word in every expansion.
    return word && lexer->lookahead != '\\' && scan_block_word(scanner, lexer, valid, word);
}

void *tree_sitter_amdgpu_external_scanner_create(void) { return ts_calloc(1, sizeof(Scanner)); }

void tree_sitter_amdgpu_external_scanner_destroy(void *payload) { ts_free(payload); }

unsigned tree_sitter_amdgpu_external_scanner_serialize(void *payload, char *buffer) {
    const Scanner *scanner = payload;
    memcpy(buffer, scanner->blocks, scanner->depth);
    return scanner->depth;
}

void tree_sitter_amdgpu_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
    Scanner *scanner = payload;
    scanner->depth = (uint8_t)length;
    if (length > 0) memcpy(scanner->blocks, buffer, length);
}

bool tree_sitter_amdgpu_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid_symbols) {
    return scan(payload, lexer, valid_symbols);
}
