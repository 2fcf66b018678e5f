import type { CallSeen, SeenBy } from '../../checker/refinement/call-seen.ts';
import { readSeen } from '../../checker/refinement/call-seen.ts';
import type { Difference } from '../../checker/refinement/difference.ts';
import type { PlayedHistory } from '../../checker/refinement/history.ts';
import type { History, Retelling, Retold } from '../../checker/refinement/retelling.ts';
import { printAction } from '../../model/action-text.ts';
import { crashText } from '../../model/core/crash-words.ts';
import { last } from '../../model/core/present.ts';
import { warningText } from '../../model/core/warning-words.ts';
import { printSignature } from '../../model/trampoline/signature.ts';
import { answeredLines, commandLines, counted, spread, wrap } from '../text.ts';
import { designName } from './names.ts';
import { errnoText, reasonOf } from './reason.ts';

/** Everything in the report of a history that distinguishes two kernels. */
export interface ReportedHistory {
  readonly history: History;
  readonly retelling: Retelling;
  /** A command that can be pasted. */
  readonly replay: string;
}

/** The report of a distinguishing history. */
export function printRefineReport({ history, retelling, replay }: ReportedHistory): string {
  const { steps, difference } = retelling;
  if (difference === undefined) throw new Error('the history does not distinguish the two kernels');
  const [text, other] = history.profiles;
  return [
    spread(`≠ ${designName(text)} does not behave as ${designName(other)}`, 'refine'),
    ...wrap(`${reasonOf(difference)}.`, 76).map(indented),
    '',
    ...wrap(`${counted(steps.length, 'operation')} · kernel ${text} · against ${other}`, 76).map(indented),
    '',
    ...history.functions.map(({ name, signature }) => `     ${name}(${printSignature(signature)})`),
    ...steps.flatMap((step, i) => operationLines(history, step, i + 1)),
    ...spaced(shownLines(history, last(steps), difference)),
    '',
    '  minimal    on these functions: operations, then targets, then programs',
    ...commandLines('  replay     ', replay),
  ].join('\n');
}

function indented(line: string): string {
  return `  ${line}`;
}

/** The client's calls; a different answer of the second kernel is below. */
function operationLines(history: History, [playedHistory, other]: Retold, number: number): string[] {
  const spelling = { profile: history.profiles[0], functions: history.functions };
  return playedHistory.actions.flatMap((action, i) => {
    const text = `  ${(i === 0 ? String(number) : '').padStart(2)} ${printAction(action, spelling)}`;
    const [answer, others] = [playedHistory, other].map(({ shown }) => answerText(shown.answers[i]));
    const lines = answeredLines(text, answer!);
    return answer === others ? lines : [...lines, ...answeredLines('  not', others!)];
  });
}

/** With an empty line above, if there is anything. */
function spaced(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', ...lines];
}

function answerText(errno: string | 0 | undefined): string {
  return errno === undefined ? 'nothing' : errnoText(errno);
}

/** The events of calls in both kernels where they differ, or how a kernel crashed. */
function shownLines({ profiles }: History, [history, other]: Retold, difference: Difference): string[] {
  const [name, otherName] = profiles.map(designName) as [string, string];
  if (difference.is === 'after')
    return [
      ...callLines(`a call of ${difference.fn} with ${name}`, difference.seen),
      ...callLines(`and with ${otherName}`, difference.other),
    ];
  if (difference.is === 'between') {
    const { fn, seen, before, after, others } = difference;
    return [
      ...callLines(`a call of ${fn} in the middle, with ${name}`, seen),
      ...callLines('a call before', before),
      ...(before === after ? [] : callLines('a call after', after)),
      ...others.flatMap((also) => callLines(`in the middle, with ${otherName}`, also)),
    ];
  }
  return [...dying(name, history), ...dying(otherName, other)];
}

function dying(name: string, { died, warnings }: PlayedHistory): string[] {
  const told = [
    ...warnings.map((warning) => `WARN ${warningText(warning)}`),
    ...(died === undefined ? [] : [crashText(died)]),
  ];
  return told.flatMap((text) => wrap(`${name}: ${text}`, 76).map(indented));
}

function callLines(title: string, seen: CallSeen): string[] {
  const { events, returned } = readSeen(seen);
  return [`  ${title}`, ...events.flatMap(eventLines), `    the caller gets ${returned}`];
}

/** `prog#1 of f2  0x1, 0x2 = 0x3  cookie=0xc0100 ip=0xffffffff81100004`. */
function eventLines({ who, fn, args = [], ret, cookie, ip }: SeenBy): string[] {
  const text = [
    who === fn ? `${fn} itself` : `${who} of ${fn}`,
    `(${args.join(', ')})`,
    ...(ret === undefined ? [] : [`returned=${ret}`]),
    ...(cookie === undefined || cookie === '0x0' ? [] : [`cookie=${cookie}`]),
    ...(ip === undefined ? [] : [`ip=${ip}`]),
  ].join(' ');
  return wrap(text, 72).map((line, i) => `${i === 0 ? '    ' : '      '}${line}`);
}
