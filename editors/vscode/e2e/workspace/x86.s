	.text
	.globl	main
main:
	pushq	%rbp
	movq	%rsp, %rbp
	popq	%rbp
	retq
