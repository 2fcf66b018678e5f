import type { FunctionName, LinkId, ProgId } from '../core/ids.ts';
import type { Part } from '../core/part.ts';
import { entry } from '../core/present.ts';
import type { RoutineWords } from '../core/routine.ts';
import { routine } from '../core/routine.ts';
import { isThere } from '../text/module.ts';
import type { Word } from '../x86/word.ts';
import { linkSingleByDesign, linksSingle, multiLinksOf } from './designs/chosen.ts';
import { keepSinglesOff } from './designs/keep-singles-off.ts';
import { bpfTrampolineLinkProg } from './link.ts';
import { knownFunction } from './traced-function.ts';
import { bpfTrampolineGet, bpfTrampolinePut } from './trampoline.ts';
import type { BpfView, BpfWorld, LinkKind } from './world.ts';

/*
 * Links of tracing programs to a single target. A link holds its program; its trampoline is held by the reference
 * that BPF_PROG_LOAD took, or by one that the attach takes.
 */

/**
 * bpf_prog_get(): whether the program's file descriptor is open; then a reference is taken, which the link keeps.
 * The system call drops it when it fails.
 */
export function bpfProgGet(k: BpfWorld, prog: ProgId): boolean {
  const found = k.bpf.progs[prog];
  if (found?.open !== true) return false;
  found.refs++;
  return true;
}

/** bpf_link_init() and bpf_link_prime(): a link, which keeps the reference of bpf_prog_get() on its program. */
export function makeLink(
  k: BpfWorld,
  { link, prog }: { link: LinkId; prog: ProgId },
  kind: LinkKind,
  targets: readonly FunctionName[],
): void {
  k.bpf.links[link] = { prog, targets, kind, reg: {}, modify: {}, unreg: {} };
}

/** bpf_link_cleanup(): the link is freed; the system call still holds the program. */
export function dropLink(k: BpfWorld, { link }: { link: LinkId }): void {
  delete k.bpf.links[link];
}

/** `got`: a reference on the trampoline was taken here, and is dropped on failure. */
interface AttachArgs {
  link: LinkId;
  prog: ProgId;
  /** `bpf_cookie`. */
  cookie: Word;
  got?: boolean;
}

/**
 * bpf_tracing_prog_attach(), kernel/bpf/syscall.c, with the program's `dst_mutex` held. The first link takes over
 * the reference from the load. Later ones find a kernel function again by its BTF id; a BPF program would have to
 * be named by its file descriptor.
 */
export const tracingProgAttach = routine<BpfWorld, AttachArgs>('bpf_tracing_prog_attach', (words) => {
  const { allocate, holding, refuse, indirect, call, step, attempt, when } = words;
  return [
    allocate('the link'),
    holding(
      (_, { prog }) => `dst_mutex of prog#${prog}`,
      [
        refuse('EINVAL', 'a BPF program was its target, and is not named', (k, { prog }) => {
          const { dstTrampoline, target } = entry(k.bpf.progs, prog);
          return !dstTrampoline && knownFunction(k.functions, target).bpf;
        }),
        takeTrampoline(words),
        step('make the link', (k, locals) =>
          makeLink(k, locals, 'tracing', [entry(k.bpf.progs, locals.prog).target]),
        ),
        attempt(
          [
            keepSinglesOff(words, 'link', targetOf),
            when(
              'the design links single programs',
              linksSingle,
              [indirect('link by the design', linkSingleByDesign, multiLinksOf, nodeOf)],
              [call(bpfTrampolineLinkProg, nodeOf)],
            ),
          ],
          [
            step('drop the link', dropLink),
            when('a reference was taken', (_, { got }) => got === true, [
              call(bpfTrampolinePut, (k, { prog }) => ({ target: entry(k.bpf.progs, prog).target })),
            ]),
          ],
        ),
        // `prog->aux->dst_trampoline = NULL`: a second link has to look the target up.
        step('the link owns the reference', (k, { prog }) => {
          entry(k.bpf.progs, prog).dstTrampoline = false;
        }),
      ],
    ),
  ];
});

/** The entry for the target's list, with the link's cookie. */
function nodeOf(k: BpfView, { link, prog, cookie }: AttachArgs) {
  return { target: entry(k.bpf.progs, prog).target, node: { link, prog, cookie } };
}

function targetOf(k: BpfView, { prog }: AttachArgs): string {
  return entry(k.bpf.progs, prog).target;
}

/** bpf_check_attach_target() and bpf_trampoline_get() again: the target is looked up, its trampoline held. */
function takeTrampoline(words: RoutineWords<BpfWorld, AttachArgs>): Part {
  const { when, refuse, call, step } = words;
  return when('it was attached before', (k, { prog }) => !entry(k.bpf.progs, prog).dstTrampoline, [
    refuse(
      'ENOENT',
      'its target was unloaded',
      (k, { prog }) => !isThere(k, entry(k.bpf.progs, prog).target),
    ),
    keepSinglesOff(words, 'get', targetOf),
    call(bpfTrampolineGet, (k, { prog }) => ({ target: entry(k.bpf.progs, prog).target })),
    step('remember the reference', (_, locals) => {
      locals.got = true;
    }),
  ]);
}
