/** One read of plain data: a value, its presence, or the list of keys. */
export interface Read {
  readonly ask: 'value' | 'has' | 'keys';
  /** The read that reached its object, counted from 1; 0: the data itself. */
  readonly of: number;
  readonly key: string;
  /** The value found, as `answerOf()` spells it. */
  readonly found: unknown;
}

/** In place of an object or a list: its content is read by itself. */
const OBJECT = Symbol('an object');
const LIST = Symbol('a list');

/** The answer of an object to a read, in a comparable form. */
export function answerOf(object: object, ask: Read['ask'], key: string): unknown {
  if (ask === 'has') return Object.hasOwn(object, key);
  if (ask === 'keys') return Object.keys(object).join();
  return plainOf((object as Record<string, unknown>)[key]);
}

function plainOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? LIST : OBJECT;
}

/**
 * A proxy for plain data without undefined values: it passes writes on, and records the first read of each value.
 * Data that is written before it is read depends on nothing, and is not recorded.
 */
export class ReadWatch<T extends object> {
  readonly reads: Read[] = [];
  /** The proxy of the data. */
  readonly front: T;
  private readonly fronts = new WeakMap<object, object>();
  private readonly behind = new WeakMap<object, object>();

  /** Reads of `constant` properties of the data itself are not recorded. */
  constructor(
    data: T,
    private readonly constant: ReadonlySet<string>,
  ) {
    this.front = this.frontOf(data, 0) as T;
  }

  isConstant(of: number, key: string): boolean {
    return of === 0 && this.constant.has(key);
  }

  /** Records a read, and answers its number. */
  note(read: Read): number {
    return this.reads.push(read);
  }

  frontOf(object: object, number: number): object {
    const front = new Proxy(object, new Watched(this, number));
    this.fronts.set(object, front);
    this.behind.set(front, object);
    return front;
  }

  /** A value as a reader gets it: parts of the data are watched. */
  outward(value: unknown): unknown {
    return typeof value === 'object' && value !== null ? (this.fronts.get(value) ?? value) : value;
  }

  /** A value as it is put into the data. */
  inward(value: unknown): unknown {
    return typeof value === 'object' && value !== null ? (this.behind.get(value) ?? value) : value;
  }
}

type Plain = Record<string, unknown>;

/** The length of a list follows from its content. */
function isLength(target: object, key: string): boolean {
  return key === 'length' && Array.isArray(target);
}

/** One object or list of the data. */
class Watched implements ProxyHandler<object> {
  /** Properties that were read or written. */
  private readonly known = new Set<string>();
  private areKeysKnown = false;

  constructor(
    private readonly watch: ReadWatch<object>,
    private readonly number: number,
  ) {}

  get(target: object, key: string | symbol): unknown {
    const value = (target as Plain)[key as string];
    // Properties of all objects and lists are not data.
    if (typeof key === 'symbol' || typeof value === 'function') return value;
    if (this.watch.isConstant(this.number, key)) return value;
    if (!this.known.has(key) && !(this.areKeysKnown && isLength(target, key))) {
      this.known.add(key);
      const number = this.note(target, 'value', key);
      if (typeof value === 'object' && value !== null) return this.watch.frontOf(value, number);
    }
    return this.watch.outward(value);
  }

  set(target: object, key: string, value: unknown): boolean {
    this.noteWrite(target, key);
    (target as Plain)[key] = this.watch.inward(value);
    return true;
  }

  deleteProperty(target: object, key: string): boolean {
    this.noteWrite(target, key);
    delete (target as Plain)[key];
    return true;
  }

  has(target: object, key: string | symbol): boolean {
    this.noteHas(target, key);
    return key in target;
  }

  getOwnPropertyDescriptor(target: object, key: string | symbol): PropertyDescriptor | undefined {
    this.noteHas(target, key);
    return Reflect.getOwnPropertyDescriptor(target, key);
  }

  ownKeys(target: object): (string | symbol)[] {
    this.noteKeys(target);
    return Reflect.ownKeys(target);
  }

  private note(target: object, ask: Read['ask'], key: string): number {
    return this.watch.note({ ask, of: this.number, key, found: answerOf(target, ask, key) });
  }

  private noteHas(target: object, key: string | symbol): void {
    if (typeof key === 'symbol' || this.known.has(key) || this.areKeysKnown) return;
    this.note(target, 'has', key);
  }

  private noteKeys(target: object): void {
    if (this.areKeysKnown) return;
    this.areKeysKnown = true;
    this.note(target, 'keys', '');
  }

  /** Presence is recorded for a reader that lists all keys. */
  private noteWrite(target: object, key: string): void {
    this.noteKeys(target);
    this.known.add(key);
  }
}
