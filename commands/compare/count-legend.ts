import { WIDTH, wrap } from '../../counterexamples/text.ts';
import { entry } from '../../model/core/present.ts';

/** The meaning of each count, by its name. */
const COUNTS: Readonly<Record<string, string>> = {
  'program loads': 'BPF programs loaded',
  images: 'trampoline images generated',
  'bytes of text': 'machine code of these images',
  'text pokes': 'instructions of live text replaced through int3',
  'sync IPIs': 'times every CPU is interrupted to see changed text',
  'hash look-ups': 'lookups of a function in a hash of ftrace or of the design',
  'entries copied': 'entries of such hashes copied into a new one',
  'record visits': 'call sites that ftrace checks for changes',
};

const PERIODS: Readonly<Record<string, string>> = {
  'waited for': 'grace periods that the client waits for',
  'handed over': 'grace periods that pass after the client has its answer',
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
