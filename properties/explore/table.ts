/** Values by number: equal ones have the same. What is kept under a number must not be changed any more. */
export class Table<T> {
  private readonly numbers = new Map<string, number>();
  readonly values: T[] = [];

  /** The number of a value; `spell` tells values apart exactly. */
  numberOf(value: T): number {
    const key = JSON.stringify(value);
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    this.numbers.set(key, this.values.length);
    return this.values.push(value) - 1;
  }

  get(number: number): T {
    return this.values[number]!;
  }

  get size(): number {
    return this.values.length;
  }
}
