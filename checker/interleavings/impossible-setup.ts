/** The kernel does not let a scenario begin as it says: it refuses what is set up, or a call does not come to a place. */
export class ImpossibleSetup extends Error {
  override name = 'ImpossibleSetup';
  /** Which action of the setup it is, from 0; undefined: none of them. */
  readonly step: number | undefined;
  constructor(message: string, step?: number) {
    super(message);
    this.step = step;
  }
}
