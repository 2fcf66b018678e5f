import type { Crash } from '../../model/core/crash.ts';
import type { EventKind } from '../../model/core/event.ts';
import type { KernelObject } from '../../model/core/kernel-object.ts';
import { readObjectName } from '../../model/core/object-name.ts';
import type { Warning } from '../../model/core/warning.ts';
import type { BpfProgram } from '../../model/trampoline/program.ts';
import type { ToldHit } from '../../properties/finding/call-finding.ts';
import type { TaskFinding } from '../../properties/finding/task-finding.ts';
import type { Scenario } from '../../properties/observed/scenario.ts';

/** Whether a finding, in a scenario, is one of a known breach. */
export type Shows = (finding: TaskFinding, scenario: Scenario) => boolean;

type FoundAs<T extends TaskFinding['is']> = Extract<TaskFinding, { readonly is: T }>;

/** Findings with one tag, and conditions on their fields. */
export function found<T extends TaskFinding['is']>(
  is: T,
  isIt: (finding: FoundAs<T>, scenario: Scenario) => boolean,
): Shows {
  return (finding, scenario) => isFinding(finding, is) && isIt(finding, scenario);
}

function isFinding<T extends TaskFinding['is']>(finding: TaskFinding, is: T): finding is FoundAs<T> {
  return finding.is === is;
}

/** Crashes of one kind, with conditions on their fields. */
export function crash<T extends Crash['is']>(is: T, isIt: (crash: Crash<T>) => boolean = () => true): Shows {
  return found('crashes', ({ crash }) => isCrash(crash, is) && isIt(crash));
}

function isCrash<T extends Crash['is']>(crash: Crash, is: T): crash is Extract<Crash, Crash<T>> {
  return crash.is === is;
}

/** A use after free of one kind of object. */
export function usesFreed<T extends KernelObject['is']>(
  is: T,
  isIt: (object: KernelObject<T>) => boolean,
): Shows {
  return crash('use after free', ({ object }) => isObject(object, is) && isIt(object));
}

function isObject<T extends KernelObject['is']>(
  object: KernelObject,
  is: T,
): object is Extract<KernelObject, KernelObject<T>> {
  return object.is === is;
}

/** A task resumes in executable memory that was freed. */
export const FETCHES_FREED: Shows = crash(
  'fault',
  ({ access, why, place }) => access === 'execute' && why === 'unmapped' && place.in === 'free page',
);

/** WARNs of one kind only. */
export function warnsOf<T extends Warning['is']>(
  is: T,
  isIt: (warning: Warning<T>) => boolean = () => true,
): Shows {
  return found('warns', ({ warnings }) =>
    warnings.every((warning) => isWarning(warning, is) && isIt(warning)),
  );
}

function isWarning<T extends Warning['is']>(
  warning: Warning,
  is: T,
): warning is Extract<Warning, Warning<T>> {
  return warning.is === is;
}

/**
 * A call has to show one event of these kinds once, and shows it `count` times; twice is more often than it may be seen in any
 * order of what overlaps. A call that makes others has one for each.
 */
export function seenInstead(
  kinds: readonly EventKind[],
  times: 0 | 2,
  isIt: (event: ToldHit, scenario: Scenario, unarmed: boolean) => boolean = (_, __, unarmed) =>
    times === 2 || !unarmed,
): Shows {
  return found('events-differ', ({ events, allowed, seen, unarmed }, scenario) => {
    const isOneAllowed = new Set(allowed.map((counts) => counts.join())).size === 1;
    const differing = events.flatMap((event, i) => {
      const [own = 0, wanted = 0] = [seen[i], Math.max(...allowed.map((counts) => counts[i] ?? 0))];
      if (own === wanted || (own < wanted && !isOneAllowed)) return [];
      return [{ event, isSo: times === 0 ? own < wanted : isMore(own, wanted) }];
    });
    return (
      (isOneAllowed || times === 2) &&
      differing.length > 0 &&
      differing.every(
        ({ event, isSo }) =>
          isSo && kinds.includes(event.kind) && !event.atReturn && isIt(event, scenario, unarmed),
      )
    );
  });
}

/** A probe at the return that is called twice for one call has no instance left the second time: it counts a miss of it. */
export const COUNTS_A_MISS_OF_WHAT_IT_SEES: Shows = found(
  'counted-misses-differ',
  ({ expected, observed, who }) => observed > expected && /^(kretprobe|fprobe)#/.test(who),
);

/** Every owed event is seen, and some are seen twice. */
function isMore(seen: number, wanted: number): boolean {
  return seen > wanted && seen <= 2 * wanted;
}

/** Whether an object is one that a client hands to the kernel. */
export function isClients(name: string): boolean {
  return readObjectName(name).owner === 'client';
}

/** Whether a client of a scenario is a program that satisfies a test, by the client's name. */
export function isProgram(
  { setup, clients }: Scenario,
  who: string,
  isIt: (program: BpfProgram) => boolean,
): boolean {
  return [...setup, ...clients.flat()].some(
    (action) => action.do === 'BPF_PROG_LOAD' && who === `prog#${action.program.id}` && isIt(action.program),
  );
}
