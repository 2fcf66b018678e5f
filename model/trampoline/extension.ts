import type { Errno } from '../core/errno.ts';
import type { FunctionName, ProgId } from '../core/ids.ts';
import { routine } from '../core/routine.ts';
import { warn } from '../core/world.ts';
import { branchAtSite, NOP5, siteOf } from '../text/text.ts';
import { bpfArchTextPoke } from './image-lifecycle.ts';
import { trOf } from './trampoline.ts';
import type { BpfView, BpfWorld } from './world.ts';

/*
 * An extension (freplace) replaces a BPF program: the target's call site jumps to it, and no image is generated.
 * This is the BPF_TRAMP_REPLACE branch of __bpf_trampoline_link_prog() and __bpf_trampoline_unlink_prog(),
 * kernel/bpf/trampoline.c.
 *
 * ```text
 *   caller -> target: nop5 at its entry      -> body of the target
 *   caller -> target: jmp prog#2             -> extension, which returns to the caller
 * ```
 *
 * The site is poked by bpf_arch_text_poke(): ftrace does not know the entry of a BPF program. Tracing programs
 * use the same five bytes, so both cannot be attached at once.
 */

interface LinkArgs {
  target: FunctionName;
  prog: ProgId;
}

/**
 * `extension_prog` is set before the site is poked and stays set when the poke fails: from then on nothing can be
 * attached to the target, neither a program nor another extension.
 */
export const linkExtension = routine<BpfWorld, LinkArgs>(
  '__bpf_trampoline_link_prog (extension)',
  ({ refuse, step, call }) => [
    refuse(
      'EBUSY',
      'programs are attached to the target',
      (k, { target }) => trOf(k, target).nodes.length > 0,
    ),
    // Before the poke, and not undone by its failure.
    step('take the target', (k, { target, prog }) => {
      trOf(k, target).extensionProg = prog;
    }),
    call(bpfArchTextPoke, (k, { target, prog }) => ({
      place: siteOf(target),
      from: NOP5,
      to: jumpTo(k, target, prog),
    })),
  ],
);

interface UnlinkArgs {
  target: FunctionName;
  errno?: Errno | 0;
}

/**
 * `extension_prog` is cleared whatever bpf_arch_text_poke() answers; the site may still jump to the extension.
 */
export const unlinkExtension = routine<BpfWorld, UnlinkArgs>(
  '__bpf_trampoline_unlink_prog (extension)',
  ({ step, call, refuseWith }) => [
    step('warn if there is none', (k, { target }) => {
      if (trOf(k, target).extensionProg === 0) warn(k, { is: 'no extension', target });
    }),
    call(
      bpfArchTextPoke,
      (k, { target }) => ({
        place: siteOf(target),
        from: jumpTo(k, target, trOf(k, target).extensionProg),
        to: NOP5,
      }),
      (_, locals, errno) => {
        locals.errno = errno;
      },
    ),
    step('give the target back', (k, { target }) => {
      trOf(k, target).extensionProg = 0;
    }),
    refuseWith(['EBUSY'], 'the call site still calls the extension', (_, { errno }) =>
      errno === 0 ? undefined : errno,
    ),
  ],
);

/** BPF_MOD_JUMP: `jmp` at the target's entry, so the extension returns to the target's caller. */
function jumpTo(k: BpfView, target: FunctionName, prog: ProgId): string {
  return branchAtSite(k, target, 'e9', `prog#${prog}`);
}
