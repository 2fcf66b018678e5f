import { ownName } from './typed.ts';

/** Where new counterexamples are saved if nothing else is said. */
const RESULTS = 'attachcheck-results';

/** Where a command prints, and how. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether what it prints may have colours. */
  readonly coloured: boolean;
  /** Shows a line of progress; an empty one takes the last away. */
  readonly status: (text: string) => void;
  /** How the user has started the program. */
  readonly name: string;
  /** The folder of new counterexamples; undefined: they are not saved. */
  readonly results: string | undefined;
}

/** The terminal, file or pipe that the process was started with. */
export function ownTerminal(): Terminal {
  return {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    coloured: coloured(),
    status: statusLine(),
    name: ownName(process.env),
    results: RESULTS,
  };
}

/** Shows progress on stderr: in place on a terminal, otherwise a line every ten seconds. */
function statusLine(): (text: string) => void {
  const { CI, TERM } = process.env;
  const inPlace = process.stderr.isTTY && !CI && TERM !== 'dumb';
  let shown = inPlace ? 0 : performance.now();
  return (text) => {
    const now = performance.now();
    if (inPlace && (text === '' || now - shown > 100)) process.stderr.write(`\r\x1b[K${text}`);
    else if (!inPlace && text !== '' && now - shown > 10_000) process.stderr.write(`${text}\n`);
    else return;
    shown = now;
  };
}

/** Whether stdout shows colours. */
function coloured(): boolean {
  const { NO_COLOR, FORCE_COLOR, CI, TERM } = process.env;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0';
  return !NO_COLOR && !CI && TERM !== 'dumb' && process.stdout.isTTY;
}
