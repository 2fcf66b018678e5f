import { addTo } from '../../../model/core/add-to.ts';
import type { TaskLaw } from '../../../properties/law/interleaving-law.ts';
import type { Emit } from '../event.ts';
import { Halves } from '../halves.ts';
import { Judge } from '../judge.ts';
import type { Space } from '../space.ts';
import type { PackedState } from '../state.ts';
import { treeOf } from '../state.ts';
import { Symmetry } from '../symmetry.ts';
import type { ChunkLog, ChunkOrder, ChunkPart } from './chunk.ts';
import { ENTRY_HEAD, WHOLE } from './chunk.ts';
import { KnownNumbers } from './known-numbers.ts';
import { SentHalves } from './sent-halves.ts';

/** Visits states for a search elsewhere, with a space of the same scenario. */
export class ChunkVisits {
  private readonly judge: Judge;
  private readonly numbers: KnownNumbers;
  private readonly symmetry: Symmetry;
  /** Those of the search. */
  private readonly halves: Halves;
  private readonly sent = new SentHalves();
  /** Instructions of the model that were executed in visits before. */
  private readonly executed: Uint8Array;
  /** The log, and how far it is written. */
  private entries = new Int32Array(1024);
  private length = 0;
  private parts: ChunkPart[] = [];
  /** A successor in numbers of the search. */
  private readonly row: PackedState;
  /** The state that is being visited, its moves and rows so far, and whether it is left to the search. */
  private state: PackedState = [];
  private moves = 0;
  private ownRows = 0;
  private isLeft = false;
  /** The part that is being written. */
  private states = 0;
  private rows = 0;
  private readonly witnesses = new Map<string, number>();

  constructor(
    private readonly space: Space,
    laws: readonly TaskLaw[],
  ) {
    this.judge = new Judge(space, laws, space.program);
    this.numbers = new KnownNumbers(space);
    this.symmetry = new Symmetry(space, this.numbers.rankOf);
    this.row = Array.from({ length: space.layout.width }, () => 0);
    this.halves = new Halves(space.layout.width, treeOf(space.layout));
    this.executed = new Uint8Array(space.program.executed.length);
  }

  /** Visits the states of an order. Orders come in the order of their states. */
  log({ states, halves, numbered }: ChunkOrder): ChunkLog {
    const { executed } = this.space.program;
    // For coverage only what the search makes use of counts.
    const elsewhere = executed.slice();
    executed.fill(0);
    this.numbers.learn(numbered);
    this.halves.learn(halves);
    this.visitAll(states);
    executed.set(elsewhere);
    return { entries: this.entries.slice(0, this.length), parts: this.parts };
  }

  private visitAll(states: Int32Array): void {
    this.length = 0;
    this.parts = [];
    for (let i = 0; i < states.length; i += 2) {
      const [left, right] = [states[i]!, states[i + 1]!];
      this.sent.note(left, right);
      this.state = this.numbers.toHere(this.halves.read(left, right));
      if (!this.visit(this.state)) this.endPart(true);
    }
    this.endPart(false);
  }

  /** Writes down the moves of a state; answers false, and writes nothing, if it has to be left to the search. */
  private visit(state: PackedState): boolean {
    const { judge, length: start } = this;
    const values = this.numbers.count;
    this.length += ENTRY_HEAD;
    this.moves = 0;
    this.ownRows = 0;
    this.isLeft = false;
    this.space.visit(state, this.emit);
    if (this.moves === 0) this.isLeft = judge.final(state) !== undefined;
    // Values that no successor has are numbered as well: those that it had for a while.
    if (this.numbers.count !== values) this.isLeft = true;
    if (this.isLeft) this.length = start;
    else this.endEntry(start);
    if (judge.witnesses.size > 0) judge.witnesses.clear();
    return !this.isLeft;
  }

  private endEntry(start: number): void {
    this.makeRoom(this.length);
    this.entries[start] = this.moves;
    this.entries[start + 1] = this.ownRows;
    this.rows += this.ownRows;
    this.states++;
    const { witnesses } = this.judge;
    if (witnesses.size > 0) for (const [law, times] of witnesses) addTo(this.witnesses, law, times);
  }

  private readonly emit: Emit = (move, next, event) => {
    this.moves++;
    if (this.isLeft) return;
    if (event !== undefined && this.judge.event(this.state, next, event) !== undefined) this.isLeft = true;
    else if (next !== undefined) this.isLeft = !this.writeRow(move, next);
  };

  /** Writes a successor, unless it was sent before; answers false if the search has no numbers for it. */
  private writeRow(move: number, next: PackedState): boolean {
    const { halves, row } = this;
    if (!this.numbers.write(this.symmetry.merged(next), row)) return false;
    const isNumbered = halves.find(row);
    if (isNumbered && this.sent.note(halves.left, halves.right)) return true;
    this.makeRoom(this.length + 2 + row.length);
    this.ownRows++;
    this.push(move);
    if (isNumbered) {
      this.push(halves.left);
      this.push(halves.right);
    } else {
      this.push(WHOLE);
      for (let i = 0; i < row.length; i++) this.push(row[i]!);
    }
    return true;
  }

  private push(number: number): void {
    this.entries[this.length++] = number;
  }

  private makeRoom(length: number): void {
    if (length <= this.entries.length) return;
    const larger = new Int32Array(2 * length);
    larger.set(this.entries);
    this.entries = larger;
  }

  private endPart(leaves: boolean): void {
    const { states, rows } = this;
    this.parts.push({ states, rows, witnesses: [...this.witnesses], executed: this.newlyExecuted(), leaves });
    this.states = 0;
    this.rows = 0;
    this.witnesses.clear();
  }

  private newlyExecuted(): number[] {
    const now = this.space.program.executed;
    const found: number[] = [];
    for (let pc = 0; pc < now.length; pc++)
      if (now[pc] === 1 && this.executed[pc] === 0) {
        found.push(pc);
        this.executed[pc] = 1;
      }
    return found;
  }
}
