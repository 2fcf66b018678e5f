import type { TracingKind } from '../../model/trampoline/program.ts';

/**
 * How often an image calls a program: `BPF_MAX_TRAMP_LINKS` bounds the calls, and not the programs. A session (7.2) is
 * in the lists of the entry and of the exit (bpf_trampoline_add_prog(), kernel/bpf/trampoline.c): beside 35 others of
 * at most 36 it is E2BIG, and an exit program is not (recorded on 7.2.13). An extension takes the place of its target.
 */
const CALLS: Readonly<Record<TracingKind, number>> = {
  fentry: 1,
  fmod_ret: 1,
  fexit: 1,
  fsession: 2,
  freplace: 0,
};

/** How many calls of programs the image for these has. */
export function callsInAnImage(programs: readonly { readonly kind: TracingKind }[]): number {
  return programs.reduce((sum, { kind }) => sum + CALLS[kind], 0);
}
