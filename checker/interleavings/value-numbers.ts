/** Values below this one are their own numbers; others have those from here on. */
const SMALL = 1 << 22;

/** Numbers any 32-bit values: most are numbers of tables, which are small; others are listed as they come. */
export class ValueNumbers {
  /** How many values are listed. */
  size = 0;
  /** The place + 1 of each large value in the list, in an open hash table of twice their number; 0: none. */
  private table: Int32Array = new Int32Array(64);
  private values: Int32Array = new Int32Array(32);

  /** The listed values from a place on. */
  since(place: number): number[] {
    return [...this.values.subarray(place, this.size)];
  }

  get bytes(): number {
    return this.table.byteLength + this.values.byteLength;
  }

  /** The number of a value, which may be new. */
  numberOf(value: number): number {
    if (value >= 0 && value < SMALL) return value;
    const known = this.find(value);
    return known >= 0 ? known : this.add(value);
  }

  /** The number of a value; −1: it has none. */
  find(value: number): number {
    if (value >= 0 && value < SMALL) return value;
    const place = this.table[this.slotOf(value)]!;
    return place === 0 ? -1 : SMALL + place - 1;
  }

  get(number: number): number {
    return number < SMALL ? number : this.values[number - SMALL]!;
  }

  private add(value: number): number {
    const place = this.size++;
    if (place === this.values.length) this.grow();
    this.values[place] = value;
    this.table[this.slotOf(value)] = place + 1;
    return SMALL + place;
  }

  private grow(): void {
    const { values } = this;
    this.values = new Int32Array(2 * values.length);
    this.values.set(values);
    this.table = new Int32Array(2 * this.table.length);
    values.forEach((value, place) => {
      this.table[this.slotOf(value)] = place + 1;
    });
  }

  /** The slot that has a value, or the free one where it belongs. */
  private slotOf(value: number): number {
    const { table, values } = this;
    const mask = table.length - 1;
    const hash = Math.imul(value, 0x9e3779b1);
    let slot = (hash ^ (hash >>> 15)) & mask;
    while (table[slot] !== 0 && values[table[slot]! - 1] !== value) slot = (slot + 1) & mask;
    return slot;
  }
}
