import { addTo } from '../../../model/core/add-to.ts';
import type { TaskLaw } from '../../../properties/law/interleaving-law.ts';
import type { Emit } from '../event.ts';
import { Judge } from '../judge.ts';
import type { Space } from '../space.ts';
import type { PackedState } from '../state.ts';
import { Symmetry } from '../symmetry.ts';
import type { ChunkLog, ChunkOrder, ChunkPart } from './chunk.ts';
import { ENTRY_HEAD } from './chunk.ts';
import { KnownNumbers } from './known-numbers.ts';
import { SentRows } from './sent-rows.ts';

/** Visits states for a search elsewhere, with a space of the same scenario. */
export class ChunkVisits {
  private readonly judge: Judge;
  private readonly numbers: KnownNumbers;
  private readonly symmetry: Symmetry;
  private readonly sent: SentRows;
  /** Instructions of the model that were executed in visits before. */
  private readonly executed: Uint8Array;
  /** The log, and how far it is written. */
  private entries = new Int32Array(1024);
  private length = 0;
  private parts: ChunkPart[] = [];
  /** The state that is being visited, its moves so far, and whether it is left to the search. */
  private readonly state: PackedState;
  private moves = 0;
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
    this.state = Array.from({ length: space.layout.width }, () => 0);
    this.sent = new SentRows(space.layout.width);
    this.executed = new Uint8Array(space.program.executed.length);
  }

  /** Visits the states of an order. Orders come in the order of their states. */
  log({ states, numbered }: ChunkOrder): ChunkLog {
    const { executed } = this.space.program;
    // For coverage only what the search makes use of counts.
    const elsewhere = executed.slice();
    executed.fill(0);
    this.numbers.learn(numbered);
    this.visitAll(states);
    executed.set(elsewhere);
    return { entries: this.entries.slice(0, this.length), parts: this.parts };
  }

  private visitAll(states: Int32Array): void {
    const { width } = this.space.layout;
    this.length = 0;
    this.parts = [];
    for (let start = 0; start < states.length; start += width) {
      this.sent.note(states, start);
      this.numbers.read(states, start, this.state);
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
    const { width } = this.space.layout;
    const rows = (this.length - start - ENTRY_HEAD) / (1 + width);
    this.makeRoom(this.length);
    this.entries[start] = this.moves;
    this.entries[start + 1] = rows;
    this.rows += rows;
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
    const { width } = this.space.layout;
    const end = this.length + 1 + width;
    this.makeRoom(end);
    if (!this.numbers.write(this.symmetry.merged(next), this.entries, this.length + 1)) return false;
    if (this.sent.note(this.entries, this.length + 1)) return true;
    this.entries[this.length] = move;
    this.length = end;
    return true;
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
