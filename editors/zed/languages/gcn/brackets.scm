("[" @open "]" @close)

("(" @open ")" @close)
