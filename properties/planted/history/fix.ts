/** A bug that a kernel had, and the fix of it. */
export interface HistoricalFix {
  /** The subject of the fix's commit; where that is not known, the bug in a few words. */
  readonly title: string;
  readonly commit?: string;
  /** The earliest release known to have the fix, mainline before stable; or the year. */
  readonly fixed: string;
  readonly here: Recalled;
}

/** What this project has of a historical bug. */
export type Recalled =
  | { readonly is: 'planted'; readonly bugs: PlantedNames }
  /** The planted bug is another one, of the same mechanism: the sentence says how it differs. */
  | { readonly is: 'relative'; readonly bugs: PlantedNames; readonly differs: string }
  /** A modelled kernel has it, or a relative: the name of the known breach. */
  | { readonly is: 'known'; readonly breach: string; readonly differs: string | undefined }
  /** The mechanism is modelled, and no planted bug breaks it so. */
  | { readonly is: 'not planted'; readonly part: string }
  /** Whether the model has what it breaks was not examined. */
  | { readonly is: 'not examined'; readonly part: string }
  /** The mechanism is not modelled. */
  | { readonly is: 'not modelled'; readonly mechanism: string };

/** Names of planted bugs; the first one is measured. */
type PlantedNames = readonly [string, ...string[]];

/** Fixes by the name of their bug. */
export type Fixes = Readonly<Record<string, HistoricalFix>>;

export function planted(...bugs: PlantedNames): Recalled {
  return { is: 'planted', bugs };
}

export function relative(differs: string, ...bugs: PlantedNames): Recalled {
  return { is: 'relative', bugs, differs };
}

export function known(breach: string, differs?: string): Recalled {
  return { is: 'known', breach, differs };
}

export function notPlanted(part: string): Recalled {
  return { is: 'not planted', part };
}

export function notExamined(part: string): Recalled {
  return { is: 'not examined', part };
}

export function notModelled(mechanism: string): Recalled {
  return { is: 'not modelled', mechanism };
}
