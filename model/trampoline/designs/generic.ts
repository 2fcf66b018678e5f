import type { FunctionName } from '../../core/ids.ts';
import type { Routine } from '../../core/part.ts';
import { entry } from '../../core/present.ts';
import { routine } from '../../core/routine.ts';
import { warn } from '../../core/world.ts';
import { freeOps } from '../../ftrace/filter-hash.ts';
import { ftraceSetFilterIps } from '../../ftrace/set-filter.ts';
import { functionNamed } from '../traced-function.ts';
import type { BpfView, BpfWorld } from '../world.ts';
import type { Design, LinkArgs } from './design.ts';
import { designData } from './design.ts';
import { filterCopies } from './filter-copies.ts';
import type { SharedTrampolines } from './shared-image.ts';
import { sharedDisagreement, sharedOf } from './shared-image.ts';
import { linkShared, opsOfShared, SHARED_COUNTS, unlinkShared } from './shared-link.ts';
import {
  hasCookie,
  needsPages,
  refuseStubTarget,
  STUB_TARGET_ERRNOS,
  STUB_WORDS,
  wordsOf,
} from './stub-targets.ts';
import { idsOf, nodeWithoutCookie } from './targets.ts';

/*
 * The generic trampoline of 2021, "one trampoline to serve them all": a link has one image for all of its
 * functions, private to the link. It cannot contain programs of other links, which would then run for all of its
 * functions; so a function that already has a direct call is EBUSY, and a later link to one of its functions is
 * EBUSY too.
 *
 * The variants differ in the number of arguments that the image prepares, and in how a program finds the return
 * value:
 *
 * ```text
 *   generic                   those of the function with the most     the sixth word after the first of ctx
 *   generic with fixed slot   six, for every set of functions         the same
 *   generic with helpers      those of the function with the most     bpf_arg(), bpf_ret_value(), nothing else
 * ```
 */

/** `least` and `most`: bounds of the words that an image prepares. */
interface Variant {
  readonly name: string;
  readonly sentence: string;
  readonly routines: { readonly attach: string; readonly detach: string };
  /** Words that an image prepares: at least, and at most. */
  readonly least: number;
  readonly most: number;
  readonly stubWords: number;
}

/** An attach with the function that it is at. */
interface GenericLocals extends LinkArgs {
  target: FunctionName;
}

/** The private trampoline of a link. */
function trampolineOf({ link }: LinkArgs): string {
  return `generic(${link})`;
}

/**
 * bpf_tracing_multi_attach() of June 2021: all functions in the filter of one ops, and one image for them. With a
 * function of fewer arguments the words after its own are garbage, and the stub's return value is at a fixed
 * offset.
 */
function attachRoutine({ routines, least, most }: Variant): Routine<BpfWorld, LinkArgs> {
  return routine<BpfWorld, LinkArgs, GenericLocals>(
    routines.attach,
    ({ refuse, allocate, step, attempt, each, refuseWith, call }) => [
      refuse('EINVAL', 'a link has no cookies', hasCookie),
      allocate('the trampoline'),
      step('bpf_trampoline_multi_alloc', (k, locals) => {
        const serial = ++k.bpf.serial;
        const made = { serial, words: least, nodes: [], curImage: '' };
        designData<SharedTrampolines>(k).shared[trampolineOf(locals)] = made;
      }),
      attempt(
        [
          each<string>('target', idsOf, takeTarget, [
            refuseWith(STUB_TARGET_ERRNOS, 'the program cannot attach to the function', (k, locals) =>
              takesMore(k, locals.target, most) ? 'EINVAL' : refuseStubTarget(k, locals, locals.target),
            ),
            step('count its arguments', (k, locals) => {
              const tr = sharedOf(k, trampolineOf(locals));
              tr.words = Math.max(tr.words, wordsOf(k, locals.target));
            }),
          ]),
          step('one filter after the other', () => {}),
          // The ops is private and not registered: its filter changes unseen.
          call(ftraceSetFilterIps, (k, locals) => ({
            ops: opsOfShared(trampolineOf(locals)),
            ips: idsOf(k, locals),
            remove: false,
            reset: false,
          })),
          call(linkShared, (k, locals) => ({
            name: trampolineOf(locals),
            node: nodeWithoutCookie(k, locals),
          })),
        ],
        [step('bpf_trampoline_multi_free', freeTrampoline)],
      ),
    ],
  );
}

