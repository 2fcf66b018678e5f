/** The bounds of a search that names none, as the command line spells them. */
export const DEFAULT_BOUNDS = { depth: '4', states: '20000' } as const;
