/** Scenarios near others, in each kernel, and schedules of each. */
export const DEFAULT_SCENARIOS = 100;
export const DEFAULT_SCHEDULES = 20;
