/** The kernel does not let a scenario begin as it says: it refuses what is set up, or a call does not come to a place. */
export class ImpossibleSetup extends Error {
  override name = 'ImpossibleSetup';
}
