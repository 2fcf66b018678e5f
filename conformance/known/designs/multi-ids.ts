import type { WordedBreach } from '../../../checker/sequences/run-sequence.ts';
import type { KernelView } from '../../../model/kernel.ts';
import type { MultiIds } from '../../../model/trampoline/designs/multi-ids-set.ts';
import { STUB_WORDS } from '../../../model/trampoline/designs/stub-targets.ts';
import { slotCount } from '../../../model/trampoline/signature.ts';
import { functionNamed } from '../../../model/trampoline/traced-function.ts';
import type { KnownAttach } from '../attach.ts';
import { KNOWN_MULTI_IDS_DETACH, seenBy } from './multi-ids-detach.ts';

/*
 * What breaks a law with the multi trampolines of August 2022, as they were posted. No kernel has them: what is shown is
 * read off the patches, and run.
 */

/** The function that a finding is about. */
function functionOf({ finding }: WordedBreach, shows: RegExp): string {
  return shows.exec(`${finding.expected} / ${finding.observed}`)?.[1] ?? '';
}

/** Its trampoline has one image, and its call site leads to another. */
function isLedBack({ bpf, ftrace }: KernelView, fn: string): boolean {
  const { curImage = '' } = bpf.trampolines[fn] ?? {};
  const direct = ftrace.directFunctions[fn];
  return curImage !== '' && direct !== undefined && direct !== curImage;
}

function isOnLedBack(shows: RegExp) {
  return (breach: WordedBreach) => isLedBack(breach.moment.after, functionOf(breach, shows));
}

const TABLE = /^direct_functions leads (\w+) of tr\(\w+\)\.fops to tramp#\d+ \/ it leads to tramp#\d+$/;
const SITE = /^(\w+), traced by .*, holds call tramp#\d+ \/ it holds call tramp#\d+$/;
const RETIRED = /^what the call site of (\w+) leads to is in use \/ tramp#\d+ is (retired|freed)$/;
const POKED =
  /^(?:BPF_LINK_CREATE|close\(link\)) pokes the call site of (\w+) not at all \/ it does \d+ times$/;
const NEVER = /^prog#\d+ sees (\w+) \(program\) once \/ never$/;

/** A function has a trampoline, and a multi link to that alone finds the filter of its own ops empty. */
const ONLY_SINGLES =
  'prog#1 = BPF_PROG_LOAD(fentry multi); prog#2 = BPF_PROG_LOAD(fentry, f1); link#2 = BPF_LINK_CREATE(prog#2); link#1 = BPF_LINK_CREATE(prog#1, { f1 })';

const FORGOTTEN_ERRNO = seenBy(
  {
    name: 'rollback-forgets-the-errno',
    sentence:
      'ftrace refuses the functions that share a trampoline; those with one of their own are led back, the answer to the last of that is taken for the answer to all, and the link is committed: its program is called nowhere, and the images that are retired are those that call sites lead to.',
    evidence:
      'Olsa, RFC 10/17  bpf_tramp_update_set: err = modify_ftrace_direct_multi() behind out_rollback; bpf_trampoline_commit',
  },
  [
    {
      law: 'ftrace/sites-follow-from-the-ops',
      shows: SITE,
      when: isOnLedBack(SITE),
      example: ONLY_SINGLES,
    },
    {
      law: 'ftrace/direct-table-is-the-union-of-filters',
      shows: TABLE,
      when: isOnLedBack(TABLE),
      example: ONLY_SINGLES,
    },
    {
      law: 'ftrace/nobody-leads-to-a-retired-image',
      shows: RETIRED,
      when: isOnLedBack(RETIRED),
      example: ONLY_SINGLES,
    },
    {
      law: 'ftrace/only-what-changes-is-poked',
      shows: POKED,
      when: isOnLedBack(POKED),
      example: ONLY_SINGLES,
    },
    {
      law: 'ftrace/every-probe-fires-once',
      shows: NEVER,
      when: isOnLedBack(NEVER),
      example: `${ONLY_SINGLES}; task#1 calls f1(0x5100000071000000)`,
    },
  ],
);

