import type { Said } from '../../properties/finding/said.ts';
import type { ItfValue } from './itf.ts';

/** No law is broken so far. */
export const HOLDS: ItfValue = { is: 'holds', law: '', expected: '', observed: '' };

/** A broken law; without its name a crash, of a file that names none. */
export function verdictOf(law: string, { expected, observed }: Said): ItfValue {
  return { is: 'broken', law, expected, observed };
}

interface RunFacts {
  readonly law: string | undefined;
  readonly planted: string | undefined;
  readonly diverged: string | undefined;
}

/** The head of a file. */
export function aboutRun(kernel: string, { law, planted, diverged }: RunFacts): Record<string, string> {
  return {
    kernel,
    ...(law === undefined ? {} : { law }),
    ...(planted === undefined ? {} : { planted }),
    ...(diverged === undefined ? {} : { diverged }),
  };
}
