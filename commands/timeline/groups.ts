/* The groups of a timeline's tracks, in their order. */

export const SCHEDULE = 'schedule';
export const CPUS = 'CPUs';
export const ACTORS = 'clients, tasks, background work';
export const LOCKS = 'locks';
export const GRACE_PERIODS = 'grace periods';
export const TEXT = 'text and images';

/** Of an interleaving. */
export const GROUPS = [SCHEDULE, CPUS, ACTORS, LOCKS, GRACE_PERIODS, TEXT] as const;

/** Of client calls, one after the other. */
export const CALLS = 'client and task';
