import { registerFtraceDirectCb } from '../../model/ftrace/direct-table.ts';
import type { Tables } from '../../model/ftrace/tables.ts';
import { freeFtraceHashRcu } from '../../model/ftrace/tables.ts';
import type { CallerPart, Work } from './parts.ts';
import type { SpaceTables } from './space-tables.ts';
import type { PackedState } from './state.ts';
import { callerIn } from './state.ts';

/** Background work that waits for a grace period, frees a table, and ends. */
const FREES_A_TABLE: ReadonlySet<string> = new Set([freeFtraceHashRcu.name, registerFtraceDirectCb.name]);

/*
 * Hashes of ops and direct_functions that were replaced. A lookup loads the pointer in one step and follows it in another:
 * a table to which no pointer leads can be read only by a call that has loaded it before. Operations publish one again
 * only before they hand it to background work (`reclaim`); one that did so later would crash on the freed table.
 */
export class RetiredTables {
  private readonly tablesPart: number;
  /** By the number of that part: the tables to which a pointer leads. */
  private readonly current: ReadonlySet<number>[] = [];
  /** By the number of a caller: whatever numbers its frames hold, those of tables among them. */
  private readonly held: ReadonlySet<number>[] = [];

  constructor(private readonly tables: SpaceTables) {
    this.tablesPart = tables.parts.numberOf('ftrace.tables');
  }

  /** Whether the next step of background work frees a table that no actor can read any more. */
  isFreedUnseen(state: PackedState, { routine, args, waits }: Work): boolean {
    if (waits === null || !FREES_A_TABLE.has(routine)) return false;
    const table = Number(args['table']);
    if (this.currentIn(state).has(table)) return false;
    for (let i = 0; i < this.tables.layout.callers; i++)
      if (this.heldBy(callerIn(state, i)).has(table)) return false;
    return true;
  }

  private currentIn(state: PackedState): ReadonlySet<number> {
    const { tables } = this;
    const part = tables.partNumber(state, this.tablesPart);
    let known = this.current[part];
    if (known === undefined) {
      const { directFunctions, hashes } = tables.worlds.part(part) as Tables;
      this.current[part] = known = new Set([directFunctions, ...Object.values(hashes)]);
    }
    return known;
  }

  private heldBy(caller: number): ReadonlySet<number> {
    return (this.held[caller] ??= numbersHeld(this.tables.callers.get(caller)));
  }
}

/** All numbers in the locals of a call, and of those that it has interrupted. */
function numbersHeld(caller: CallerPart): Set<number> {
  const found = new Set<number>();
  for (let own = caller; own !== null; own = own.interrupted)
    for (const { locals, loops } of own.frames ?? []) addNumbers([locals, loops], found);
  return found;
}

function addNumbers(value: unknown, found: Set<number>): void {
  if (typeof value === 'number') found.add(value);
  else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) addNumbers(inner, found);
}
