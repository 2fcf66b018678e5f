import { ANSWER, type PartQuery, type QueryAnswers } from '../../model/core/query.ts';
import { copyPart } from '../../properties/observed/copy-kernel.ts';

/** A table of a kernel: objects by name. */
export type Entries = Record<string, unknown>;

/** Receives what is read of a table. */
export interface NotesReads {
  readonly entry: (key: string) => void;
  readonly keys: () => void;
  readonly answer: (query: PartQuery<never>, about: string) => void;
  /** An entry comes after all others. */
  readonly added: (key: string) => void;
}

/** A table that notes which entries are read, for a step that changes nothing. */
export function watchedTable(table: Entries, notes: NotesReads): Entries {
  return new Proxy(table, new TableWatch(table, notes));
}

/** A table, or list, of its own with the same entries. */
export function copyOf(table: Entries): Entries {
  return Array.isArray(table) ? (table.slice() as unknown as Entries) : { ...table };
}

/** A copy of a table for a step that may change it: an entry is copied when it is read for the first time. */
export function draftOf(copy: Entries, notes: NotesReads): Entries {
  return new Proxy(copy, new TableDraft(copy, notes));
}

/** Reads of a table: an entry that is not there is read as well. */
class TableWatch implements ProxyHandler<Entries> {
  private readonly answers: QueryAnswers;

  constructor(
    table: Entries,
    protected readonly notes: NotesReads,
  ) {
    this.answers = (query, about) => {
      notes.answer(query, about);
      return query(table as never, about);
    };
  }

  get(table: Entries, key: string | symbol): unknown {
    if (key === ANSWER) return this.answers;
    if (typeof key === 'symbol') return Reflect.get(table, key);
    this.notes.entry(key);
    return this.valueAt(table, key);
  }

  protected valueAt(table: Entries, key: string): unknown {
    return table[key];
  }

  has(table: Entries, key: string | symbol): boolean {
    if (typeof key === 'string') this.notes.entry(key);
    return key in table;
  }

  ownKeys(table: Entries): (string | symbol)[] {
    this.notes.keys();
    return Reflect.ownKeys(table);
  }

  /** Enumeration calls this for each key, whose presence the list of keys tells. */
  getOwnPropertyDescriptor(table: Entries, key: string | symbol): PropertyDescriptor | undefined {
    this.notes.keys();
    return Reflect.getOwnPropertyDescriptor(table, key);
  }
}

class TableDraft extends TableWatch {
  private readonly own = new Set<string>();

  protected override valueAt(table: Entries, key: string): unknown {
    const value = table[key];
    if (typeof value !== 'object' || value === null || this.own.has(key)) return value;
    this.own.add(key);
    return (table[key] = copyPart(value));
  }

  set(table: Entries, key: string, value: unknown): boolean {
    this.notes.entry(key);
    if (!Object.hasOwn(table, key)) this.notes.added(key);
    this.own.add(key);
    table[key] = value;
    return true;
  }

  deleteProperty(table: Entries, key: string): boolean {
    this.notes.entry(key);
    return delete table[key];
  }
}
