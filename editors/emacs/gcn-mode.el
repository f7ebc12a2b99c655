;;; gcn-mode.el --- AMD GPU assembly (GCN, CDNA, RDNA) -*- lexical-binding: t; -*-

;; Author: gcn-lsp
;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1"))
;; Keywords: languages
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Two major modes for AMD GPU assembly: `gcn-mode' colours by shape, `gcn-ts-mode' by the tree-sitter grammar `amdgpu'
;; where Emacs has it.  Both start the language server gcn-lsp with eglot or lsp-mode:
;;
;;     (require 'gcn-mode)
;;     (add-hook 'gcn-mode-hook #'eglot-ensure)      ; or #'lsp-deferred
;;
;; Files named .gcn, .amdgcn, .isa, .rdna* and .cdna* are AMD GPU assembly; .s, .S, .asm and .inc files are when their
;; text says so, and keep their mode otherwise.

;;; Code:

(defgroup gcn nil
  "AMD GPU assembly."
  :group 'languages)

(defcustom gcn-server-command '("gcn-lsp" "serve")
  "The command that starts the language server."
  :type '(repeat string))

(defun gcn--program (&rest arguments)
  "Run the server's program with ARGUMENTS into this buffer; its exit status."
  (let ((command (append (butlast gcn-server-command) arguments)))
    (apply #'call-process (car command) nil '(t nil) nil (cdr command))))

(defcustom gcn-settings nil
  "Settings for the server, named as in gcn-lsp.toml: (:target \"gfx90a\").
They reach it when it is started, with eglot and with lsp-mode."
  :type 'plist
  :safe #'listp)

(defcustom gcn-show-hints nil
  "Whether eglot shows hints, such as an unused symbol, among Flymake's notes."
  :type 'boolean)

;;; Which files

(defconst gcn--sure-file-regexp "\\.\\(?:gcn\\|amdgcn\\|isa\\|[rc]dna[0-9a-z]*\\)\\'"
  "Names that are ours alone.")

(defconst gcn--object-file-regexp "\\.\\(?:co\\|hsaco\\|hipfb\\)\\(?:([^()]+)\\)*\\'"
  "Names of code objects, and of what is in their files, such as k.hipfb(gfx90a).")

(defconst gcn--shared-file-regexp (concat "\\.\\(?:[sS]\\|asm\\|inc\\)\\'\\|" gcn--object-file-regexp)
  "Names that every processor's assembly has, and code objects.")

;; Written by `python -m editors.recognition'; edit gcn_lsp/project/file_signs.py instead.
(defconst gcn--sign-regexp
  (concat
   "^[ \t]*\\.\\(?:amdgcn_target\\_>\\|amdhsa_\\|amdgpu_\\|amd_amdgpu_\\|amd_kernel_code_t\\_>\\|hsa_code_object_\\|gpu_[A-Za-z0-9_]\\)"
   "\\|^[ \t]*amdhsa\\.\\(?:target\\|version\\|kernels\\)[ \t]*:"
   "\\|\\.amdgcn\\."
   "\\|^[ \t]*\\.include[ \t].*gfx[0-9]"
   "\\|^[ \t]*asic([A-Za-z0-9_]"
   "\\|^[ \t]*\\(?:[A-Za-z0-9_]+:[ \t]*\\)?\\(?:v\\|s\\|ds\\|buffer\\|tbuffer\\|global\\|flat\\|scratch\\|image\\)_[a-z][a-z0-9_]*[ \t]+\\(?:-\\||\\|[vsa]\\[\\|[vsa][0-9]\\|vcc\\|exec\\|m0\\|scc\\|ttmp\\|0x\\|[0-9]\\|\\\\\\|[A-Za-z0-9_]+cnt[ \t]*(\\|off\\_>\\|hwreg\\)"
   "\\|^[ \t]*s_\\(?:endpgm\\|barrier\\|waitcnt\\|code_end\\)\\_>"
   "\\|\\(?:;\\|//\\|/\\*\\|#\\).*\\(?:\\_<gcn-lsp:\\|-m?cpu=gfx\\|-mtriple=amdg\\(?:cn\\|pu\\)\\|\\_<gfx\\(?:[6-8][0-9][0-9]\\|9[0-9a-f]\\{2\\}\\|1[0-3][0-9a-f]\\{2\\}\\)\\_>\\)"
   )
  "What no other processor's assembly has on a line.")

(defun gcn-buffer-p ()
  "Whether the head of this buffer is AMD GPU assembly."
  (and buffer-file-name
       (let ((case-fold-search nil))
         (and (string-match-p gcn--shared-file-regexp buffer-file-name)
              (save-excursion
                (goto-char (point-min))
                (re-search-forward gcn--sign-regexp (min (point-max) (+ (point-min) 65536)) t))))))

;;; The plain mode

(defvar gcn-font-lock-keywords
  `(("^[ \t]*\\([A-Za-z_.$0-9\\][A-Za-z0-9_.$@\\()]*:\\)\\(?:[^:]\\|$\\)" 1 font-lock-function-name-face)
    ("^[ \t]*\\(\\.macro\\)[ \t]+\\([A-Za-z_.$][A-Za-z0-9_.$]*\\)"
     (1 font-lock-preprocessor-face) (2 font-lock-function-name-face))
    ("^[ \t]*\\(\\.\\(?:set\\|equ\\|equiv\\)\\)[ \t]+\\([A-Za-z_.$][A-Za-z0-9_.$]*\\)"
     (1 font-lock-preprocessor-face) (2 font-lock-variable-name-face))
    ("^[ \t]*\\([A-Za-z_.$][A-Za-z0-9_.$]*\\)[ \t]*=\\(?:[^=]\\|$\\)" 1 font-lock-variable-name-face)
    ("^[ \t]*\\(\\.[A-Za-z_][A-Za-z0-9_.]*\\)" 1 font-lock-preprocessor-face)
    (,(concat "\\(?:^\\|:\\)[ \t]*\\(\\(?:v\\|s\\|ds\\|buffer\\|tbuffer\\|global\\|flat\\|scratch\\|image\\|exp\\|lds\\)"
              "_[A-Za-z0-9_\\]+\\|exp\\)\\(?:[ \t]\\|$\\)")
     1 font-lock-keyword-face)
    ("\\_<\\(?:\\(?:[vsa]\\|ttmp\\)[0-9]+\\|\\(?:vcc\\|exec\\|flat_scratch\\|xnack_mask\\)\\(?:_lo\\|_hi\\)?\\|m0\\|scc\\|null\\|off\\|vccz\\|execz\\|src_[a-z_]+\\)\\_>"
     . font-lock-variable-name-face)
    ("\\_<\\([vsa]\\|ttmp\\)\\[" 1 font-lock-variable-name-face)
    ("\\\\\\(?:[A-Za-z_$][A-Za-z0-9_$]*\\|@\\|()\\)" . font-lock-constant-face)
    ("\\_<\\([A-Za-z_][A-Za-z0-9_]*\\)(" 1 font-lock-builtin-face)
    ("[ \t,]\\([A-Za-z_][A-Za-z0-9_]*\\):[^:]" 1 font-lock-type-face))
  "Colours by shape: which mnemonics a target has is the server's business.")

(defvar gcn-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?\; "<" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?/ ". 124b" table)
    (modify-syntax-entry ?* ". 23" table)
    (modify-syntax-entry ?_ "_" table)
    (modify-syntax-entry ?. "_" table)
    (modify-syntax-entry ?$ "_" table)
    (modify-syntax-entry ?\\ "." table)
    (modify-syntax-entry ?| "." table)
    table)
  "Syntax of AMD GPU assembly in LLVM's dialect.")

(defvar gcn-imenu-generic-expression
  '((nil "^\\([A-Za-z_$][A-Za-z0-9_.$]*\\):" 1)
    ("Macro" "^[ \t]*\\.macro[ \t]+\\([A-Za-z_.$][A-Za-z0-9_.$]*\\)" 1)
    ("Kernel descriptor" "^[ \t]*\\.amdhsa_kernel[ \t]+\\([A-Za-z_.$][A-Za-z0-9_.$]*\\)" 1))
  "The outline without a server.")

;;;###autoload
(define-derived-mode gcn-mode prog-mode "GCN"
  "Major mode for AMD GPU assembly."
  (setq-local font-lock-defaults '(gcn-font-lock-keywords)
              imenu-generic-expression gcn-imenu-generic-expression)
  (gcn--common))

(defun gcn--common ()
  "What both modes set."
  (setq-local comment-start "; "
              comment-end ""
              comment-start-skip "\\(?:;+\\|//+\\|/\\*+\\)[ \t]*"
              indent-line-function #'gcn-indent-line
              electric-indent-inhibit t
              tab-always-indent nil))

(defun gcn--indentation ()
  "The indentation of the nearest indented line above point, or `tab-width'."
  (save-excursion
    (if (re-search-backward "^[ \t]+[A-Za-z]" nil t) (current-indentation) tab-width)))

(defun gcn--in-metadata-p ()
  "Whether point is between `.amdgpu_metadata' and its end."
  (save-excursion
    (and (re-search-backward "^[ \t]*\\.\\(end_\\)?amdgpu_metadata\\_>" nil t) (not (match-beginning 1)))))

(defun gcn--metadata-column ()
  "The column of the line of metadata at point.
Keys are below the first of their item, what belongs to a key is deeper."
  (if (looking-at "[ \t]*\\(\\.\\.\\.[ \t]*$\\|---\\|\\.end_amdgpu_metadata\\|amdhsa\\.[a-z]+:\\)") 0
    (let ((is-item (looking-at "[ \t]*-")))
      (skip-chars-backward " \t\n")
      (beginning-of-line)
      (let ((opens (looking-at ".*:[ \t]*$")))
        (when (and is-item (not opens))
          (while (not (or (bobp) (looking-at "[ \t]*\\(- \\|\\.amdgpu_metadata\\)"))) (forward-line -1)))
        (+ (current-indentation)
           (if (and (not is-item) (looking-at "[ \t]*- \\.")) 2 0)
           (if opens 2 0))))))

(defun gcn-indent-line ()
  "Indent like the line before; labels start at the margin."
  (let ((column (save-excursion
                  (beginning-of-line)
                  (cond ((gcn--in-metadata-p) (gcn--metadata-column))
                        ((looking-at "[ \t]*[A-Za-z_$0-9][A-Za-z0-9_.$]*:") 0)
                        ((looking-at "[ \t]*\\.\\(size\\|section\\|rodata\\|amdgpu_metadata\\)\\_>") 0)
                        (t
                         (skip-chars-backward " \t\n")
                         (beginning-of-line)
                         (if (looking-at "[A-Za-z_$0-9][A-Za-z0-9_.$]*:") (gcn--indentation) (current-indentation)))))))
    (if (> (current-column) (current-indentation))
        (save-excursion (indent-line-to column))
      (indent-line-to column))))

;;; The tree-sitter mode

(declare-function treesit-available-p "treesit.c")
(declare-function treesit-ready-p "treesit")
(declare-function treesit-parser-create "treesit.c")
(declare-function treesit-font-lock-rules "treesit")
(declare-function treesit-major-mode-setup "treesit")
(declare-function treesit-node-text "treesit")
(declare-function treesit-node-child-by-field-name "treesit.c")
(defvar treesit-font-lock-settings)
(defvar treesit-font-lock-feature-list)
(defvar treesit-simple-imenu-settings)

(defun gcn--name-of (node)
  "The name that NODE of the syntax tree defines."
  (treesit-node-text (treesit-node-child-by-field-name node "name") t))

(defun gcn--treesit-rules ()
  "The colours of `gcn-ts-mode'."
  (treesit-font-lock-rules
   :language 'amdgpu
   :feature 'comment
   '((comment) @font-lock-comment-face)
   :language 'amdgpu
   :feature 'string
   '([(string) (character) (angle_string)] @font-lock-string-face)
   :language 'amdgpu
   :feature 'definition
   '((label name: (_) @font-lock-function-name-face)
     (macro_definition name: (identifier) @font-lock-function-name-face)
     (kernel_descriptor name: (identifier) @font-lock-function-name-face)
     (assignment name: (identifier) @font-lock-variable-name-face)
     (parameter name: (identifier) @font-lock-variable-name-face))
   :language 'amdgpu
   :feature 'keyword
   '((directive_name) @font-lock-preprocessor-face
     (instruction mnemonic: (identifier) @font-lock-keyword-face))
   :language 'amdgpu
   :feature 'register
   :override t
   '((register base: (identifier) @font-lock-variable-name-face)
     ((identifier) @font-lock-variable-name-face
      (:match "\\`\\(?:\\(?:[vsa]\\|ttmp\\)[0-9]+\\|\\(?:vcc\\|exec\\|flat_scratch\\)\\(?:_lo\\|_hi\\)?\\|m0\\|scc\\|null\\|off\\)\\'"
              @font-lock-variable-name-face)))
   :language 'amdgpu
   :feature 'number
   '([(integer) (float)] @font-lock-constant-face)
   :language 'amdgpu
   :feature 'parameter
   '((macro_argument) @font-lock-constant-face
     (modifier name: (_) @font-lock-type-face)
     (call function: (_) @font-lock-builtin-face))))

