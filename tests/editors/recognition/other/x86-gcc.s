	.file	"a.c"
	.text
	.globl	main
	.type	main, @function
main:
	.cfi_startproc
	pushq	%rbp
	movl	$0, %eax
	ret
