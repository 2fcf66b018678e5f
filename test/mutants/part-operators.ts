import type { Errno } from '../../model/core/errno.ts';
import type { Flavour, Locals, Part } from '../../model/core/part.ts';
import { nothingForbidden } from '../../model/task/current.ts';
import type { TaskStanding } from '../../model/task/grace-period.ts';
import { isWaitedFor } from '../../model/task/grace-period.ts';
import type { PlacedPart } from './routines.ts';

/*
 * The operators on one part of a routine. Brackets keep what is in them where the operator is about the bracket: a
 * lock that is not taken, a guard that is inverted.
 */

/** The parts that take the place of a part, and of others of its block. */
export type Replacement = ReadonlyMap<Part, readonly Part[]>;

export interface PartMutation {
  readonly operator: PartOperator;
  /** Of several of one operator on one part: which. */
  readonly detail?: string;
  readonly parts: Replacement;
  /** Whether it has made a fault since it was linked: another argument than the right one, a shorter list. */
  readonly isMade?: () => boolean;
}

export type PartOperator =
  | 'drop'
  | 'swap'
  | 'invert'
  | 'flavour'
  | 'unlock'
  | 'shorten'
  | 'errno'
  | 'argument'
  | 'no rollback'
  | 'first only'
  | 'once';

/** Every mutation of one part. */
export function mutationsOf(placed: PlacedPart): PartMutation[] {
  return [...ofKind(placed), ...swapped(placed)];
}

function ofKind({ part }: PlacedPart): PartMutation[] {
  const as = (operator: PartOperator, ...parts: Part[]): PartMutation => ({
    operator,
    parts: new Map([[part, parts]]),
  });
  switch (part.kind) {
    case 'step':
    case 'allocate':
    case 'indirect':
      return [as('drop')];
    case 'refuse':
      return [as('drop'), as('errno', { ...part, find: otherErrno(part.find) })];
    case 'finish':
      return [as('drop'), as('invert', { ...part, when: negated(part.when) })];
    case 'when':
      return [as('invert', { ...part, when: negated(part.when) })];
    case 'wait':
      return [as('drop'), ...mistakesFor(part.flavour).map((flavour) => as('flavour', { ...part, flavour }))];
    case 'call':
      return [as('drop'), withOtherArgument(part)];
    case 'hold':
      return [as('unlock', ...part.parts), ...shortened(part)];
    case 'try':
      return [as('unlock', ...part.parts)];
    case 'each':
      return [withFirstOnly(part)];
    case 'again':
      return [as('once', ...part.parts)];
    case 'attempt':
      return [as('no rollback', ...part.parts)];
  }
}

/** The flavour that is taken by mistake. */
const MISTAKEN: Partial<Record<Flavour, readonly Flavour[]>> = {
  rcu: ['rcu_tasks'],
  rcu_tasks: ['rcu'],
  rcu_tasks_rude: ['rcu'],
  rcu_tasks_trace: ['rcu_tasks'],
};

/** That is a fault only if it leaves out a task: one of RCU-tasks waits for all that one of RCU waits for, and longer. */
function mistakesFor(flavour: Flavour): readonly Flavour[] {
  const leavesOut = (other: Flavour) =>
    standings().some((task) => isWaitedFor(flavour, task) && !isWaitedFor(other, task));
  return (MISTAKEN[flavour] ?? []).filter(leavesOut);
}

/** Everything that a grace period may see of a task that is in the kernel. */
function standings(): TaskStanding[] {
  const either = [false, true];
  const counts = [0, 1];
  return (['running', 'preempted', 'asleep'] as const).flatMap((condition) =>
    counts.flatMap((preemptOff) =>
      counts.flatMap((rcu) =>
        counts.flatMap((rcuTrace) =>
          either.flatMap((keepsCpu) =>
            either.map((idle) => {
              const current = { ...nothingForbidden(), preemptOff, rcu, rcuTrace };
              return { condition, current, keepsCpu, idle };
            }),
          ),
        ),
      ),
    ),
  );
}

function negated<A extends unknown[]>(when: (...args: A) => boolean) {
  return (...args: A): boolean => !when(...args);
}

/** Another errno than the one that the refusal gives. */
function otherErrno<A extends unknown[]>(find: (...args: A) => Errno | undefined) {
  return (...args: A): Errno | undefined => {
    const errno = find(...args);
    if (errno === undefined) return undefined;
    return errno === 'EINVAL' ? 'EBUSY' : 'EINVAL';
  };
}

/** A call that gets another value of the same kind in one of its arguments, where its caller has one. */
function withOtherArgument(part: Extract<Part, { kind: 'call' }>): PartMutation {
  let isMade = false;
  const give: typeof part.give = (k, locals) => {
    const args = part.give(k, locals);
    for (const [key, value] of Object.entries(args)) {
      const other = Object.values(locals).find((local) => isAlike(local, value));
      if (other === undefined) continue;
      isMade = true;
      return { ...args, [key]: other } as Locals;
    }
    return args;
  };
  return { operator: 'argument', parts: new Map([[part, [{ ...part, give }]]]), isMade: () => isMade };
}

function withFirstOnly(part: Extract<Part, { kind: 'each' }>): PartMutation {
  let isMade = false;
  const list: typeof part.list = (k, locals) => {
    const all = part.list(k, locals);
    isMade ||= all.length > 1;
    return all.slice(0, 1);
  };
  return { operator: 'first only', parts: new Map([[part, [{ ...part, list }]]]), isMade: () => isMade };
}

function isAlike(local: unknown, value: unknown): boolean {
  return typeof local === typeof value && typeof local !== 'object' && local !== value;
}

/** A lock that is released before the last part, and one that is taken after the first. */
function shortened(part: Extract<Part, { kind: 'hold' }>): PartMutation[] {
  const { parts } = part;
  if (parts.length < 2) return [];
  const early = [{ ...part, parts: parts.slice(0, -1) }, ...parts.slice(-1)];
  const late = [...parts.slice(0, 1), { ...part, parts: parts.slice(1) }];
  return [
    { operator: 'shorten', detail: 'early', parts: new Map([[part, early]]) },
    { operator: 'shorten', detail: 'late', parts: new Map([[part, late]]) },
  ];
}

/** Two parts that follow each other, in the other order; two refusals are one decision, of which errno wins. */
function swapped({ block, index, part }: PlacedPart): PartMutation[] {
  const next = block[index + 1];
  if (next === undefined || isOneDecision(part, next)) return [];
  const parts = new Map([
    [part, [next]],
    [next, [part]],
  ]);
  return [{ operator: 'swap', parts }];
}

/** Two refusals with the same errno have no order: neither changes anything. */
function isOneDecision(part: Part, next: Part): boolean {
  if (part.kind !== 'refuse' || next.kind !== 'refuse') return false;
  const errnos = new Set([...part.errnos, ...next.errnos]);
  return errnos.size === 1;
}
