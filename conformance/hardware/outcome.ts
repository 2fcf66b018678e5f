/** How a program ended and what it left, in a form shared by CPU and emulator. */
export interface ProgramOutcome {
  readonly stop: StopKind;
  /** The instruction that faulted, the end of the `int3`, or the address that could not be fetched; 0 at the exit. */
  readonly at: bigint;
  /** First address and number of bytes of an access that faulted, exact to the byte where known. */
  readonly access: { readonly address: bigint; readonly bytes: number } | undefined;
  /** Low and high half of each of the sixteen. */
  readonly registers: Int32Array;
  /** The six status flags. */
  readonly flags: number;
  /** Words of memory that differ from the initial contents: number, low half, high half, in ascending order. */
  readonly changes: Int32Array;
}

/** `exit` is the normal end. An `access` is of data, a `fetch` of an instruction. */
export type StopKind = 'exit' | 'int3' | 'ud2' | 'access' | 'fetch' | 'endless' | (string & {});
