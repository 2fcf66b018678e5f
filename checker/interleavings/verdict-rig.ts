import type { Edit } from '../../model/core/link.ts';
import { inOneLine } from '../../properties/finding/render.ts';
import type { TaskLaw, TaskMoment } from '../../properties/law/interleaving-law.ts';
import type { Wait } from '../../properties/law/wait.ts';
import type { Scenario } from '../../properties/observed/scenario.ts';
import { settledState } from '../../properties/observed/settled-state.ts';
import { isHistory, unorderedState } from '../../properties/observed/unordered-state.ts';
import { plantedKernel } from '../../properties/planted/kernel.ts';
import { noCallToAFreedProgram } from '../../properties/task/no-call-to-a-freed-program.ts';
import { noFetchFromFreedMemory } from '../../properties/task/no-fetch-from-freed-memory.ts';
import { noTornInstruction } from '../../properties/task/no-torn-instruction.ts';
import { noUnhandledBreakpoint } from '../../properties/task/no-unhandled-breakpoint.ts';
import { probesSeeOldOrNew } from '../../properties/task/probes-see-old-or-new.ts';
import { explore } from './search.ts';
import type { SpaceOptions } from './space.ts';
import { Space } from './space.ts';

/** The verdict of a search on a scenario, whatever it leaves out on the way. */
export interface SpaceVerdict {
  /** The laws that were broken. */
  readonly laws: readonly string[];
  /** Their findings. */
  readonly findings: readonly string[];
  /** Its possible ends: the kernel in its normal form with all answers, or the waiting actors. */
  readonly ends: readonly string[];
  /**
   * The possible observations of a call: its events, its result, and the operations that had ended and were in
   * progress meanwhile.
   */
  readonly calls: readonly string[];
  readonly states: number;
}

/** A scenario, with the planted bugs of its kernel. */
export interface SpaceTrial extends Scenario {
  readonly edits?: readonly Edit[];
}

/** Explores all states of a scenario, and continues after breaches. */
export function verdictOf({ edits, ...scenario }: SpaceTrial, options: SpaceOptions): SpaceVerdict {
  const program = plantedKernel({ edits });
  const space = new Space(scenario, { ...options, program });
  const ends = new Set<string>();
  const calls = new Set<string>();
  const { breaches, states, complete } = explore(space, {
    laws: [...LAWS, witness(ends, calls)],
    stopsAt: () => false,
  });
  if (!complete) throw new Error('the search did not come to its end');
  const found = breaches.map(({ law, finding }) => `${law.name}: ${inOneLine(finding)}`);
  return {
    laws: [...new Set(breaches.map(({ law }) => law.name))].sort(),
    findings: found.sort(),
    ends: [...ends].sort(),
    calls: [...calls].sort(),
    states,
  };
}

/** Crashes that no law covers, and tasks that are stuck. */
const nothingElseHappens: TaskLaw = {
  name: 'task/nothing-else-happens',
  sentence: 'The kernel crashes in no other way, and no actor waits for ever.',
  source: 'kernel/locking/mutex.c',
  witness: 'a run came to its end',
  judge: ({ happening }) => {
    if (happening.is === 'crash') return { is: 'crashes', unmet: 'nothing crashes', crash: happening.crash };
    if (happening.is !== 'stuck') return 'not applicable';
    return { is: 'all-wait', waits: happening.waits.map(unnamed) };
  },
};

const LAWS: readonly TaskLaw[] = [
  noUnhandledBreakpoint,
  noCallToAFreedProgram,
  noFetchFromFreedMemory,
  noTornInstruction,
  probesSeeOldOrNew,
  nothingElseHappens,
];

/** A law that never applies, and records how runs end and what calls see. */
function witness(ends: Set<string>, calls: Set<string>): TaskLaw {
  return {
    ...nothingElseHappens,
    judge: (moment) => {
      const { happening } = moment;
      if (happening.is === 'end') ends.add(spelled([normalKernel(moment), happening.done]));
      if (happening.is === 'stuck') ends.add(spelled(happening.waits.map(unnamed)));
      if (happening.is === 'call over') {
        const { run, before, during } = happening;
        calls.add(spelled([run.events, run.rax, run.fault, before, during]));
      }
      return 'not applicable';
    },
  };
}

/** Tasks that make the same call are interchangeable. */
function unnamed(wait: Wait): Wait {
  const { who } = wait;
  const named = isTask(who) ? { ...wait, who: A_TASK } : wait;
  return named.is === 'grace period'
    ? { ...named, holders: named.holders.map((holder) => (isTask(holder) ? A_TASK : holder)) }
    : named;
}

const A_TASK = 'a task';

function isTask(who: string): boolean {
  return who.startsWith('task#');
}

/** The kernel without serial numbers of images and pages, and without the names of CPUs. */
function normalKernel({ kernel, program }: TaskMoment): unknown {
  const { text, ...rest } = settledState(kernel, program);
  const views = text.views.toSorted((a, b) => (spelled(a) < spelled(b) ? -1 : 1));
  return unorderedState({ ...rest, text: { ...text, views } });
}

/** As text, in which the order of a table's entries makes no difference; our own counters are left out. */
function spelled(value: unknown, path = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  if (Array.isArray(value)) return `[${value.map((item) => spelled(item, path)).join()}]`;
  const below = (key: string) => (path === '' ? key : `${path}/${key}`);
  const entries = Object.entries(value)
    .filter(([key]) => below(key) !== 'text/pagesUsed' && !isHistory(below(key)))
    .map(([key, item]) => `${key}: ${spelled(item, below(key))}`);
  return `{${entries.sort().join()}}`;
}
