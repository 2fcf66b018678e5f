import type { AttachBreach } from '../../../checker/sequences/played.ts';
import type { FunctionName } from '../../../model/core/ids.ts';
import type { KernelView } from '../../../model/kernel.ts';
import type { MultiIds } from '../../../model/trampoline/designs/multi-ids-set.ts';
import { STUB_WORDS } from '../../../model/trampoline/designs/stub-targets.ts';
import { slotCount } from '../../../model/trampoline/signature.ts';
import { knownFunction } from '../../../model/trampoline/traced-function.ts';
import type { KnownAttach } from '../attach.ts';
import { known } from '../attach.ts';
import { isBelow, programNumber } from '../cause.ts';
import { KNOWN_MULTI_IDS_DETACH, ofMultiIds } from './multi-ids-detach.ts';

/*
 * Breaches of the multi trampolines of August 2022, as posted. No kernel has them: they are read off the patches and
 * executed.
 */

/** Its trampoline has one image, and its call site calls another, which is older. */
function isLedBack({ bpf, ftrace }: KernelView, fn: FunctionName): boolean {
  const { curImage = '' } = bpf.trampolines[fn] ?? {};
  const direct = ftrace.directFunctions[fn];
  if (curImage === '' || direct === undefined || direct === curImage) return false;
  return numberOf(direct) === undefined || numberOf(direct)! < numberOf(curImage)!;
}

/** Images are numbered as they are made; the direct call of another client has no number. */
function numberOf(image: string): number | undefined {
  const number = /^tramp#(\d+)$/.exec(image)?.[1];
  return number === undefined ? undefined : Number(number);
}

/** Its trampoline has an image, and ftrace no direct call. */
function isLedToNone({ bpf, ftrace }: KernelView, fn: FunctionName): boolean {
  const { curImage = '' } = bpf.trampolines[fn] ?? {};
  return curImage !== '' && ftrace.directFunctions[fn] === undefined;
}

/** A link to it is accepted, although it has the direct call of another client, which stays. */
function isAcceptedBeside(
  { action, outcome, before, after }: AttachBreach['moment'],
  fn: FunctionName,
): boolean {
  const direct = before.ftrace.directFunctions[fn];
  return (
    action.do === 'BPF_LINK_CREATE' &&
    outcome.errno === 0 &&
    action.targets.includes(fn) &&
    direct !== undefined &&
    !direct.startsWith('tramp#') &&
    after.ftrace.directFunctions[fn] === direct
  );
}

/** A function has a trampoline, and a multi link to that function alone finds the filter of its own ops empty. */
const ONLY_SINGLES =
  'prog#1 = BPF_PROG_LOAD(fentry multi); prog#2 = BPF_PROG_LOAD(fentry, f1); link#2 = BPF_LINK_CREATE(prog#2); link#1 = BPF_LINK_CREATE(prog#1, { f1 })';

const FORGOTTEN = {
  name: 'rollback-forgets-the-errno',
  sentence:
    'ftrace refuses the functions that share a trampoline; those with their own are rolled back, the return value of that is taken for the whole, and the link is committed: its program is never called, and the images that call sites point to are retired.',
  evidence:
    'Olsa, RFC 10/17  bpf_tramp_update_set: err = modify_ftrace_direct_multi() after out_rollback; bpf_trampoline_commit',
} as const;

