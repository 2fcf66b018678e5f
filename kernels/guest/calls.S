/* SPDX-License-Identifier: GPL-2.0 */
/* The client's own machine code: direct trampolines, a live patch's replacement, the caller, and a halt. */
#include <linux/linkage.h>
#include <asm/nospec-branch.h>

#ifdef CONFIG_X86_KERNEL_IBT
#define LANDING endbr64
#else
#define LANDING
#endif

/* A direct trampoline keeps every argument and rax, and says which one it is, and where it returns to. */
.macro TRAMPOLINE name number
SYM_FUNC_START(\name)
	LANDING
	pushq %rbp
	movq %rsp, %rbp
	pushq %rax
	pushq %r10
	pushq %r9
	pushq %r8
	pushq %rcx
	pushq %rdx
	pushq %rsi
	pushq %rdi
	movl $\number, %edi
	movq %rsp, %rsi
	movq 8(%rbp), %rdx
	call recorder_direct_hook
	popq %rdi
	popq %rsi
	popq %rdx
	popq %rcx
	popq %r8
	popq %r9
	popq %r10
	popq %rax
	popq %rbp
	RET
SYM_FUNC_END(\name)
.endm

	.text
TRAMPOLINE recorder_tramp_1 1
TRAMPOLINE recorder_tramp_2 2
TRAMPOLINE recorder_tramp_3 3

SYM_FUNC_START(recorder_replacement)
	LANDING
	pushq %rbp
	movq %rsp, %rbp
	call recorder_replacement_hook
	movabsq $0xaaaa000055550000, %rax
	popq %rbp
	RET
SYM_FUNC_END(recorder_replacement)

/*
 * u64 recorder_call(fn, registers[6], stack[], count, result[2]): calls fn with exactly these words, and answers
 * with a bit for each of rbx, r12, r13, r14, r15 that was not preserved.
 */
SYM_FUNC_START(recorder_call)
	LANDING
	pushq %rbp
	movq %rsp, %rbp
	pushq %rbx
	pushq %r12
	pushq %r13
	pushq %r14
	pushq %r15
	pushq %r8
	movq %rdi, %rax
	testb $1, %cl
	je 1f
	pushq $0
1:	testq %rcx, %rcx
	je 2f
	pushq -8(%rdx,%rcx,8)
	decq %rcx
	jmp 1b
2:	movq %rsi, %r10
	movq (%r10), %rdi
	movq 8(%r10), %rsi
	movq 16(%r10), %rdx
	movq 24(%r10), %rcx
	movq 32(%r10), %r8
	movq 40(%r10), %r9
	movq $0x5a01, %rbx
	movq $0x5a02, %r12
	movq $0x5a03, %r13
	movq $0x5a04, %r14
	movq $0x5a05, %r15
	movq %rax, %r11
	xorl %eax, %eax
	ANNOTATE_RETPOLINE_SAFE
	call *%r11
	movq -48(%rbp), %r8
	movq %rax, (%r8)
	movq %rdx, 8(%r8)
	xorl %eax, %eax
.macro LOST register value bit
	cmpq $\value, \register
	je 3f
	orl $\bit, %eax
3:
.endm
	LOST %rbx, 0x5a01, 1
	LOST %r12, 0x5a02, 2
	LOST %r13, 0x5a03, 4
	LOST %r14, 0x5a04, 8
	LOST %r15, 0x5a05, 16
	leaq -40(%rbp), %rsp
	popq %r15
	popq %r14
	popq %r13
	popq %r12
	popq %rbx
	popq %rbp
	RET
SYM_FUNC_END(recorder_call)

/*
 * A debugger puts the address at which a task stands on its stack, and leads it here: it stands in recorder_stand(), and
 * then executes that instruction, with every register and flag as it was.
 */
SYM_FUNC_START(recorder_park)
	pushfq
	pushq %rax
	pushq %rbx
	pushq %rcx
	pushq %rdx
	pushq %rsi
	pushq %rdi
	pushq %rbp
	pushq %r8
	pushq %r9
	pushq %r10
	pushq %r11
	cld
	movq %rsp, %rbx
	andq $-16, %rsp
	call recorder_stand
	movq %rbx, %rsp
	popq %r11
	popq %r10
	popq %r9
	popq %r8
	popq %rbp
	popq %rdi
	popq %rsi
	popq %rdx
	popq %rcx
	popq %rbx
	popq %rax
	popfq
	ANNOTATE_UNRET_SAFE
	ret
	int3
SYM_FUNC_END(recorder_park)
	.section .note.GNU-stack,"",@progbits
