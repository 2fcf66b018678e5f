/**
 * The origin of a value, as text: a register on entry to the function (`rdi`), a word of memory (`8(%rsp)`, `sink4`,
 * `result+8`, `8(rdi)`), the address of a global variable (`&sink4`), or `computed`: from more than one of them.
 */
export type MovedFrom = string;

/** The net effect of a function's moves on the lowest byte of every value. */
export interface Moves {
  /** The stored values, by location. */
  readonly stored: ReadonlyMap<MovedFrom, MovedFrom>;
  /** What a register holds at the end. */
  readonly register: (name: string) => MovedFrom;
}

/** Registers and memory while the moves of a function are followed. A stack pointer counts from the function's entry. */
export class MoveState implements Moves {
  readonly stored = new Map<MovedFrom, MovedFrom>();
  readonly stackWord: (offset: number) => MovedFrom;
  private readonly registers = new Map<string, MovedFrom>();
  private lowered = 0;

  constructor(stackWord: (offset: number) => MovedFrom) {
    this.stackWord = stackWord;
  }

  register(name: string): MovedFrom {
    return this.registers.get(name) ?? name;
  }

  set(name: string, origin: MovedFrom): void {
    this.registers.set(name, origin);
  }

  lowerStack(bytes: number): void {
    this.lowered += bytes;
  }

  onStack(offset: number): MovedFrom {
    return this.stackWord(offset - this.lowered);
  }

  /** The memory that a register points to. */
  through(name: string, offset: number): MovedFrom {
    const base = this.register(name);
    if (base.startsWith('&')) return globalAt(base.slice(1), offset);
    return `${offset === 0 ? '' : offset}(${base})`;
  }

  load(site: MovedFrom): MovedFrom {
    return this.stored.get(site) ?? site;
  }
}

/** `result+8`. */
export function globalAt(name: string, offset: number): MovedFrom {
  return offset === 0 ? name : `${name}+${offset}`;
}

/** One instruction set: the effect of an instruction on the state. It reports the end of the function. */
export interface Dialect {
  readonly stackWord: (offset: number) => MovedFrom;
  readonly follow: (state: MoveState, mnemonic: string, operands: readonly string[]) => 'on' | 'end';
}

/** The functions of an assembly text by name, each up to its end. */
export function followFunctions(assembly: string, dialect: Dialect): Map<string, Moves> {
  const functions = new Map<string, Moves>();
  let state: MoveState | undefined;
  for (const line of assembly.split('\n')) {
    const label = /^(\w+):/.exec(line)?.[1];
    if (label !== undefined) {
      state = new MoveState(dialect.stackWord);
      functions.set(label, state);
    }
    const instruction = /^\t([a-z]\w*)\s*(.*)$/.exec(line);
    if (state === undefined || instruction === null) continue;
    const [, mnemonic = '', rest = ''] = instruction;
    if (dialect.follow(state, mnemonic, operandsOf(rest)) === 'end') state = undefined;
  }
  return functions;
}

/** Operands separated by commas; commas in brackets do not count. */
function operandsOf(text: string): string[] {
  const operands = text.trim().split(/,\s*(?![^([]*[)\]])/);
  return operands[0] === '' ? [] : operands;
}
