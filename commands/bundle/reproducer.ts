import type { AttachCase } from '../../checker/sequences/attach-case.ts';
import type { AttachBreach } from '../../checker/sequences/played.ts';
import { runSequence } from '../../checker/sequences/run-sequence.ts';
import { mechanismName } from '../../conformance/known/attach.ts';
import { KNOWN_ATTACH } from '../../conformance/known/attach-all.ts';
import type { AttachTrace } from '../../counterexamples/sequences/attach-trace.ts';
import { printAction } from '../../model/action-text.ts';
import type { Action } from '../../model/client/all.ts';
import { callOf } from '../../model/client/all.ts';
import type { Errno } from '../../model/core/errno.ts';
import { ERRNO } from '../../model/core/errno.ts';
import { InputError } from '../../model/core/input-error.ts';
import type { RecordedVersion } from '../../model/core/profile.ts';
import { RECORDED_KERNELS } from '../../model/core/profile.ts';
import type { TracedFunction } from '../../model/trampoline/traced-function.ts';
import { ATTACH_LAWS } from '../../properties/attach-laws.ts';
import { detaches } from '../../properties/ftrace/detaching-everything-restores-boot-state.ts';
import { HIT_LAWS } from '../../properties/tracepoint-laws.ts';
import type { Check } from './checks.ts';
import { checksOf } from './checks.ts';
import { ClientInC } from './client-in-c.ts';

/** A breach of a real kernel, as its reproducer shows it. */
export interface Reproducer {
  /** `kprobe-of-another-ops-stays`; and as C and file names spell it. */
  readonly name: string;
  readonly id: string;
  readonly kernel: RecordedVersion;
  /** The law's sentence, and what happens. */
  readonly title: string;
  readonly sentence: string;
  readonly evidence: string | undefined;
  /** Files and functions of the kernel, as the law names them. */
  readonly source: string;
  readonly kernels: readonly RecordedVersion[];
  readonly functions: readonly TracedFunction[];
  readonly steps: readonly Step[];
  readonly checks: readonly Check[];
}

/** One of some numbers, or any but one. */
export type Answers = { readonly oneOf: readonly number[] } | { readonly not: number };

interface Step {
  readonly action: Action;
  readonly text: string;
  /** What it has to return; undefined: it returns nothing. */
  readonly answers: Answers | undefined;
  /** It returns 0 or nothing in the kernel that has the defect. */
  readonly isAccepted: boolean;
}

/** Plays a trace, and finds what of its breach a module can see. */
export function reproducerOf(trace: Pick<AttachTrace, 'case' | 'law' | 'known'>): Reproducer {
  const { case: c, law: name, known } = trace;
  const kernel = RECORDED_KERNELS.find((version) => version === c.profile);
  if (kernel === undefined)
    throw new InputError(`${c.profile} is no kernel that can be booted: a bundle is for one`);
  const law = [...ATTACH_LAWS, ...HIT_LAWS].find((own) => own.name === name);
  if (law === undefined) throw new InputError(`there is no law ${name}`);
  const { breach } = runSequence(c, { laws: [law] });
  if (breach === undefined) throw new InputError(`${name} is not broken in ${kernel} by these calls`);
  requireCalls(c, kernel);
  const checks = checksOf(breach);
  if (checks.length === 0)
    throw new InputError(
      `a module has no check for this breach (${breach.finding.is}): it sees answers, handlers, misses, warnings and call sites`,
    );
  const entry = KNOWN_ATTACH.find((own) => own.name === known);
  const called = entry?.name ?? name.slice(name.indexOf('/') + 1);
  return {
    name: called,
    id: idOf(called),
    kernel,
    title: law.sentence,
    sentence: entry?.sentence ?? `Expected: ${law.sentence}`,
    evidence: entry?.evidence,
    source: law.source,
    kernels: entry?.kernels ?? [kernel],
    functions: c.functions,
    steps: [...stepsOf(c, breach, checks), ...leavingOf(c, breach)],
    checks,
  };
}

/** A module's name has 55 characters at most. */
const NAME_MOST = 55;

/** The name of a mechanism as C spells it, cut at a word. */
function idOf(name: string): string {
  const words = mechanismName(name).replaceAll('-', '_');
  return words.length <= NAME_MOST ? words : words.slice(0, words.lastIndexOf('_', NAME_MOST));
}

/** Throws for the first call that no module makes. */
function requireCalls({ actions }: AttachCase, kernel: RecordedVersion): void {
  const client = new ClientInC(kernel);
  for (const action of actions) if (action.do !== 'call') client.of(action, true);
}

function stepsOf(
  c: AttachCase,
  { at: last, history, moment }: AttachBreach,
  checks: readonly Check[],
): Step[] {
  const outcomes = [...history, moment].map(({ outcome }) => outcome);
  const right = checks.find((check) => check.is === 'answer');
  return c.actions.slice(0, last + 1).map((action, i) => {
    const errno = outcomes[i]?.errno ?? 0;
    const step = stepOf(c, action, errno, i === last ? right?.allowed : undefined);
    // What a call answers that may crash is not known.
    return i === last && moment.outcome.died !== undefined ? { ...step, answers: undefined } : step;
  });
}

/** A leftover shows when every client has detached. */
function leavingOf(c: AttachCase, { finding, moment }: AttachBreach): Step[] {
  if (finding.is !== 'leftovers') return [];
  return [...detaches(moment.promises), { do: 'settle' } as const].map((action) => stepOf(c, action, 0));
}

/** A step whose answer in the model is `errno`, and the errnos that it may have; none: any other one. */
function stepOf(
  c: AttachCase,
  action: Action,
  errno: Errno | 0,
  allowed: readonly (Errno | 0)[] = [errno],
): Step {
  const isNothing = callOf(action).returnsNothing === true || action.do === 'call';
  const answers = allowed.length === 0 ? { not: numberOf(errno) } : { oneOf: allowed.map(numberOf) };
  return {
    action,
    text: printAction(action, c),
    answers: isNothing ? undefined : answers,
    isAccepted: errno === 0,
  };
}

function numberOf(errno: Errno | 0): number {
  return errno === 0 ? 0 : -ERRNO[errno];
}
