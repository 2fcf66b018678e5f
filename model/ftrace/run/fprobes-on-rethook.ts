import type { FprobeId, RethookId } from '../../core/ids.ts';
import { Oops } from '../../core/oops.ts';
import type { Part } from '../../core/part.ts';
import type { RoutineWords } from '../../core/routine.ts';
import { routine } from '../../core/routine.ts';
import type { Guarded } from '../../task/recursion.ts';
import { guarded, TRACE_FTRACE_START } from '../../task/recursion.ts';
import { addressOf } from '../../text/space.ts';
import type { Fprobe, ProbeWorld } from '../probes.ts';
import { rethookHook, rethookRecycle, rethookTryGet } from '../rethook.ts';
import { fprobeEntry } from './fprobes.ts';
import type { Handling } from './handling.ts';
import type { SharedWithKprobes } from './kprobe-busy.ts';
import { asKprobe } from './kprobe-busy.ts';
import { enterProgram } from './kprobe-multi.ts';
import { parentSlot } from './regs.ts';

/*
 * Fprobes on rethook at a hit: each is the handler of its own ops.
 */

/** An fprobe on rethook at a hit. */
interface Probing extends Handling, Guarded, SharedWithKprobes {
  /** rethook_try_get(): no node is left. */
  missed: boolean;
  /** The pool that a node was taken from; absent: none is wanted, as there is no exit handler, or none is left. */
  pool?: RethookId;
  /** The entry handler does not want the return. */
  refused: boolean;
  /** What it left in the node; empty: nothing. */
  left: string;
}

/**
 * fprobe_handler() (5.18 to 6.13). The node is taken before the entry handler runs: without a free one the call
 * is counted as missed, and not even the entry handler sees it. A handler that answers nonzero gives the node
 * back.
 */
export const fprobeHandler = routine<ProbeWorld, Handling, Probing>('fprobe_handler', (words) =>
  guarded(
    words,
    TRACE_FTRACE_START,
    handle(
      words,
      enterProgram(words, 'entry', (_, locals) => fprobeOf(locals)),
    ),
    [words.step('count the miss', countMiss)],
  ),
);

/** fprobe_kprobe_handler() (6.12): the same as a kprobe, which does not run in the handler of another. */
export const fprobeKprobeHandler = routine<ProbeWorld, Handling, Probing>('fprobe_kprobe_handler', (words) =>
  guarded(
    words,
    TRACE_FTRACE_START,
    asKprobe(words, (_, locals) => fprobeOf(locals), handle(words)),
    [words.step('count the miss', countMiss)],
  ),
);

/** __fprobe_handler(); `before` its entry handler something may have to be done. */
function handle({ step, when }: RoutineWords<ProbeWorld, Probing>, ...before: readonly Part[]): Part[] {
  return [
    // Before the entry handler, which does not run if there is none.
    step('take a node', takeNode),
    when('none is missing', (_, { missed }) => !missed, [
      ...before,
      step('call the entry handler', (k, locals) => {
        Object.assign(locals, fprobeEntry(k, locals, fprobeOf(locals)));
      }),
      step('hook the return', hookReturn),
    ]),
  ];
}

function countMiss(k: ProbeWorld, locals: Probing): void {
  handled(k, fprobeOf(locals)).nmissed++;
}

/** container_of(ops, struct fprobe, ops). */
function fprobeOf({ ops }: Handling): string {
  return ops.replace(/\.ops$/, '');
}

/** With ftrace dead the ops stays on its list, and the link that embeds the fprobe is freed all the same. */
function handled({ probes }: ProbeWorld, name: FprobeId): Fprobe {
  const fprobe = probes.fprobes[name];
  if (fprobe === undefined) throw new Oops({ is: 'reused fprobe' });
  return fprobe;
}

function takeNode(k: ProbeWorld, locals: Probing): void {
  const name = fprobeOf(locals);
  const fprobe = handled(k, name);
  const pool = fprobe.exit ? rethookTryGet(k, name) : undefined;
  locals.missed = fprobe.exit && pool === undefined;
  if (locals.missed) fprobe.nmissed++;
  if (pool !== undefined) locals.pool = pool;
}

/** rethook_hook(), unless the entry handler has refused. */
function hookReturn(k: ProbeWorld, locals: Probing): void {
  const { pool, left } = locals;
  if (pool === undefined) return;
  if (locals.refused) rethookRecycle(k, pool);
  else
    rethookHook(
      k,
      locals.cpu,
      { rethook: pool, fn: locals.hit.ip, ...(left === '' ? {} : { data: left }) },
      parentSlot(locals),
      addressOf(k, 'arch_rethook_trampoline'),
    );
}