const FORGOTTEN_ERRNO = [
  ofMultiIds(FORGOTTEN, {
    law: 'ftrace/call-sites-match-ops',
    finding: 'site-differs',
    when: ({ ip, observed }, { moment }) =>
      observed.is === 'call' && (isLedBack(moment.after, ip) || isAcceptedBeside(moment, ip)),
    example: ONLY_SINGLES,
  }),
  ofMultiIds(FORGOTTEN, {
    law: 'ftrace/direct-functions-match-direct-ops',
    finding: 'direct-entry-differs',
    when: ({ ip, expected, observed }, { moment }) =>
      expected !== null && observed !== null && (isLedBack(moment.after, ip) || isAcceptedBeside(moment, ip)),
    example: ONLY_SINGLES,
  }),
  ofMultiIds(FORGOTTEN, {
    law: 'ftrace/no-pointer-to-a-retired-image',
    finding: 'leads-to-memory-that-left',
    when: ({ from }, { moment: { after } }) =>
      (from.is === 'call site' || from.is === 'direct call') && isLedBack(after, from.of),
    example: ONLY_SINGLES,
  }),
  ofMultiIds(FORGOTTEN, {
    law: 'ftrace/only-changed-sites-are-poked',
    finding: 'pokes-differ',
    when: ({ action, ip, expected }, { moment: { after } }) =>
      (action === 'BPF_LINK_CREATE' || action === 'close(link)') && expected === 0 && isLedBack(after, ip),
    example: ONLY_SINGLES,
  }),
  ofMultiIds(FORGOTTEN, {
    law: 'ftrace/success-means-attached',
    finding: 'client-is-not-served',
    when: (_, { moment: { action, after } }) =>
      action.do === 'BPF_LINK_CREATE' && action.targets.some((fn) => isLedToNone(after, fn)),
    example:
      'prog#1 = BPF_PROG_LOAD(fentry multi); prog#2 = BPF_PROG_LOAD(fentry, f1); the next allocation in register_ftrace_direct fails; link#1 = BPF_LINK_CREATE(prog#2); link#1 = BPF_LINK_CREATE(prog#1, { f1 })',
  }),
  ofMultiIds(FORGOTTEN, {
    law: 'ftrace/probes-fire-exactly-once',
    finding: 'hits-differ',
    when: ({ fn, kind, expected, observed }, { moment: { after } }) =>
      kind === 'program' && expected === 1 && observed === 0 && isLedBack(after, fn),
    example: `${ONLY_SINGLES}; task#1 calls f1(0x5100000071000000)`,
  }),
];

const SEVENTH =
  'f7 = function(u64 x7 -> u64); prog#1 = BPF_PROG_LOAD(fexit multi); link#1 = BPF_LINK_CREATE(prog#1, { f7 }); task#1 calls f7(0x1, 0x2, 0x3, 0x4, 0x5, 0x6, 0x7)';

/** A function with arguments on the stack, called by an image for six words. */
function isCalledWithSix(k: KernelView, fn: FunctionName): boolean {
  const linked = Object.values(k.bpf.links).some(
    (link) => link.kind === 'tracing multi' && link.targets.includes(fn),
  );
  return linked && slotCount(knownFunction(k.functions, fn).signature) > STUB_WORDS;
}

const SIX = {
  name: 'six-words-for-every-function',
  sentence:
    'The image calls every original with six arguments: a seventh, which the caller put on the stack, is whatever is there.',
  evidence:
    'Olsa, RFC 10/17  btf_multi_func_model; 11/17  bpf_tramp_id_resolve checks addresses only, and 4/17 check_attach_btf_id nothing',
} as const;

const LOST_ARGUMENTS = [
  ofMultiIds(SIX, {
    law: 'ftrace/callbacks-see-the-callers-arguments',
    finding: 'arguments-differ',
    when: ({ fn }, { moment: { after } }) => isCalledWithSix(after, fn),
    example: SEVENTH,
  }),
  ofMultiIds(SIX, {
    law: 'ftrace/caller-gets-the-return-value',
    finding: 'return-value-differs',
    when: ({ fn }, { moment: { after } }) => isCalledWithSix(after, fn),
    example: SEVENTH,
  }),
];

/** A single program whose images are now generated for the stub, because multi links have its function. */
function isBesideMulti(k: KernelView, who: string, fn: FunctionName): boolean {
  const { byName } = k.bpf.design as MultiIds;
  return (
    k.bpf.progs[programNumber(who)]?.program.multi === false &&
    Object.values(byName).some(({ singles }) => singles.includes(fn))
  );
}

const STUB = {
  name: 'single-program-finds-the-stub',
  sentence:
    'A multi program joins a function with single programs: the next image stores six words for all of them. The single programs see six arguments, and read the return value from the former position.',
  evidence: 'Olsa, RFC 10/17  bpf_trampoline_update: model = &btf_multi_func_model for tr->func.model',
} as const;

