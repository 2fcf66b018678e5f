import type { CheckOutcome, CheckSuite, RunCheck } from '../../counterexamples/run-check.ts';

/** A whole run, for a format that other programs read. */
export interface CheckedRun {
  readonly suites: readonly CheckSuite[];
  readonly exit: number;
  /** The signal that stopped it. */
  readonly signal: string | undefined;
  /** The command line, as it can be pasted. */
  readonly command: string;
  /** Of attachcheck. */
  readonly version: string;
}

/** The number of checks with an outcome. */
export function outcomes(checks: readonly RunCheck[], outcome: CheckOutcome): number {
  return checks.filter((check) => check.outcome === outcome).length;
}

/** All checks, each with the name of its suite. */
export function allChecks({ suites }: Pick<CheckedRun, 'suites'>): { suite: string; check: RunCheck }[] {
  return suites.flatMap(({ name, checks }) => checks.map((check) => ({ suite: name, check })));
}

/** The line that says the most: what was found or why nothing was, or else the sentence that is checked. */
export function messageOfCheck({ lines = [], rule }: RunCheck): string {
  return lines.find((line) => line.trim() !== '')?.trim() ?? rule.sentence;
}

/** Characters that a document of text may not have: controls, halves of surrogate pairs, and what is no character. */
const UNPRINTABLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** A text in which those are spelled, `\x1b`. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) => {
    const digits = character.charCodeAt(0).toString(16);
    return digits.length > 2 ? `\\u${digits}` : `\\x${digits.padStart(2, '0')}`;
  });
}
