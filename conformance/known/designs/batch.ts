import type { FunctionName, ProgId } from '../../../model/core/ids.ts';
import { entry } from '../../../model/core/present.ts';
import type { KernelView } from '../../../model/kernel.ts';
import type { BatchLink } from '../../../model/trampoline/designs/batch-multi.ts';
import type { SharedTrampolines } from '../../../model/trampoline/designs/shared-image.ts';
import { STUB_WORDS } from '../../../model/trampoline/designs/stub-targets.ts';
import { slotCount } from '../../../model/trampoline/signature.ts';
import { knownFunction } from '../../../model/trampoline/traced-function.ts';
import type { Changed } from '../../../properties/finding/answer-finding.ts';
import type { KnownAttach } from '../attach.ts';
import { known } from '../attach.ts';
import { isBelow, isProgram, programNumber } from '../cause.ts';
import { keepsRegs } from '../kept-regs.ts';

/*
 * Breaches of the batch attach of August 2021, as posted, and of the generic trampoline of June 2021. No kernel has
 * them: they are read off the patches and executed.
 */

/** A program of multi links that reads the return value itself, after the six arguments of the stub. */
function readsBehindTheStub(k: KernelView, prog: ProgId): boolean {
  const { multi, reads } = entry(k.bpf.progs, prog).program;
  return multi && reads !== 'helpers';
}

function linkOf(k: KernelView, prog: ProgId): string {
  return Object.keys(k.bpf.links).find((link) => entry(k.bpf.links, link).prog === prog)!;
}

/**
 * The argument words of a function, and those that its images are generated with while it has a program of a multi
 * link.
 */
function wordsOf(
  k: KernelView,
  prog: ProgId,
  fn: FunctionName,
): {
  readonly own: number;
  readonly model: number;
  readonly nested: boolean;
} {
  const { links, multis, shared } = k.bpf.design as BatchLink;
  const multi = entry(links, linkOf(k, prog));
  const own = slotCount(knownFunction(k.functions, fn).signature);
  const nested = entry(multis, multi).nested.includes(fn);
  const { words } = entry(shared, multi);
  return { own, nested, model: nested ? Math.max(own, words) : words };
}

function isMultiNode({ place }: Changed): boolean {
  return isBelow(place, 'bpf', 'design', 'multiNodes');
}

/**
 * The rollback of a link regenerates the image of a nested function, whose only multi program had found the old model:
 * now the count is right, and the image has the words of the set.
 */
function isOfTheOldModel({ place }: Changed, k: KernelView): boolean {
  const { multis, counts } = k.bpf.design as BatchLink;
  const nested = Object.values(multis).flatMap((multi) => multi.nested);
  return nested.some(
    (fn) =>
      counts[fn] === 1 &&
      k.bpf.trampolines[fn]?.imageWords !== slotCount(knownFunction(k.functions, fn).signature) &&
      isBelow(place, 'bpf', 'images', `image of ${fn}.0`, 'patchPoints'),
  );
}

/** Links that share the multi trampoline of other functions. */
function hasOthersFunctions(k: KernelView): boolean {
  const { links, multis } = k.bpf.design as BatchLink;
  return Object.entries(links).some(([link, multi]) => {
    const { ids } = entry(multis, multi);
    return k.bpf.links[link]?.targets.some((target) => !ids.includes(target)) === true;
  });
}

const LENGTH_ERROR = {
  sentence:
    'The ids of a link, four bytes each, are compared with memcmp() over one byte per id: two sets of one size with a common beginning count as equal, and the program is attached to the functions of the other.',
  evidence: 'Olsa, v4 16/27  bpf_trampoline_multi_get: !memcmp(ids, multi->ids, ids_cnt)',
  kernels: ['6.1', '6.12'],
  multiLinks: 'batch',
} as const;

const FUNCTIONS = 'f1 = function(u64 -> u64); f2 = function(u64 x2 -> u64); f3 = function(u64 x3 -> u64)';
const TWO_SETS = `${FUNCTIONS}; prog#1 = BPF_PROG_LOAD(fentry multi); prog#2 = BPF_PROG_LOAD(fentry multi); link#1 = BPF_LINK_CREATE(prog#1, { f1, f2 }); link#2 = BPF_LINK_CREATE(prog#2, { f1, f3 })`;

