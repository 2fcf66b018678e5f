/** The kernel refuses the setup of a scenario, or a call does not reach its place. */
export class ImpossibleSetup extends Error {
  override name = 'ImpossibleSetup';
  /** Which action of the setup it is, from 0; undefined: none of them. */
  readonly step: number | undefined;
  constructor(message: string, step?: number) {
    super(message);
    this.step = step;
  }
}
