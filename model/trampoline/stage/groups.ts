/**
 * The origins that a trampoline's run distinguishes (`model/x86/origin.ts`): group numbers, and their names for
 * reports. Argument word k (from 0) is group ARGUMENT + k.
 */
export const ARGUMENT = 1;
export const RETURN = 13;
export const RETURN_HIGH = 14;
export const SAVED_RBX = 15;
export const SAVED_RBP = 16;
export const SAVED_R12 = 17;
export const SAVED_R13 = 18;
export const SAVED_R14 = 19;
export const SAVED_R15 = 20;
export const TAIL_CALL = 21;
export const PROGRAM_RETURN = 22;
export const START = 23;
export const CLOBBER = 24;
export const CALLER = 25;
export const OUTER_CONTEXT = 26;
export const PADDING = 27;

/**
 * Groups whose being zero or not decides which path an image takes: fmod_ret programs (`if (ret) goto
 * do_fexit`) and the enter helper (`if (!start) skip`). All other branches have to be the same for all
 * arguments; `mayBranch()` stops them.
 */
export const CONTROL_GROUPS = (1 << PROGRAM_RETURN) | (1 << START);

/** The names for reports. */
const NAMES: Readonly<Record<number, string>> = {
  [RETURN]: "the original's return value",
  [RETURN_HIGH]: "the original's return value, upper half",
  [SAVED_RBX]: "the caller's rbx",
  [SAVED_RBP]: "the caller's rbp",
  [SAVED_R12]: "the caller's r12",
  [SAVED_R13]: "the caller's r13",
  [SAVED_R14]: "the caller's r14",
  [SAVED_R15]: "the caller's r15",
  [TAIL_CALL]: 'the tail-call counter',
  [PROGRAM_RETURN]: "a program's return value",
  [START]: "__bpf_prog_enter's answer",
  [CLOBBER]: 'a register that a callee destroyed',
  [CALLER]: "the caller's memory",
  [OUTER_CONTEXT]: "the task's outer run context",
  [PADDING]: 'padding between stack arguments',
};

/** A group in a few words: `argument word 3`, `the caller's rbx`. */
export function groupName(group: number): string {
  if (group >= ARGUMENT && group < RETURN) return `argument word ${group - ARGUMENT + 1}`;
  return NAMES[group] ?? `origin ${group}`;
}

/** The origin that a tag gives its byte. */
export function tagName(tag: number): string {
  if (tag === 0) return 'never written';
  if (tag === 1) return 'a constant';
  if (tag === 2) return 'a computed value';
  return tag < 8 ? `tag ${tag}` : groupName(tag >>> 3);
}