/** Whether a function has more arguments than that; an unknown function has none. */
function takesMore(k: BpfView, name: string, most: number): boolean {
  return functionNamed(k.functions, name) !== undefined && wordsOf(k, name) > most;
}

function takeTarget(locals: GenericLocals, target: FunctionName): void {
  locals.target = target;
}

/** bpf_trampoline_multi_free(): the ops, its hashes and the trampoline, on failure and on detach. */
function freeTrampoline(k: BpfWorld, locals: LinkArgs): void {
  freeOps(k, opsOfShared(trampolineOf(locals)));
  delete designData<SharedTrampolines>(k).shared[trampolineOf(locals)];
}

/** The link is private to its image: detaching never has to consider another link. */
function detachRoutine({ routines }: Variant): Routine<BpfWorld, LinkArgs> {
  return routine<BpfWorld, LinkArgs>(routines.detach, ({ call, step }) => [
    call(
      unlinkShared,
      (k, locals) => ({ name: trampolineOf(locals), node: nodeWithoutCookie(k, locals) }),
      (k, _, errno) => {
        if (errno !== 0) warn(k, { is: 'multi link not taken off', errno, by: routines.detach });
      },
    ),
    step('bpf_trampoline_multi_free', freeTrampoline),
  ]);
}

/** The image of the link that has the function; no two links have a function in common. */
function imageOf(k: BpfView, target: FunctionName): string {
  const { shared } = designData<SharedTrampolines>(k);
  for (const link in k.bpf.links) {
    const { curImage = '' } = shared[trampolineOf({ link })] ?? {};
    if (curImage !== '' && entry(k.bpf.links, link).targets.includes(target)) return curImage;
  }
  return '';
}

/** The three variants differ in the words of their images and of the stub alone. */
function variant(item: Variant): Design {
  return {
    name: item.name,
    sentence: item.sentence,
    source:
      'Olsa, June 2021, 19 patches  bpf_trampoline_multi_alloc, bpf_tracing_multi_attach; LPC 2021, mass attachment of tracing probes',
    kinds: ['fentry', 'fexit'],
    // A link's image has no other function whose page it could share.
    needs: needsPages,
    start: () => ({ shared: {} }) satisfies SharedTrampolines,
    attach: attachRoutine(item),
    detach: detachRoutine(item),
    stubWords: item.stubWords,
    imageOf,
    held: () => [],
    disagreement: sharedDisagreement,
    counts: [...SHARED_COUNTS, filterCopies(item.routines.attach, idsOf)],
  };
}

/** Words of arguments that an image can prepare on any kernel of the model (MAX_BPF_FUNC_ARGS is 12). */
const ANY = 12;

export const generic = variant({
  name: 'generic',
  sentence:
    'A link has one image, with the arguments of its function with the most; its programs expect the return value after six.',
  routines: { attach: 'bpf_generic_attach', detach: 'bpf_generic_detach' },
  least: 0,
  most: ANY,
  stubWords: STUB_WORDS,
});

export const genericWithFixedSlot = variant({
  name: 'generic with fixed slot',
  sentence: 'A link has one image, with six arguments whatever its functions are declared with.',
  routines: { attach: 'bpf_generic_attach (fixed slot)', detach: 'bpf_generic_detach (fixed slot)' },
  least: STUB_WORDS,
  most: STUB_WORDS,
  stubWords: STUB_WORDS,
});

export const genericWithHelpers = variant({
  name: 'generic with helpers',
  sentence:
    'A link has one image, with the arguments of its function with the most; its programs call bpf_arg() and bpf_ret_value().',
  routines: { attach: 'bpf_generic_attach (helpers)', detach: 'bpf_generic_detach (helpers)' },
  least: 0,
  most: ANY,
  // No stub at all: a program that reads ctx itself is EACCES at its load.
  stubWords: 0,
});
