# AMD GPU assembly in Kakoune: colours, which files are ours, and the language server through kakoune-lsp.
# In kakrc, after kakoune-lsp's own lines:  source /path/to/gcn-lsp/editors/kakoune/gcn.kak

# Which files. `.s` belongs to every processor: the head of the file decides, and others keep their filetype.
# The patterns are written by `python -m editors.recognition`; edit gcn_lsp/project/file_signs.py instead.
hook global BufCreate .*[.](gcn|amdgcn|isa|[rc]dna\w*) %{ set-option buffer filetype gcn }
hook global BufOpenFile .*[.](s|S|asm|inc) %{
    evaluate-commands %sh{
        head -c 65536 "$kak_buffile" | grep -Eq \
            -e '^[[:space:]]*\.(amdgcn_target([^[:alnum:]_]|$)|amdhsa_|amdgpu_|amd_amdgpu_|amd_kernel_code_t([^[:alnum:]_]|$)|hsa_code_object_|gpu_[[:alnum:]_])' \
            -e '^[[:space:]]*amdhsa\.(target|version|kernels)[[:space:]]*:' \
            -e '\.amdgcn\.' \
            -e '^[[:space:]]*\.include[[:space:]].*gfx[0-9]' \
            -e '^[[:space:]]*asic\([[:alnum:]_]' \
            -e '^[[:space:]]*([[:alnum:]_]+:[[:space:]]*)?(v|s|ds|buffer|tbuffer|global|flat|scratch|image)_[a-z][a-z0-9_]*[[:space:]]+(-|\||[vsa]\[|[vsa][0-9]|vcc|exec|m0|scc|ttmp|0x|[0-9]|\\|[[:alnum:]_]+cnt[[:space:]]*\(|off([^[:alnum:]_]|$)|hwreg)' \
            -e '^[[:space:]]*s_(endpgm|barrier|waitcnt|code_end)([^[:alnum:]_]|$)' \
            -e '(;|//|/\*|#).*((^|[^[:alnum:]_])gcn-lsp:|-m?cpu=gfx|-mtriple=amdg(cn|pu)|(^|[^[:alnum:]_])gfx([6-8][0-9][0-9]|9[0-9a-f]{2}|1[0-3][0-9a-f]{2})([^[:alnum:]_]|$))' \
            &&
            printf 'set-option buffer filetype gcn'
    }
}

# Colours, by shape: which mnemonics and registers a target has is the server's business.
add-highlighter shared/gcn regions
add-highlighter shared/gcn/code default-region group
add-highlighter shared/gcn/semicolon region ';' '$' fill comment
add-highlighter shared/gcn/slashes region '//' '$' fill comment
add-highlighter shared/gcn/block region '/\*' '\*/' fill comment
add-highlighter shared/gcn/string region '"' (?<!\\)(\\\\)*" fill string
add-highlighter shared/gcn/code/ regex '^\h*([\w.$\\@]+:)(?!:)' 1:function
add-highlighter shared/gcn/code/ regex '^\h*(\.[A-Za-z_][\w.]*)' 1:meta
add-highlighter shared/gcn/code/ regex '^\h*\.(?:macro|amdhsa_kernel)\h+([\w.$]+)' 1:function
add-highlighter shared/gcn/code/ regex '(?:^|:)\h*((?:v|s|ds|buffer|tbuffer|global|flat|scratch|image|exp|lds)_[\w\\]+|exp)(?=\s)(?! =)' 1:keyword
add-highlighter shared/gcn/code/ regex '(?<![\w.\\$])(?:(?:v|s|a|ttmp)(?:\d+\b|(?=\[))|(?:vcc|exec|flat_scratch|xnack_mask)(?:_lo|_hi)?\b|(?:m0|scc|null|off|vccz|execz|src_\w+)\b)' 0:variable
add-highlighter shared/gcn/code/ regex '\b(?:0[xX][0-9a-fA-F]+|0[bB][01]+|\d+(?:\.\d*)?)\b' 0:value
add-highlighter shared/gcn/code/ regex '\\(?:[A-Za-z_$]\w*|@|\(\))' 0:value
add-highlighter shared/gcn/code/ regex '[\s,]([A-Za-z_]\w*)(?=:[^:])' 1:attribute

hook -group gcn-highlight global WinSetOption filetype=gcn %{
    add-highlighter window/gcn ref gcn
    hook -once -always window WinSetOption filetype=.* %{ remove-highlighter window/gcn }
}
hook -group gcn-comment global BufSetOption filetype=gcn %{
    set-option buffer comment_line ';'
    set-option buffer comment_block_begin '/*'
    set-option buffer comment_block_end '*/'
}

# The server. kakoune-lsp reads `lsp_servers` of the buffer.
hook -group lsp-filetype-gcn global BufSetOption filetype=gcn %{
    set-option buffer lsp_servers %{
        [gcn-lsp]
        root_globs = ["gcn-lsp.toml", "pyproject.toml", ".git"]
        command = "gcn-lsp"
        args = ["serve"]
        # settings_section = "gcn-lsp"
        # [gcn-lsp.settings.gcn-lsp]
        # target = "gfx90a"
    }
}
hook -group gcn-lsp global WinSetOption filetype=gcn %{ lsp-enable-window }
