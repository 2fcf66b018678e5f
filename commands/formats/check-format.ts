/** A format for programs that collect the results of checks. */
export type CheckFormat = 'junit' | 'github' | 'tap' | 'sarif';
export const CHECK_FORMATS: readonly CheckFormat[] = ['junit', 'github', 'tap', 'sarif'];

export function isCheckFormat(name: string): name is CheckFormat {
  return CHECK_FORMATS.some((format) => format === name);
}
