/* SPDX-License-Identifier: MIT */
/*
 * The way into a program and back. No register is free at either moment, so
 * both jumps go through memory, and the harness keeps its rsp there too.
 */
/* Offsets in struct guest; harness.h checks them. */
#define FLAGS 128
#define RIP 136
#define HOST_RSP 144

	.text
	.globl enter_guest, leave_guest, after_guest

/* void enter_guest(void): runs the program that struct guest describes. */
enter_guest:
	push %rbx
	push %rbp
	push %r12
	push %r13
	push %r14
	push %r15
	mov %rsp, guest+HOST_RSP(%rip)
	pushq guest+FLAGS(%rip)
	popfq	/* first: mov leaves the flags alone */
	mov guest+0(%rip), %rax
	mov guest+8(%rip), %rcx
	mov guest+16(%rip), %rdx
	mov guest+24(%rip), %rbx
	mov guest+40(%rip), %rbp
	mov guest+48(%rip), %rsi
	mov guest+56(%rip), %rdi
	mov guest+64(%rip), %r8
	mov guest+72(%rip), %r9
	mov guest+80(%rip), %r10
	mov guest+88(%rip), %r11
	mov guest+96(%rip), %r12
	mov guest+104(%rip), %r13
	mov guest+112(%rip), %r14
	mov guest+120(%rip), %r15
	mov guest+32(%rip), %rsp
	jmp *guest+RIP(%rip)

/* Where the exit cell leads: every register is still the program's. */
leave_guest:
	mov %rax, guest+0(%rip)
	mov %rcx, guest+8(%rip)
	mov %rdx, guest+16(%rip)
	mov %rbx, guest+24(%rip)
	mov %rsp, guest+32(%rip)
	mov %rbp, guest+40(%rip)
	mov %rsi, guest+48(%rip)
	mov %rdi, guest+56(%rip)
	mov %r8, guest+64(%rip)
	mov %r9, guest+72(%rip)
	mov %r10, guest+80(%rip)
	mov %r11, guest+88(%rip)
	mov %r12, guest+96(%rip)
	mov %r13, guest+104(%rip)
	mov %r14, guest+112(%rip)
	mov %r15, guest+120(%rip)
	mov guest+HOST_RSP(%rip), %rsp
	pushfq
	popq guest+FLAGS(%rip)

/* Where a signal that ends a program leads, with rsp as it was kept. */
after_guest:
	pushq $0x202
	popfq
	pop %r15
	pop %r14
	pop %r13
	pop %r12
	pop %rbp
	pop %rbx
	ret

	.section .note.GNU-stack, "", @progbits