const STUB_FOR_ALL = [
  ofMultiIds(STUB, {
    law: 'ftrace/callbacks-see-the-callers-arguments',
    finding: 'arguments-differ',
    when: ({ who, fn }, { moment: { after } }) => isBesideMulti(after, who, fn),
    example:
      'prog#1 = BPF_PROG_LOAD(fentry, f1); prog#2 = BPF_PROG_LOAD(fentry multi); link#1 = BPF_LINK_CREATE(prog#1); link#2 = BPF_LINK_CREATE(prog#2, { f1, f2 }); task#1 calls f1(0x5100000071000000)',
  }),
  ofMultiIds(STUB, {
    law: 'ftrace/exit-handlers-see-the-return-value',
    finding: 'seen-return-value-differs',
    when: ({ who, fn }, { moment: { after } }) => isBesideMulti(after, who, fn),
    example:
      'prog#1 = BPF_PROG_LOAD(fexit reads=ctx, f1); prog#2 = BPF_PROG_LOAD(fentry multi); link#1 = BPF_LINK_CREATE(prog#1); link#2 = BPF_LINK_CREATE(prog#2, { f1, f2 }); task#1 calls f1(0x5100000071000000)',
  }),
];

const FLAGS: KnownAttach = known({
  name: 'refused-multi-ids-link-keeps-the-flags',
  sentence:
    'A link that is refused after the next images of single trampolines were made takes the images back, and not the flags that were computed for them.',
  evidence:
    'Olsa, RFC 10/17  bpf_trampoline_rollback: tr->flags stay those of the discarded image; bpf_trampoline_update has returned 0',
  law: 'ftrace/failed-calls-have-no-effect',
  kernels: ['6.1', '6.12'],
  multiLinks: 'multi ids',
  finding: 'refusal-leaves-a-trace',
  when: ({ changes }, { moment: { action, before } }) =>
    action.do === 'BPF_LINK_CREATE' &&
    changes.every(({ place }) =>
      action.targets.some(
        (target) =>
          isBelow(place, 'bpf', 'trampolines', target, 'flags') &&
          (before.bpf.trampolines[target]?.nodes.length ?? 0) > 0,
      ),
    ),
  example:
    'prog#1 = BPF_PROG_LOAD(fexit multi); prog#2 = BPF_PROG_LOAD(fentry, f1); link#2 = BPF_LINK_CREATE(prog#2); the next poke in ftrace_replace_code fails; register_kprobe(kprobe#1, f2); link#1 = BPF_LINK_CREATE(prog#1, { f1, f2 })',
});

export const KNOWN_MULTI_IDS: readonly KnownAttach[] = [
  ...FORGOTTEN_ERRNO,
  FLAGS,
  known({
    name: 'function-of-a-multi-trampoline-lacks-memory',
    sentence:
      'A program for a function that a multi link has is refused with ENOMEM, as if memory was short: bpf_trampoline_get() fails, and its callers know one reason for that.',
    evidence:
      'Olsa, RFC 10/17  bpf_trampoline_get: key_in_multi_trampoline(), and then NULL; kernel/bpf/verifier.c, kernel/bpf/syscall.c of 6.1.192 and 6.12.117: if (!tr) return -ENOMEM',
    law: 'ftrace/refusals-have-their-errno',
    kernels: ['6.1', '6.12'],
    multiLinks: 'multi ids',
    finding: 'errno-differs',
    goesOn: true,
    when: ({ because, action }) =>
      because === 'memory is not short' &&
      (action === 'BPF_PROG_LOAD' || action === 'BPF_LINK_CREATE' || action === 'BPF_RAW_TRACEPOINT_OPEN'),
    example:
      'prog#1 = BPF_PROG_LOAD(fentry multi); link#1 = BPF_LINK_CREATE(prog#1, { f1 }); prog#2 = BPF_PROG_LOAD(fentry, f1)',
  }),
  ...KNOWN_MULTI_IDS_DETACH,
  ...LOST_ARGUMENTS,
  ...STUB_FOR_ALL,
];