;;;###autoload
(define-derived-mode gcn-ts-mode prog-mode "GCN[ts]"
  "Major mode for AMD GPU assembly, by its tree-sitter grammar."
  :syntax-table gcn-mode-syntax-table
  (gcn--common)
  (require 'treesit)
  (when (treesit-ready-p 'amdgpu)
    (treesit-parser-create 'amdgpu)
    (setq-local treesit-font-lock-settings (gcn--treesit-rules)
                treesit-font-lock-feature-list
                '((comment string definition) (keyword register) (number parameter))
                treesit-simple-imenu-settings
                `(("Label" "\\`label\\'" nil gcn--name-of)
                  ("Macro" "\\`macro_definition\\'" nil gcn--name-of)
                  ("Kernel descriptor" "\\`kernel_descriptor\\'" nil gcn--name-of)))
    (treesit-major-mode-setup)))

;;;###autoload
(defun gcn-auto-mode ()
  "The mode with the better colours that this Emacs can give."
  (interactive)
  (if (and (require 'treesit nil t) (treesit-available-p) (treesit-ready-p 'amdgpu t))
      (gcn-ts-mode)
    (gcn-mode)))

;;;###autoload
(progn
  (add-to-list 'auto-mode-alist '("\\.\\(?:gcn\\|amdgcn\\|isa\\|[rc]dna[0-9a-z]*\\)\\'" . gcn-auto-mode))
  (add-to-list 'auto-mode-alist '("\\.hip\\'" . c++-mode) t) ; Emacs does not know HIP
  (add-to-list 'magic-mode-alist '(gcn-buffer-p . gcn-auto-mode)))

;;; Code objects

(defun gcn--object-handler (operation &rest arguments)
  "Do OPERATION with ARGUMENTS for a code object, which is read as assembly."
  (cond
   ((eq operation 'insert-file-contents)
    (gcn--insert-object (car arguments) (cadr arguments) (nth 4 arguments)))
   ((and (eq operation 'file-writable-p) (gcn--object-p (car arguments)))
    nil) ; its text is not what is in the file
   (t (gcn--plainly operation arguments))))

(defun gcn--object-p (name)
  "Whether the file of NAME begins as a code object or a bundle of them does.
NAME may be that of something in the file, such as k.hipfb(gfx90a)."
  (let ((file (replace-regexp-in-string "\\(([^()]+)\\)+\\'" "" name))
        (inhibit-file-name-handlers '(gcn--object-handler))
        (inhibit-file-name-operation 'insert-file-contents))
    (and (file-regular-p file)
         (file-readable-p file)
         (with-temp-buffer
           (set-buffer-multibyte nil)
           (insert-file-contents-literally file nil 0 24)
           (looking-at-p "\177ELF\\|CCOB\\|__CLANG_OFFLOAD_BUNDLE__")))))

(defun gcn--plainly (operation arguments)
  "Do OPERATION with ARGUMENTS as if there were no handler."
  (let ((inhibit-file-name-handlers
         (cons #'gcn--object-handler
               (and (eq inhibit-file-name-operation operation) inhibit-file-name-handlers)))
        (inhibit-file-name-operation operation))
    (apply operation arguments)))

(defun gcn--insert-object (file visit replace)
  "Insert the text of the code object FILE, or what is in it if it is none.
VISIT and REPLACE are those of `insert-file-contents'."
  (let* ((name (expand-file-name file))
         (text (with-temp-buffer
                 (and (gcn--object-p name)
                      (eq 0 (gcn--program "disassemble" "--view" name))
                      (buffer-string)))))
    (if (null text)
        (gcn--plainly 'insert-file-contents (list file visit nil nil replace))
      (when replace (erase-buffer))
      (save-excursion (insert text))
      (when visit
        (setq buffer-file-name name)
        (set-visited-file-modtime)
        (set-buffer-modified-p nil))
      (list name (length text)))))

;;;###autoload
(add-to-list 'file-name-handler-alist '("\\.\\(?:co\\|hsaco\\|hipfb\\)\\(?:([^()]+)\\)*\\'" . gcn--object-handler)) ; autoloaded alone

;;; Language servers

(defvar eglot-server-programs)
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs `((gcn-mode gcn-ts-mode) . ,#'gcn--eglot-contact))
  ;; Classes and methods of eglot's exist only now.
  (eval '(progn
           (defclass gcn--eglot-server (eglot-lsp-server) () "The server, without its hints among the notes.")
           (cl-defmethod eglot-handle-notification :around
             ((server gcn--eglot-server) (method (eql textDocument/publishDiagnostics)) &rest arguments)
             (apply #'cl-call-next-method server method (gcn--without-hints arguments))))
        t))

(defconst gcn--hint 4 "The protocol's number for a hint.")

(defun gcn--without-hints (published)
  "The arguments PUBLISHED of a notification without diagnostics that are hints.
With them, if `gcn-show-hints' is set."
  (if gcn-show-hints
      published
    (plist-put (copy-sequence published) :diagnostics
               (vconcat (seq-remove (lambda (each) (eql (plist-get each :severity) gcn--hint))
                                    (plist-get published :diagnostics))))))

(defun gcn--eglot-contact (_interactive)
  "How eglot starts the server."
  (cons 'gcn--eglot-server
        (append gcn-server-command (and gcn-settings (list :initializationOptions gcn-settings)))))

(defvar lsp-language-id-configuration)
(declare-function lsp-register-client "lsp-mode")
(declare-function make-lsp-client "lsp-mode")
(declare-function lsp-stdio-connection "lsp-mode")
(declare-function lsp-activate-on "lsp-mode")
(with-eval-after-load 'lsp-mode
  (add-to-list 'lsp-language-id-configuration '(gcn-mode . "gcn"))
  (add-to-list 'lsp-language-id-configuration '(gcn-ts-mode . "gcn"))
  (lsp-register-client
   (make-lsp-client :new-connection (lsp-stdio-connection (lambda () gcn-server-command))
                    :activation-fn (lsp-activate-on "gcn")
                    :initialization-options (lambda () gcn-settings)
                    :server-id 'gcn-lsp)))

(provide 'gcn-mode)
;;; gcn-mode.el ends here
