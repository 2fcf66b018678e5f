import type { Ask } from '../../checker/refinement/behaviour.ts';
import { Behaviours } from '../../checker/refinement/behaviours.ts';
import type { ToldLetter } from '../../checker/refinement/player.ts';
import type { History } from '../../checker/refinement/retelling.ts';
import type { Share } from '../../checker/share.ts';
import { WHOLE } from '../../checker/share.ts';
import type { Answer } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import type { Refined } from '../../counterexamples/histories/refined.ts';
import { exitOf, refineOnGrounds } from '../../counterexamples/histories/refined.ts';
import { spellHistory, waysOf } from '../../counterexamples/histories/ways.ts';
import { counted } from '../../counterexamples/text.ts';
import { last } from '../../model/core/present.ts';
import type { LatticeVerdict } from './lattice.ts';
import { Lattice } from './lattice.ts';
import { PlayedOperations } from './played-operations.ts';

/** All designs against each other. */
export interface LatticeQuestion {
  readonly designs: readonly string[];
  /** The kernels on which two of them are compared. */
  readonly kernelsOf: (pair: readonly [string, string]) => History['profiles'];
  /** Operations of a history, at most. */
  readonly operations: number;
  /** Default: all pairs are compared here. */
  readonly share?: Share;
}

/** What two designs have come to, in both directions, which need the same operations: plain data. */
interface ComparedPair {
  /** Without those that are open. */
  readonly verdicts: readonly LatticeVerdict[];
  /** Operations that were played, and not before for others on this machine. */
  readonly played: readonly string[];
}

/** A pair of designs that is being compared. */
interface Open {
  readonly one: string;
  readonly other: string;
  readonly search: Generator<void, readonly Refined[], boolean>;
}

/**
 * Compares every design with every other, in both directions, in lockstep: a history that any of them needs is played
 * once, in any worker, before they continue.
 */
export class LatticeSearch {
  private readonly operations = new PlayedOperations();
  private readonly behaviours: Behaviours;
  private readonly verdicts: LatticeVerdict[] = [];
  private readonly share: Share;
  private open: readonly Open[];
  /** Of the pairs of which one direction is decided. */
  private readonly halves = new Map<string, readonly LatticeVerdict[]>();

  constructor(private readonly question: LatticeQuestion) {
    const { designs, kernelsOf, operations, share = WHOLE } = question;
    this.share = share;
    this.behaviours = new Behaviours((operation) => this.operations.add(operation));
    this.open = designs.flatMap((name) =>
      designs
        .filter((other) => other !== name && this.isHere(name, other))
        .map((other) => ({
          one: name,
          other,
          search: refineOnGrounds(kernelsOf([name, other]), operations, this.behaviours),
        })),
    );
  }

  private isHere(name: string, other: string): boolean {
    const asked = this.share.ask(partOf(name, other));
    if (asked.is === 'known') {
      const { verdicts, played } = asked.result as ComparedPair;
      this.verdicts.push(...verdicts.filter((verdict) => verdict.one === name));
      this.operations.addKnown(played);
    }
    return asked.is === 'here';
  }

  /** Operations that were played, here and elsewhere, each once. */
  get played(): number {
    return this.operations.size;
  }

  /** Pairs that are not decided yet. */
  get left(): number {
    return this.open.length;
  }

  /** Continues as far as it can, and answers the histories that it needs; none when all pairs are decided. */
  goOn(stop: boolean): Ask[] {
    while (this.open.length > 0) {
      this.open = this.open.filter((pair) => !this.isDecided(pair, stop));
      const asks = this.behaviours.takeAsks();
      if (asks.length > 0) return asks;
    }
    return [];
  }

  tell(ask: Ask, told: readonly ToldLetter[]): void {
    this.behaviours.tell(ask, told);
  }

  answer(): Answer {
    const { designs, operations } = this.question;
    const lattice = new Lattice(designs, inOrder(designs, this.verdicts));
    const exit = lattice.isComplete ? EXIT.HELD : EXIT.INCONCLUSIVE;
    const bound = `histories of up to ${counted(operations, 'operation')} of what both accept`;
    const text = [...lattice.lines(), '', `  ${bound}; ${counted(this.played, 'operation')} played`].join(
      '\n',
    );
    return {
      text,
      json: { command: 'refine all', exit, operations, played: this.played, ...lattice.json() },
      exit,
      save: [],
    };
  }

  /** A part has both directions. */
  private keep(part: string, own: readonly LatticeVerdict[]): void {
    const half = this.halves.get(part);
    if (half === undefined) {
      this.halves.set(part, own);
      return;
    }
    const played = this.operations.takeNew();
    this.share.keep(part, { verdicts: [...half, ...own], played } satisfies ComparedPair);
  }

  private isDecided({ one: name, other, search }: Open, stop: boolean): boolean {
    const step = search.next(stop);
    if (step.done !== true) return false;
    const longest = last(step.value);
    const isLeft = longest.compared.found.length === 0 && longest.compared.length < longest.length;
    const own = isLeft ? [] : [verdictOf(name, other, longest)];
    this.verdicts.push(...own);
    this.keep(partOf(name, other), own);
    return true;
  }
}

/** The same in both directions; other parts of a run have other names. */
function partOf(...pair: readonly [string, string]): string {
  return pair.toSorted().join(' against ');
}

function inOrder(designs: readonly string[], verdicts: readonly LatticeVerdict[]): LatticeVerdict[] {
  const place = ({ one: name, other }: LatticeVerdict) =>
    designs.indexOf(name) * designs.length + designs.indexOf(other);
  return [...verdicts].sort((a, b) => place(a) - place(b));
}

function verdictOf(name: string, other: string, refined: Refined): LatticeVerdict {
  const [way] = waysOf(refined);
  const kernels = new Set(refined.profiles.map((profile) => profile.split(',')[0]));
  const why = way === undefined ? '' : `${way.reason}: ${spellHistory(way.example)}`;
  return { one: name, other, exit: exitOf(refined), why, across: kernels.size > 1 };
}
