import type { JobProgress } from '../../counterexamples/answer.ts';
import { WIDTH } from '../../counterexamples/text.ts';
import { colouredIn } from './colours.ts';
import { Meter } from './meter.ts';
import { ownName } from './typed.ts';

/** The default directory of new counterexamples. */
const RESULTS = 'attachcheck-results';

/** Where a command prints, and how. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether its output has colours where the command line does not say. */
  readonly coloured: boolean;
  /** Shows the progress of a command; undefined clears it. */
  readonly status: (progress: JobProgress | undefined) => void;
  /** How the user started the program. */
  readonly name: string;
  /** The directory of new counterexamples; undefined: they are not saved. */
  readonly results: string | undefined;
}

/** The terminal, file or pipe that the process was started with. */
export function ownTerminal(): Terminal {
  return {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    coloured: colouredIn(process.env, process.stdout.isTTY),
    status: statusLine(),
    name: ownName(process.env),
    results: RESULTS,
  };
}

/** Milliseconds between two lines of progress: in place on a terminal, one below the other elsewhere. */
const IN_PLACE = 100;
const BELOW = 10_000;

/** Shows progress on stderr: in place on a terminal, otherwise a line every ten seconds. */
function statusLine(): Terminal['status'] {
  const { CI, TERM } = process.env;
  const { stderr } = process;
  const inPlace = stderr.isTTY && !CI && TERM !== 'dumb';
  const meter = new Meter();
  let shown = inPlace ? Number.NEGATIVE_INFINITY : performance.now();
  return (progress) => {
    const now = performance.now();
    if (progress === undefined) {
      if (inPlace) stderr.write('\r\x1b[K');
      return;
    }
    meter.note(progress, now);
    if (now - shown < (inPlace ? IN_PLACE : BELOW)) return;
    const text = meter.text(progress, now, inPlace ? (stderr.columns ?? WIDTH) - 1 : WIDTH);
    stderr.write(inPlace ? `\r\x1b[K${text}` : `${text}\n`);
    shown = now;
  };
}
