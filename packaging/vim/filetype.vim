" For Vim's runtime/filetype.vim: assembly for AMD GPUs by names that no other processor has. Other names are shared, so
" they need a look at the content, as in editors/neovim/ftdetect.
au BufNewFile,BufRead *.gcn,*.amdgcn,*.rdna[1-4],*.cdna[1-4]  setf gcn
