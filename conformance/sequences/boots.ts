import type { RecordedVersion } from '../../model/core/profile.ts';
import { profileNamed } from '../../model/core/profile.ts';
import { FGRAPH_ARRAY_SIZE } from '../../model/ftrace/fgraph.ts';
import type { TracedFunction } from '../../model/trampoline/traced-function.ts';
import type { SequenceReplay } from './compare.ts';
import { replayOn } from './compare.ts';
import { oreg, ounreg } from './ftrace-ops.ts';
import { ALWAYS_IN_FILTER, Lab } from './lab.ts';
import { parseOp } from './op.ts';
import { performOp, reset } from './operations.ts';
import { replayAtAnyPace } from './paces.ts';
import { goff, gon } from './probes.ts';
import type { RecordedSequence } from './record.ts';
import type { EventOrder } from './same-events.ts';
import { TARGETS } from './targets.ts';

/**
 * The state that a sequence was replayed on: that of a fresh boot, the one that the previous sequence left, or an
 * assumed one because those disagree. Then there was an unrecorded reboot; or besides, something ran before; or
 * besides, handlers are in another order (see `Order`).
 */
export type How = 'first' | 'carried' | 'reboot' | 'earlier use' | 'order as set';

export const HOWS: readonly How[] = ['first', 'carried', 'reboot', 'earlier use', 'order as set'];

/** The comparison of a sequence with the model. */
export interface SequenceResult extends SequenceReplay {
  readonly sequence: RecordedSequence;
  readonly how: How;
  /** For a record that ends with a crash: whether the model crashes too. */
  readonly crashes: boolean | undefined;
}

/** One way to replay a sequence, and the recorder's kernel after it. */
interface Attempt {
  readonly how: How;
  readonly replayed: () => { readonly lab: Lab; readonly replay: SequenceReplay };
}

/** The boots of a recording: sequences of one release ran one after the other, until the recorder booted again. */
export class Boots {
  private kept: { readonly release: string; readonly lab: Lab } | undefined;
  private readonly functions: readonly TracedFunction[];

  constructor(sequences: readonly RecordedSequence[]) {
    this.functions = functionsOf(sequences);
  }

  /** Replays the next sequence of the recording. */
  replay(sequence: RecordedSequence): SequenceResult {
    const { release, kernel } = sequence;
    const kept = this.kept?.release === release ? this.kept.lab : undefined;
    this.kept = undefined;
    let closest: SequenceResult | undefined;
    for (const { how, replayed } of attempts(sequence, () => new Lab(kernel, this.functions), kept)) {
      const { lab, replay } = replayed();
      const result = { sequence, how, ...replay, crashes: undefined };
      if (result.divergence === undefined) {
        if (goesOn(sequence)) this.kept = { release, lab };
        return { ...result, crashes: crashOf(sequence, lab) };
      }
      closest = closer(closest, result);
    }
    return closest!;
  }
}

/** The attempt that got further; at the same step, the one with fewer assumptions. */
function closer(a: SequenceResult | undefined, b: SequenceResult): SequenceResult {
  return a !== undefined && a.divergence!.step >= b.divergence!.step ? a : b;
}

/** Whether the recorder continued in the same boot. */
function goesOn({ crashed, poisoned, after_reset }: RecordedSequence): boolean {
  return crashed === undefined && poisoned === undefined && after_reset!.every((entry) => entry === 'nop');
}

/** The recorder's functions in a recording, and their callees: each one adds to the time of a call. */
function functionsOf(sequences: readonly RecordedSequence[]): TracedFunction[] {
  const named = new Set([ALWAYS_IN_FILTER, ELSEWHERE]);
  for (const { fns, ops, crashed } of sequences) {
    const words = [...ops.map(({ text }) => text), crashed?.during_op ?? ''].flatMap((op) =>
      op.split(/[ ,]/),
    );
    for (const word of [...fns, ...words]) named.add(word);
  }
  if (named.has('ca')) named.add('cb').add('f2');
  if (named.has('cb')) named.add('f1');
  return TARGETS.filter(({ name }) => named.has(name));
}

function* attempts(sequence: RecordedSequence, fresh: () => Lab, kept: Lab | undefined): Generator<Attempt> {
  const { kernel } = sequence;
  const on = (lab: Lab, order: EventOrder = 'exact') => ({ lab, replay: replayOn(lab, sequence, order) });
  const first: How = kept === undefined ? 'first' : 'reboot';
  if (kept !== undefined) yield { how: 'carried', replayed: () => on(settled(kept.copy())) };
  yield { how: first, replayed: () => on(fresh()) };
  if (kept !== undefined) yield { how: 'carried', replayed: () => replayAtAnyPace(kept, sequence, 'exact') };
  yield { how: first, replayed: () => replayAtAnyPace(fresh(), sequence, 'exact') };
  for (const earlier of earlierUses(kernel))
    yield {
      how: 'earlier use',
      replayed: () => {
        const lab = fresh();
        earlier(lab);
        return on(lab);
      },
    };
  if (profileNamed(kernel).fprobe === 'fgraph')
    yield { how: 'order as set', replayed: () => replayAtAnyPace(fresh(), sequence, 'as set') };
}

/** Most grace periods pass between two sequences: this is tried first. */
function settled(lab: Lab): Lab {
  lab.do({ do: 'settle' });
  return lab;
}

/** A function for the assumptions; which one does not matter. */
const ELSEWHERE = 'f0';

/**
 * What remains in a kernel after everything is detached: a direct call by the (ip, addr) interface gives its ops a
 * filter, users of the function graph tracer advance the next index.
 */
function earlierUses(kernel: RecordedVersion): ((lab: Lab) => void)[] {
  if (profileNamed(kernel).fgraph === 'single') return [usePerIp];
  return Array.from({ length: FGRAPH_ARRAY_SIZE - 1 }, (_, i) => (lab: Lab) => {
    for (let user = 0; user <= i; user++) {
      gon(lab, ELSEWHERE);
      goff(lab, ELSEWHERE);
    }
  });
}

function usePerIp(lab: Lab): void {
  oreg(lab, ELSEWHERE, 0, 0);
  ounreg(lab, ELSEWHERE, 0, 0);
}

/** What followed the last recorded step: the named operation, and the recorder's reset. */
function crashOf({ crashed }: RecordedSequence, lab: Lab): boolean | undefined {
  if (crashed === undefined) return undefined;
  const op = parseOp(crashed.during_op);
  if (typeof op !== 'string') performOp(lab, op);
  if (lab.died === undefined) reset(lab);
  return lab.died !== undefined;
}
