import type { RecordedVersion } from '../../model/core/profile.ts';
import { profileNamed } from '../../model/core/profile.ts';

/*
 * What a client has for each object, as C: the structure, and handlers that count their calls in `seen[]`.
 */

/** `kprobe#1` as C names it. */
export function nameInC(object: string): string {
  return object.replaceAll(/[#.]/g, '_');
}

/** The counter of who is named like that: `kprobe#1`, and `kprobe#1 post` for a second handler of it. */
export function counterOf(who: string): string {
  return nameInC(who).replaceAll(' ', '_').toUpperCase();
}

export function kprobeInC(kprobe: string): string {
  const name = nameInC(kprobe);
  return `static struct kprobe ${name};

static int __maybe_unused ${name}_pre(struct kprobe *kp, struct pt_regs *regs)
{
	seen[${counterOf(kprobe)}]++;
	return 0;
}

static void __maybe_unused ${name}_post(struct kprobe *kp, struct pt_regs *regs, unsigned long flags)
{
	seen[${counterOf(`${kprobe} post`)}]++;
}`;
}

export function kretprobeInC(kretprobe: string, vetoes: boolean): string {
  const name = nameInC(kretprobe);
  return `static struct kretprobe ${name};

static int __maybe_unused ${name}_entry(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	seen[${counterOf(`${kretprobe} entry`)}]++;
	return ${Number(vetoes)};
}

static int __maybe_unused ${name}_return(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	seen[${counterOf(kretprobe)}]++;
	return 0;
}`;
}

export function fprobeInC(fprobe: string, kernel: RecordedVersion): string {
  const name = nameInC(fprobe);
  const regs = profileNamed(kernel).fprobe === 'fgraph' ? 'struct ftrace_regs *regs' : 'struct pt_regs *regs';
  const args =
    kernel === '6.1'
      ? `struct fprobe *fp, unsigned long ip, ${regs}`
      : `struct fprobe *fp, unsigned long ip, unsigned long parent, ${regs}, void *data`;
  return `static struct fprobe ${name};

static ${kernel === '6.1' ? 'void' : 'int'} __maybe_unused ${name}_entry(${args})
{
	seen[${counterOf(`${fprobe} entry`)}]++;${kernel === '6.1' ? '' : '\n\treturn 0;'}
}

static void __maybe_unused ${name}_exit(${args})
{
	seen[${counterOf(`${fprobe} exit`)}]++;
}`;
}

/** One with IPMODIFY sends its functions to a replacement. */
export function opsInC(ops: string, isDirect: boolean, sends: boolean, kernel: RecordedVersion): string {
  const name = nameInC(ops);
  if (isDirect) return `static struct ftrace_ops ${name};`;
  const set = kernel === '6.1' ? 'ftrace_instruction_pointer_set' : 'ftrace_regs_set_instruction_pointer';
  return `static struct ftrace_ops ${name};

static void notrace __maybe_unused ${name}_func(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
	struct ftrace_regs *fregs)
{
	seen[${counterOf(ops)}]++;${sends ? `\n\t${set}(fregs, (unsigned long)replacement);` : ''}
}`;
}

export const REPLACEMENT = `static noinline notrace unsigned long replacement(void)
{
	seen[REPLACEMENT]++;
	return 0xaaaa000055550000;
}`;

/** A trampoline that keeps the arguments and returns into the function. */
export function trampInC(tramp: string): string {
  return `static void __used notrace ${tramp}_hook(void)
{
	seen[${counterOf(tramp)}]++;
}

extern void ${tramp}(void);
asm(
"	.pushsection .text, \\"ax\\", @progbits\\n"
"	.type ${tramp}, @function\\n"
"	.globl ${tramp}\\n"
"${tramp}:\\n"
	ASM_ENDBR
"	pushq %rbp\\n"
"	movq %rsp, %rbp\\n"
"	pushq %rax\\n"
"	pushq %rdi\\n"
"	pushq %rsi\\n"
"	pushq %rdx\\n"
"	pushq %rcx\\n"
"	pushq %r8\\n"
"	pushq %r9\\n"
"	pushq %r10\\n"
"	call ${tramp}_hook\\n"
"	popq %r10\\n"
"	popq %r9\\n"
"	popq %r8\\n"
"	popq %rcx\\n"
"	popq %rdx\\n"
"	popq %rsi\\n"
"	popq %rdi\\n"
"	popq %rax\\n"
"	leave\\n"
	ASM_RET
"	.size ${tramp}, .-${tramp}\\n"
"	.popsection\\n"
);`;
}

export const WRITE_FILE = `static int write_file(const char *path, const char *text)
{
	struct file *file = filp_open(path, O_WRONLY, 0);
	ssize_t written;
	loff_t at = 0;

	if (IS_ERR(file))
		return PTR_ERR(file);
	written = kernel_write(file, text, strlen(text), &at);
	filp_close(file, NULL);
	return written < 0 ? written : 0;
}`;