const SEVENTH =
  'f7 = function(u64 x7 -> u64); prog#1 = BPF_PROG_LOAD(fexit multi); link#1 = BPF_LINK_CREATE(prog#1, { f7 }); task#1 calls f7(0x1, 0x2, 0x3, 0x4, 0x5, 0x6, 0x7)';

/** A function with arguments on the stack, called by an image for six words. */
function isCalledWithSix(shows: RegExp) {
  return (breach: WordedBreach) => {
    const { after: k } = breach.moment;
    const fn = functionOf(breach, shows);
    const linked = Object.values(k.bpf.links).some(
      (link) => link.kind === 'tracing multi' && link.targets.includes(fn),
    );
    return linked && slotCount(functionNamed(k.functions, fn)!.signature) > STUB_WORDS;
  };
}

const FN_SEES = /^(?:\w+|prog#\d+) sees (\w+)\(.* \/ it sees \1\(/;
const CALLER_GETS = /^(\w+) returns 0x[0-9a-f]+ \/ its caller gets 0x[0-9a-f]+$/;

const LOST_ARGUMENTS = seenBy(
  {
    name: 'six-words-for-every-function',
    sentence:
      'The image calls the original with six arguments, whatever that is declared with: a seventh, which its caller has put on the stack, is whatever stands there.',
    evidence:
      'Olsa, RFC 10/17  btf_multi_func_model; 11/17  bpf_tramp_id_resolve looks at addresses only, and 4/17 check_attach_btf_id at nothing',
  },
  [
    {
      law: 'ftrace/everybody-sees-the-callers-arguments',
      shows: FN_SEES,
      when: isCalledWithSix(FN_SEES),
      example: SEVENTH,
    },
    {
      law: 'ftrace/caller-gets-the-return-value',
      shows: CALLER_GETS,
      when: isCalledWithSix(CALLER_GETS),
      example: SEVENTH,
    },
  ],
);

/** A single program whose images are made for the stub now, because multi links have its function. */
function isBesideMulti(shows: RegExp) {
  return ({ finding, moment: { after: k } }: WordedBreach) => {
    const [, prog = '', fn = ''] = shows.exec(`${finding.expected} / ${finding.observed}`) ?? [];
    const { multi } = k.bpf.progs[Number(prog)]!.program;
    const { byName } = k.bpf.design as MultiIds;
    return !multi && Object.values(byName).some(({ singles }) => singles.includes(fn));
  };
}

const TOLD_SIX = /^prog#(\d+) sees (\w+)\(.*\) \/ it sees \2\(/;
const RETURN = /^prog#(\d+) sees (\w+) return 0x[0-9a-f]+ \/ it sees 0x[0-9a-f]+$/;

const STUB_FOR_ALL = seenBy(
  {
    name: 'single-program-finds-the-stub',
    sentence:
      'A multi program joins a function that single programs are on: the next image prepares six words for all of them. Those are told of six arguments, and look for the return value where the second argument is now.',
    evidence: 'Olsa, RFC 10/17  bpf_trampoline_update: model = &btf_multi_func_model for tr->func.model',
  },
  [
    {
      law: 'ftrace/everybody-sees-the-callers-arguments',
      shows: TOLD_SIX,
      when: isBesideMulti(TOLD_SIX),
      example:
        'prog#1 = BPF_PROG_LOAD(fentry, f1); prog#2 = BPF_PROG_LOAD(fentry multi); link#1 = BPF_LINK_CREATE(prog#1); link#2 = BPF_LINK_CREATE(prog#2, { f1, f2 }); task#1 calls f1(0x5100000071000000)',
    },
    {
      law: 'ftrace/exits-see-the-return-value',
      shows: RETURN,
      when: isBesideMulti(RETURN),
      example:
        'prog#1 = BPF_PROG_LOAD(fexit reads=ctx, f1); prog#2 = BPF_PROG_LOAD(fentry multi); link#1 = BPF_LINK_CREATE(prog#1); link#2 = BPF_LINK_CREATE(prog#2, { f1, f2 }); task#1 calls f1(0x5100000071000000)',
    },
  ],
);

export const KNOWN_MULTI_IDS: readonly KnownAttach[] = [
  ...FORGOTTEN_ERRNO,
  ...KNOWN_MULTI_IDS_DETACH,
  ...LOST_ARGUMENTS,
  ...STUB_FOR_ALL,
];