export const KNOWN_OF_BATCH: readonly KnownAttach[] = [
  known({
    name: 'return-value-is-not-after-the-stub',
    sentence:
      "The image stores the arguments of its longest function, and the return value after them; a program that reads ctx itself looks after the stub's six, at stack contents of the image or its caller.",
    evidence:
      'LPC 2021, mass attachment of tracing probes: the generic trampoline "has problem with fexit interface"; Olsa, June 2021: "the highest number of arguments from all given functions"',
    law: 'ftrace/exit-handlers-see-the-return-value',
    kernels: ['6.1', '6.12', '7.2'],
    multiLinks: 'generic',
    finding: 'seen-return-value-differs',
    when: ({ who }, { moment: { after: k } }) => {
      const prog = programNumber(who);
      const { shared } = k.bpf.design as SharedTrampolines;
      return readsBehindTheStub(k, prog) && shared[`generic(${linkOf(k, prog)})`]?.words !== STUB_WORDS;
    },
    example:
      'f1 = function(u64 -> u64); f2 = function(u64 x2 -> u64); prog#1 = BPF_PROG_LOAD(fexit multi reads=ctx); link#1 = BPF_LINK_CREATE(prog#1, { f1, f2 }); task#1 calls f2(0x5100000071000000, 0x5100000071000001)',
  }),
  known({
    name: 'return-value-is-not-after-the-model',
    sentence:
      "The multi trampoline stores the arguments of its longest free function, a nested one those of its function; programs of both look for the return value after the stub's six.",
    evidence:
      'Olsa, v4 16/27  bpf_trampoline_multi_get: nr_args; 17/27  needs_multi_model; 09/27  bpf_multi_func',
    law: 'ftrace/exit-handlers-see-the-return-value',
    kernels: ['6.1', '6.12'],
    multiLinks: 'batch',
    finding: 'seen-return-value-differs',
    when: ({ who, fn }, { moment: { after: k } }) =>
      readsBehindTheStub(k, programNumber(who)) && wordsOf(k, programNumber(who), fn).model !== STUB_WORDS,
    example:
      'f1 = function(u64 -> u64); f2 = function(u64 x2 -> u64); prog#1 = BPF_PROG_LOAD(fexit multi reads=ctx); link#1 = BPF_LINK_CREATE(prog#1, { f1, f2 }); task#1 calls f2(0x5100000071000000, 0x5100000071000001)',
  }),
  known({
    name: 'refused-program-stays-busy',
    sentence:
      "A multi link refused after the allocation of its nodes leaves the program's multi_node pointing to freed memory: the program gets EBUSY from then on.",
    evidence: 'Olsa, v4 17/27  bpf_trampoline_multi_link_prog: out_free, out_unlink',
    law: 'ftrace/failed-calls-have-no-effect',
    kernels: ['6.1', '6.12'],
    multiLinks: 'batch',
    finding: 'refusal-leaves-a-trace',
    when: ({ changes }, { moment }) =>
      moment.action.do === 'BPF_LINK_CREATE' &&
      changes.some(isMultiNode) &&
      changes.every(
        (change) =>
          isMultiNode(change) || keepsRegs(change, moment) || isOfTheOldModel(change, moment.before),
      ),
    example:
      'prog#1 = BPF_PROG_LOAD(fentry, f1); prog#2 = BPF_PROG_LOAD(fentry multi); link#2 = BPF_LINK_CREATE(prog#2, { f1 })',
  }),
  known({
    name: 'first-multi-program-finds-the-old-model',
    sentence:
      'A nested trampoline counts its multi programs after the update that adds them: the image with the first one is generated for the function alone, and the return value is not after the six arguments that the verifier assumed.',
    evidence: 'Olsa, v4 17/27  bpf_trampoline_link_prog: tr->multi.count++; needs_multi_model',
    law: 'ftrace/exit-handlers-see-the-return-value',
    kernels: ['6.1', '6.12'],
    multiLinks: 'batch',
    finding: 'seen-return-value-differs',
    when: ({ who, fn }, { moment: { after: k } }) => {
      const prog = programNumber(who);
      if (!readsBehindTheStub(k, prog)) return false;
      const { own, model, nested } = wordsOf(k, prog, fn);
      return nested && own < STUB_WORDS && model === STUB_WORDS;
    },
    example:
      'f1 = function(u64 -> u64); f6 = function(u64 x6 -> u64); prog#1 = BPF_PROG_LOAD(fentry, f1); prog#2 = BPF_PROG_LOAD(fexit multi reads=ctx); link#2 = BPF_LINK_CREATE(prog#2, { f1, f6 }); task#1 calls f1(0x5100000071000000)',
  }),
  known({
    name: 'nested-program-gets-the-count-of-others',
    sentence:
      'A single program in a nested trampoline gets the argument count of the multi trampoline (bpf_get_func_arg_cnt()) once its image is generated for that.',
    evidence:
      'Olsa, v4 17/27  needs_multi_model, on a kernel with the number at ctx[-1] (5.17): arch_prepare_bpf_trampoline',
    law: 'ftrace/callbacks-see-the-callers-arguments',
    kernels: ['6.1', '6.12'],
    multiLinks: 'batch',
    finding: 'arguments-differ',
    when: ({ who, fn, expected, observed }, { moment: { after: k } }) => {
      const program = k.bpf.progs[programNumber(who)]?.program;
      return (
        program?.multi === false &&
        program.reads !== 'direct' &&
        k.bpf.trampolines[fn]?.imageWords !== undefined &&
        observed.length > expected.length &&
        expected.every((word, i) => word === observed[i])
      );
    },
    example:
      'f1 = function(u64 -> u64); f2 = function(u64 x2 -> u64); prog#1 = BPF_PROG_LOAD(fexit, f1); link#1 = BPF_LINK_CREATE(prog#1); prog#2 = BPF_PROG_LOAD(fentry multi); prog#3 = BPF_PROG_LOAD(fentry multi); link#2 = BPF_LINK_CREATE(prog#2, { f1, f2 }); link#3 = BPF_LINK_CREATE(prog#3, { f1, f2 }); task#1 calls f1(0x5100000071000000)',
  }),
  known({
    ...LENGTH_ERROR,
    name: 'length-error-of-2021-attaches-elsewhere',
    law: 'ftrace/success-means-attached',
    finding: 'client-is-not-served',
    when: ({ who, servers }, { moment: { after } }) =>
      isProgram(who) && servers === 'a direct ops' && hasOthersFunctions(after),
    example: TWO_SETS,
  }),
  known({
    ...LENGTH_ERROR,
    name: 'length-error-of-2021-loses-events',
    law: 'ftrace/probes-fire-exactly-once',
    finding: 'hits-differ',
    when: ({ kind, expected, observed }, { moment: { after } }) =>
      kind === 'program' && Math.min(expected, observed) === 0 && hasOthersFunctions(after),
    example: `${TWO_SETS}; task#1 calls f3(0x5100000071000000, 0x5100000071000001, 0x5100000071000002)`,
  }),
  known({
    ...LENGTH_ERROR,
    name: 'length-error-of-2021-changes-other-sites',
    law: 'ftrace/only-changed-sites-are-poked',
    finding: 'pokes-differ',
    when: ({ expected }, { moment: { after } }) => expected === 0 && hasOthersFunctions(after),
    example: TWO_SETS,
  }),
  known({
    name: 'program-that-left-stays-in-the-image-of-a-set',
    sentence:
      'A detached program leaves the list of a trampoline of several functions first; if the next image cannot be generated, the old one still calls it.',
    evidence:
      '[PATCH v4 bpf-next, August 2021] bpf_trampoline_multi_unlink_prog; modelled as bpf_trampoline_unlink_prog() of 6.1.192 and 6.12.117: hlist_del_init() before bpf_trampoline_update()',
    kernels: ['6.1', '6.12'],
    multiLinks: 'batch',
    law: 'ftrace/multi-link-bookkeeping-is-consistent',
    finding: 'shared-image-is-for-others',
    when: ({ expected, observed }, { moment: { faults, outcome } }) =>
      faults.length > 0 &&
      expected.length > 0 &&
      observed.length > 0 &&
      outcome.warnings.some(
        (warning) =>
          warning.is === 'multi link not taken off' && warning.by === 'bpf_tracing_multi_link_release',
      ),
    example:
      'f1 = function(u64 -> u64); prog#1 = BPF_PROG_LOAD(fentry multi); prog#2 = BPF_PROG_LOAD(fentry multi); link#1 = BPF_LINK_CREATE(prog#1, { f1 }); link#2 = BPF_LINK_CREATE(prog#2, { f1 }); the next allocation in bpf_trampoline_update (shared) fails; close(link#1)',
  }),
];
