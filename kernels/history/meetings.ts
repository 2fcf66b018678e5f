import type { Mechanism } from '../../checker/matrix/mechanism.ts';
import { MECHANISMS } from '../../checker/matrix/mechanism.ts';
import type { AttachCase } from '../../checker/sequences/attach-case.ts';
import type { Action } from '../../model/client/all.ts';
import { item } from '../../model/core/present.ts';
import type { Kernel } from '../../model/kernel.ts';
import { bootKernel } from '../../model/kernel.ts';
import { apply } from '../../model/step.ts';
import type { TracedFunction } from '../../model/trampoline/traced-function.ts';
import { tracedFunction } from '../../model/trampoline/traced-function.ts';
import { wireLine } from '../wire/line.ts';
import type { Wording } from '../wire/numbers.ts';
import { castOf } from './cast.ts';

/*
 * Two mechanisms on one function, each ordered pair of those that a kernel has. Random calls of all mechanisms let two given
 * ones meet in one history of fifty; here they do in every one, and what each leaves behind is what the other finds:
 *
 * ```text
 *   A#1 on, B#2 on, A#1 off, B#3 on, A#4 on, B#2 off, A#4 off, B#3 off
 * ```
 */

/** They meet on each of these in turn: with arguments in registers, and on the stack as well. */
const STAGES: readonly TracedFunction[] = [
  tracedFunction('f2', 1, 'u64 x2 -> u64'),
  tracedFunction('f7', 1, 'u64 x7 -> u64'),
  tracedFunction('f1', 1, 'u64 -> u64'),
];

interface Turn {
  readonly on: boolean;
  readonly who: 'A' | 'B';
  /** The number of the client's objects. */
  readonly n: number;
}

const TURNS: readonly Turn[] = [
  { on: true, who: 'A', n: 1 },
  { on: true, who: 'B', n: 2 },
  { on: false, who: 'A', n: 1 },
  { on: true, who: 'B', n: 3 },
  { on: true, who: 'A', n: 4 },
  { on: false, who: 'B', n: 2 },
  { on: false, who: 'A', n: 4 },
  { on: false, who: 'B', n: 3 },
];

/** The two mechanisms, and the function. */
export interface Meeting {
  readonly A: Mechanism;
  readonly B: Mechanism;
  readonly fn: TracedFunction;
}

/** The meetings of a kernel that its recorder can be asked for, always in the same order. */
export function meetingsOf(profile: string): readonly Meeting[] {
  const present = MECHANISMS.filter((mechanism) => isPresent(profile, mechanism));
  return present.flatMap((A, i) =>
    present.map((B, j) => ({ A, B, fn: item(STAGES, (i + j) % STAGES.length) })),
  );
}

/** The kernel accepts it where it is alone, and the recorder can make its calls. */
function isPresent(profile: string, { attach, detach }: Mechanism): boolean {
  const fn = item(STAGES, 0);
  const attaching = { fn: fn.name, profile, n: 1 };
  const calls = attach(attaching);
  if (!canSay(profile, fn, [...calls, detach(attaching)])) return false;
  return accepts(bootKernel({ profile, boot: 'default', functions: [fn] }), calls);
}

function canSay(profile: string, fn: TracedFunction, calls: readonly Action[]): boolean {
  const wording: Wording = { profile, functions: [fn], cast: castOf({ functions: [fn] }) };
  return calls.every((action) => typeof wireLine(action, wording) === 'string');
}

/** The calls of both: a client that was refused has nothing to take off. */
export function playMeeting(profile: string, { A, B, fn }: Meeting): AttachCase {
  const k = bootKernel({ profile, boot: 'default', functions: [fn] });
  const attached = new Set<number>();
  const actions: Action[] = [];
  for (const { on, who, n } of TURNS) {
    const { attach, detach } = who === 'A' ? A : B;
    const attaching = { fn: fn.name, profile, n };
    if (!on && !attached.has(n)) continue;
    const calls = on ? attach(attaching) : [detach(attaching)];
    // The recorder has three trampolines for direct calls.
    if (!canSay(profile, fn, calls)) continue;
    actions.push(...calls);
    if (accepts(k, calls) && on) attached.add(n);
  }
  return { profile, functions: [fn], actions };
}

/** Whether each of them returns 0. */
function accepts(k: Kernel, calls: readonly Action[]): boolean {
  return calls
    .map((action) => apply(k, action))
    .every(({ errno, died }) => errno === 0 && died === undefined);
}
