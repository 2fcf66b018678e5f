import { requireSame } from './worlds.ts';

/** Values by number: equal ones have the same. A stored value must not be changed any more. */
export class Table<T> {
  private readonly numbers = new Map<string, number>();
  private readonly known = new WeakMap<object, number>();
  readonly values: T[] = [];

  /** The number of a value. An object that was stored before is not spelled again. */
  numberOf(value: T): number {
    const isObject = typeof value === 'object' && value !== null;
    const seen = isObject ? this.known.get(value) : undefined;
    if (seen !== undefined) return seen;
    const number = this.numberOfSpelling(value, JSON.stringify(value));
    if (isObject) this.known.set(value, number);
    return number;
  }

  private numberOfSpelling(value: T, key: string): number {
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    this.numbers.set(key, this.values.length);
    return this.values.push(value) - 1;
  }

  /** Gives values their numbers in a list; none may have another one yet. */
  restore(values: readonly T[]): void {
    values.forEach((value, number) => {
      requireSame(this.numberOf(value), number);
    });
  }

  get(number: number): T {
    return this.values[number]!;
  }

  get size(): number {
    return this.values.length;
  }
}
