import type { CellTurn } from '../../checker/matrix/cell.ts';
import type { FunctionName } from '../../model/core/ids.ts';
import { item } from '../../model/core/present.ts';
import { unreachable } from '../../model/core/unreachable.ts';
import type { RecordedOp } from '../sequences/op.ts';
import type { RecordedObservation, RecordedSequence, RecordedSequenceEvent } from '../sequences/record.ts';

/** A turn of a real kernel: its answer, and what the function showed after it. */
export interface RecordedTurn extends CellTurn {
  readonly op: RecordedOp;
  readonly errno: number;
  readonly seen: RecordedObservation;
}

/** A recorded sequence that begins like a cell: two mechanisms on one function, and their detaches. */
export interface RecordedPair {
  /** File and line. */
  readonly place: string;
  readonly kernel: string;
  readonly fn: FunctionName;
  /** Names of the two mechanisms. */
  readonly first: string;
  readonly second: string;
  /** Up to the first unrelated operation. */
  readonly turns: readonly RecordedTurn[];
}

/** The meaning of a recorder's operation for a mechanism; the client is the object that it names. */
interface Meaning {
  readonly do: CellTurn['do'];
  readonly mechanism: string;
  readonly client: string;
}

/** The beginning of a sequence, if it is that of a cell on this function. */
export function pairOf(sequence: RecordedSequence, fn: FunctionName): RecordedPair | undefined {
  const { ops, steps, fns, place, kernel } = sequence;
  const [a, b] = ops.map((op) => meaningOf(op, fn));
  if (a?.do !== 'attach' || b?.do !== 'attach' || a.client === b.client) return undefined;
  const turns: RecordedTurn[] = [];
  for (const [i, op] of ops.slice(0, steps.length).entries()) {
    const means = meaningOf(op, fn);
    const who = means?.client === a.client ? 'first' : means?.client === b.client ? 'second' : undefined;
    const again = turns.some((turn) => turn.do === means?.do && turn.who === who);
    if (means === undefined || who === undefined || again || (i >= 2 && means.do === 'attach')) break;
    const { errno, obs } = item(steps, i);
    turns.push({ do: means.do, who, op, errno, seen: item(obs, fns.indexOf(fn)) });
  }
  return turns.length < 2 ? undefined : { place, kernel, fn, first: a.mechanism, second: b.mechanism, turns };
}

/**
 * The mechanism that an operation attaches to this function or detaches from it; undefined for any other operation.
 */
function meaningOf({ name, fns, numbers, program }: RecordedOp, fn: FunctionName): Meaning | undefined {
  const n = numbers[NAMED_BY_LAST.includes(name) ? 1 : 0] ?? 0;
  const probe = PROBES[name];
  if (probe !== undefined && fns[0] === fn) {
    const [what, base] = probe;
    return { do: what, mechanism: VARIANTS[`${base} ${n}`] ?? base, client: `${base} ${n}` };
  }
  const client = `slot ${n}`;
  if (name === 'b-') return { do: 'detach', mechanism: '', client };
  const attaches = name === 'b+' || name === 'bm+';
  if (!attaches || program?.flags !== '' || fns.join() !== fn) return undefined;
  const mechanism = PROGRAMS[program.kind];
  return mechanism === undefined ? undefined : { do: 'attach', mechanism, client };
}

/** Direct calls by address: the trampoline identifies their objects. */
const NAMED_BY_LAST: readonly string[] = ['oreg', 'ounreg'];

const PROBES: Readonly<Partial<Record<RecordedOp['name'], readonly [CellTurn['do'], string]>>> = {
  oreg: ['attach', 'direct(ip)'],
  ounreg: ['detach', 'direct(ip)'],
  dreg: ['attach', 'direct'],
  dunreg: ['detach', 'direct'],
  freg: ['attach', 'ops'],
  funreg: ['detach', 'ops'],
  gon: ['attach', 'graph'],
  goff: ['detach', 'graph'],
  kpon: ['attach', 'kprobe'],
  kpoff: ['detach', 'kprobe'],
  kron: ['attach', 'kretprobe'],
  kroff: ['detach', 'kretprobe'],
  fpon: ['attach', 'fprobe'],
  fpoff: ['detach', 'fprobe'],
};

/** By the number after the function: an ops with registers is not a mechanism of its own. */
const VARIANTS: Readonly<Record<string, string>> = {
  'ops 1': 'ops with registers',
  'ops 2': 'livepatch',
  'kprobe 1': 'kprobe.post',
};

const PROGRAMS: Readonly<Partial<Record<NonNullable<RecordedOp['program']>['kind'], string>>> = {
  fentry: 'fentry',
  fexit: 'fexit',
  fmod: 'fmod_ret',
  fentrym: 'fentry.multi',
  fexitm: 'fexit.multi',
  kpm: 'kprobe.multi',
  krpm: 'kretprobe.multi',
};

/** The recorder's placeholder for a function that it does not know. */
export const NO_FUNCTION = '?';

const OPS_KINDS = ['plain', 'regs', 'ipmod'];

/**
 * The client of an event, 1 or 2; undefined for events of the function itself, and where the recorder names no
 * client.
 */
export function clientOf({ turns }: RecordedPair, event: RecordedSequenceEvent): number | undefined {
  if (event.fn === NO_FUNCTION) return undefined;
  const index = turns.slice(0, 2).findIndex(({ op }) => isEventOf(op, event));
  return index < 0 ? undefined : index + 1;
}

function isEventOf({ name, numbers }: RecordedOp, { h, t, k, i = 0, id }: RecordedSequenceEvent): boolean {
  const [a = 0, b = 0] = numbers;
  switch (name) {
    case 'oreg':
    case 'dreg':
      return h === 'direct' && t === 'abc'[b];
    case 'freg':
      return h === 'ftrace' && k === OPS_KINDS[a];
    case 'gon':
      return h.startsWith('fg_');
    case 'kpon':
      return h.startsWith('kprobe') && i === a;
    case 'kron':
      return h.startsWith('kretprobe') && i === a;
    case 'fpon':
      return h.startsWith('fprobe') && i === a;
    case 'b+':
    case 'bm+':
    case 'bmany':
      return h === 'bpf' && id === a;
    case 'nop':
    case 'b-':
    case 'dmod':
    case 'dunreg':
    case 'omod':
    case 'ounreg':
    case 'funreg':
    case 'goff':
    case 'kpoff':
    case 'kroff':
    case 'fpoff':
      return false;
    default:
      return unreachable(name);
  }
}
