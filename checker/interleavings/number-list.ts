/** A list of 32-bit numbers that grows. */
export class NumberList {
  private numbers = new Int32Array(16);
  private count = 0;

  get length(): number {
    return this.count;
  }

  get bytes(): number {
    return this.numbers.byteLength;
  }

  get(index: number): number {
    return this.numbers[index]!;
  }

  set(index: number, value: number): void {
    this.numbers[index] = value;
  }

  push(value: number): void {
    if (this.count === this.numbers.length) {
      const larger = new Int32Array(2 * this.count);
      larger.set(this.numbers);
      this.numbers = larger;
    }
    this.numbers[this.count++] = value;
  }

  saved(): Int32Array {
    return this.numbers.slice(0, this.count);
  }

  restore(saved: Int32Array): void {
    for (const value of saved) this.push(value);
  }
}
