import * as fc from 'fast-check';

/** Words at which readers have stumbled. */
const HOSTILE: readonly string[] = [
  '__proto__',
  'toString',
  'constructor',
  '\u0000',
  '\u001b]0;x\u0007',
  '\u202e',
  '\ufeff',
  '\r',
  ' '.repeat(300),
  '('.repeat(200),
  ', 1 step to'.repeat(40),
  'x'.repeat(400),
  '-1',
  '1e309',
  '18446744073709551616',
  '0xffffffffffffffffff',
  '#',
  '=',
  '->',
  'u64 x99',
  's65535b',
  '{}',
  '[',
  'null',
  '*'.repeat(12),
];

/** A change of a text: at a place, in thousandths of its length. */
interface Edit {
  readonly is: 'cut' | 'insert' | 'replace' | 'repeat' | 'swap lines' | 'splice';
  readonly place: number;
  readonly length: number;
  readonly text: string;
}

const edit: fc.Arbitrary<Edit> = fc.record({
  is: fc.constantFrom('cut', 'insert', 'replace', 'repeat', 'swap lines', 'splice'),
  place: fc.integer({ min: 0, max: 999 }),
  length: fc.integer({ min: 1, max: 40 }),
  text: fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ maxLength: 6 })),
});

/** Texts that begin as one of some valid ones. */
export function mutated(seeds: readonly string[]): fc.Arbitrary<string> {
  const edits = fc.array(edit, { minLength: 1, maxLength: 5 });
  return fc
    .tuple(fc.constantFrom(...seeds), fc.constantFrom(...seeds), edits)
    .map(([text, other, changes]) => changes.reduce((now, change) => edited(now, change, other), text));
}

function edited(text: string, { is, place, length, text: word }: Edit, other: string): string {
  const start = Math.floor((text.length * place) / 1000);
  const [before, after] = [text.slice(0, start), text.slice(start)];
  switch (is) {
    case 'cut':
      return before + after.slice(length);
    case 'insert':
      return before + word + after;
    case 'replace':
      return before + word + after.slice(word.length);
    case 'repeat':
      return before + after.slice(0, length).repeat(3) + after;
    case 'swap lines': {
      const lines = text.split('\n');
      const line = Math.floor((lines.length * place) / 1000);
      return [...lines.slice(0, line), ...lines.slice(line).reverse()].join('\n');
    }
    case 'splice':
      return before + other.slice(Math.floor((other.length * place) / 1000));
  }
}
