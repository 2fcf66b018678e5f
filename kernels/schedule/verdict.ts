import { Judge } from '../../checker/interleavings/judge.ts';
import type { CallEvent, EventKind } from '../../model/core/event.ts';
import { last } from '../../model/core/present.ts';
import type { CallFinding } from '../../properties/finding/call-finding.ts';
import type { TaskFinding } from '../../properties/finding/task-finding.ts';
import type { GuestLost } from '../boot/guest.ts';
import type { CallAnswer } from '../history/answer.ts';
import { isCounted } from '../history/answer.ts';
import type { CastHistory } from '../history/cast-history.ts';
import { isSameList } from '../history/difference.ts';
import type { Seen } from '../history/seen.ts';
import { inSameWords, seenByModel } from '../history/seen.ts';
import type { Staging } from './staging.ts';

/** What a running kernel does when its tasks are stopped as a schedule says. */
export type ShownSchedule =
  /** What the model says, at the same point: it crashes, warns, or a call shows the same events. */
  | { readonly is: 'shown'; readonly kernel: readonly string[] }
  /** The model crashes, and the kernel does not. */
  | { readonly is: 'runs on' }
  | {
      readonly is: 'differs';
      readonly kernel: readonly string[];
      readonly model: readonly string[];
      /** It crashes, where the model does not. */
      readonly hasCrashed?: true;
    }
  /** A task did not get to where it was to be stopped. */
  | { readonly is: 'not stopped'; readonly why: string }
  | { readonly is: 'not run'; readonly why: string };

/** The kernel is gone. A machine that is too slow for a schedule says nothing. */
export function crashed(
  { breach }: Staging,
  { end, console }: Pick<GuestLost, 'end' | 'console'>,
): ShownSchedule {
  return end === 'hangs' && !hasOops(console)
    ? { is: 'not run', why: 'the machine does not answer in time' }
    : ofACrash(breach, console);
}

/** The model has to crash as well. */
function ofACrash({ finding }: Staging['breach'], console: readonly string[]): ShownSchedule {
  return finding.is === 'crashes'
    ? { is: 'shown', kernel: console }
    : { is: 'differs', kernel: console, model: ['continues'], hasCrashed: true };
}

/** `cpu`: of the actor that breaks the law; undefined: background work, which may run on any. */
export function verdict(
  answer: CallAnswer,
  question: CastHistory,
  staging: Staging,
  cpu: number | undefined,
): ShownSchedule {
  const { finding } = staging.breach;
  const { warnings } = answer;
  if (finding.is === 'warns' && warnings.some((line) => isWarnOn(line, cpu)))
    return { is: 'shown', kernel: warnings };
  if (hasOops(warnings)) return ofACrash(staging.breach, warnings);
  if (finding.is === 'crashes') return { is: 'runs on' };
  return finding.is === 'warns' ? withoutWarn(answer, finding) : callVerdict(answer, question, staging);
}

function withoutWarn(
  { warnings, events }: CallAnswer,
  finding: TaskFinding & { readonly is: 'warns' },
): ShownSchedule {
  const seen = warnings.length > 0 ? warnings : ['no warning'];
  return {
    is: 'differs',
    kernel: [...seen, ...events.map(({ kind, who }) => `${kind} ${who}`)],
    model: finding.warnings.map(({ is }) => is),
  };
}

/** A kernel may oops and still answer. A lockup may be that of a slow machine. */
function hasOops(console: readonly string[]): boolean {
  return console.some((line) => /Oops|BUG: (?!sleeping function|soft lockup)/.test(line));
}

/** A WARN of another actor is not the one of the model. */
function isWarnOn(line: string, cpu: number | undefined): boolean {
  return /WARNING:|BUG: sleeping function/.test(line) && mayBeOn(line, cpu);
}

/** A WARN names its CPU, `CPU: 2 PID: 143` or since 6.17 `CPU#2: init/114`; that a function may sleep does not. */
function mayBeOn(line: string, cpu: number | undefined): boolean {
  const named = /\bCPU(?:: |#)(\d+)/.exec(line)?.[1];
  return cpu === undefined || named === undefined || Number(named) === cpu;
}

/** A call shows what it does in the model, or at least breaks the law in the same way. */
function callVerdict(
  answer: CallAnswer,
  question: CastHistory,
  { space, played, breach }: Staging,
): ShownSchedule {
  const { before, after, event } = last(last(played));
  if (event?.is !== 'call over' || event.by !== 'task' || after === undefined)
    return { is: 'not run', why: `the recorder cannot see: ${breach.finding.is}` };
  const { functions } = question.case;
  const k = space.kernelOf(after);
  const model = event.run.events.map((own) => seenByModel(k, own));
  const nothing = { tracepoints: [], probes: new Set<string>(), patches: new Set<string>() };
  const same = inSameWords(answer.events, model, { functions, ...nothing });
  if (breach.finding.is === 'counted-misses-differ') return missVerdict(answer, breach.finding, same);
  if (isSameList(same.kernel, same.model)) return { is: 'shown', kernel: same.kernel };
  const run = { ...event.run, events: answer.events.map((own) => asEvent(own, event.run.events)) };
  const own = new Judge(space, [breach.law], space.program).event(before, after, { ...event, run });
  return own?.finding.is === breach.finding.is
    ? { is: 'shown', kernel: same.kernel }
    : { is: 'differs', ...same };
}

/** A counter shows the breach, beside what its probe sees of the call. */
export function missVerdict(
  { misses }: CallAnswer,
  { who, observed }: CallFinding & { readonly is: 'counted-misses-differ' },
  events: { readonly kernel: readonly string[]; readonly model: readonly string[] },
): ShownSchedule {
  if (!isCounted(who)) return { is: 'not run', why: `the recorder cannot see what ${who} misses` };
  const counted = (count: number) => `${who} misses ${count}`;
  const kernel = [...events.kernel, counted(misses[who] ?? 0)];
  const model = [...events.model, counted(observed)];
  const ofIt = (lines: readonly string[]) => lines.filter((line) => line.includes(`${who} `));
  return isSameList(ofIt(kernel), ofIt(model)) ? { is: 'shown', kernel } : { is: 'differs', kernel, model };
}

/** What the recorder has seen, as an event of the model: of a program it does not say what it ran for. */
function asEvent(seen: Seen, others: readonly CallEvent[]): CallEvent {
  const like = others.find(({ who }) => who === seen.who);
  const { kind, who, fn } = seen;
  return like !== undefined && fn === '' ? like : { kind: kind as EventKind, who, fn };
}
