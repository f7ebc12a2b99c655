;; Runs in Emacs for test_emacs.py: opens the project's kernel with lsp-mode, and prints what it saw as JSON.
(setq make-backup-files nil create-lockfiles nil)
(let ((home (getenv "HOME")))
  (setq lsp-session-file (expand-file-name "lsp-session" home)
        lsp-server-install-dir (expand-file-name "lsp-servers" home)))
(setq lsp-auto-guess-root t
      lsp-restart 'ignore
      lsp-warn-no-matched-clients nil
      lsp-enable-snippet nil
      lsp-diagnostics-provider :flymake)
(package-activate-all)
(require 'lsp-mode)
(require 'gcn-mode)
(setq gcn-settings '(:target "gfx90a")) ; which the project's kernel says by itself, and the other file does not
(require 'json)

(defvar seen nil)
(defun see (name value) (push (cons name value) seen))
(defun wait-for (condition)
  (let ((end (+ (float-time) 60)))
    (while (and (not (funcall condition)) (< (float-time) end)) (accept-process-output nil 0.05))))
(defun here () (gethash buffer-file-name (lsp-diagnostics t)))

(find-file "kernel.s")
(see 'kernel (symbol-name major-mode))
(lsp)
(wait-for (lambda () (and (lsp-workspaces) (here))))
(see 'server (symbol-name (lsp--client-server-id (lsp--workspace-client (car (lsp-workspaces))))))
(see 'diagnostics (vconcat (mapcar (lambda (found)
                                     (list (cons 'line (1+ (gethash "line" (gethash "start" (gethash "range" found)))))
                                           (cons 'text (gethash "message" found))))
                                   (here))))
(goto-char (point-min))
(search-forward "v_add_f32")
(backward-char 3)
(see 'hover (gethash "value" (gethash "contents" (lsp-request "textDocument/hover" (lsp--text-document-position-params)))))
(goto-char (point-max))
(insert "  v_mfma_f32_32x32x8f")
(let* ((found (lsp-request "textDocument/completion" (lsp--text-document-position-params)))
       (items (if (hash-table-p found) (gethash "items" found) found)))
  (see 'completion (vconcat (seq-map (lambda (item) (gethash "label" item)) items))))
(set-buffer-modified-p nil)

;; A file that does not say its target: the setting does.
(find-file "untargeted.s")
(lsp)
(wait-for #'lsp-workspaces)
(wait-for (lambda () (here)))
(see 'target (gethash "target" (lsp-request "gcn-lsp/target" (list :uri (lsp--buffer-uri)))))
(princ (json-encode seen))
(mapc #'lsp-workspace-shutdown (lsp--session-workspaces (lsp-session)))
(kill-emacs 0)
