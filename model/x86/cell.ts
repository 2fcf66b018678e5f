/*
 * The element at an index. The emulator's memory is typed arrays, and an index that is outside is a fault of the emulator
 * itself: it ends with a sentence and not with a NaN. One function for each kind of array, so that a run of the emulator
 * pays nothing for the check.
 */

export function cell(cells: Int32Array, index: number): number {
  const found = cells[index];
  if (found === undefined) throw outside(cells, index);
  return found;
}

export function byteAt(bytes: Uint8Array, index: number): number {
  const found = bytes[index];
  if (found === undefined) throw outside(bytes, index);
  return found;
}

/** After the end there are zeroes: for who tries a form first and looks whether it is there afterwards. */
export function byteOrZero(bytes: Uint8Array, index: number): number {
  return bytes[index] ?? 0;
}

export function item<T>(list: readonly T[], index: number): T {
  const found = list[index];
  if (found === undefined) throw outside(list, index);
  return found;
}

function outside({ length }: { readonly length: number }, index: number): Error {
  return new Error(`there is nothing at ${index}; there are ${length}`);
}
