import { WIDTH, wrap } from '../../counterexamples/text.ts';
import { entry } from '../../model/core/present.ts';

/** What each count is of, by its name. */
const COUNTS: Readonly<Record<string, string>> = {
  'program loads': 'BPF programs that are loaded',
  images: 'trampoline images that are generated',
  'bytes of text': 'machine code of these images',
  'text pokes': 'instructions of live text that are replaced through int3',
  'sync IPIs': 'times that every CPU is interrupted, to see changed text',
  'hash look-ups': 'look-ups of a function in a hash of ftrace or of the design',
  'entries copied': 'entries of such hashes that are copied into a new one',
  'record visits': 'call sites that ftrace looks at, to see what has changed',
};

const PERIODS: Readonly<Record<string, string>> = {
  'waited for': 'grace periods that pass before the client is answered',
  'handed over': 'grace periods that pass behind its back',
};

/** A line for each count that occurs; grace periods of all flavours share one for each way. */
export function legendLines(counts: readonly string[]): string[] {
  const periods = counts.filter((name) => !(name in COUNTS));
  const said = [
    ...Object.keys(COUNTS)
      .filter((name) => counts.includes(name))
      .map((name) => `${name}: ${entry(COUNTS, name)}`),
    ...Object.keys(PERIODS)
      .filter((how) => periods.some((name) => name.endsWith(how)))
      .map((how) => `${how}: ${entry(PERIODS, how)}`),
  ];
  return said.flatMap((line) => wrap(line, WIDTH - 4).map((part, i) => `${i === 0 ? '  ' : '    '}${part}`));
}
