import type { StackWord } from '../../checker/explain/moment.ts';
import { counted, wrap } from '../../counterexamples/text.ts';
import { item, last } from '../../model/core/present.ts';
import { toHex } from '../../model/x86/word.ts';
import type { Activations } from './activations.ts';
import { namedWord } from './activations.ts';
import type { Letters } from './letters.ts';

/** A word as it is drawn: a label and a place, or a name and a value. */
interface Drawn {
  readonly key: string;
  /** Its text when it is folded. */
  readonly name: string;
  readonly line: string;
  /** Return addresses are always drawn. */
  readonly kind: 'address' | 'value' | 'not written';
  readonly isNew: boolean;
}

/** Draws the stack repeatedly, the highest address first; unchanged words are folded into one line. */
export class StackDrawing {
  private drawn = new Set<string>();

  constructor(
    private readonly letters: Letters,
    private readonly frames: Activations,
  ) {}

  /** Lines of at most this many columns; none if nothing has changed since the last drawing. */
  draw(stack: readonly StackWord[], width: number): string[] {
    const words = stack.toReversed().map((word) => this.word(word));
    if (words.length === this.drawn.size && !words.some(({ isNew }) => isNew)) return [];
    this.drawn = new Set(words.map(({ key }) => key));
    return folded(words).flatMap((line) => fitted(line, width - 2).map((part) => `│ ${part}`));
  }

  private word(word: StackWord): Drawn {
    const { address, code, value, written, origin } = word;
    const { name, isAddress } = namedWord(this.frames, word);
    const text = written ? this.valueText(code, toHex(value)) : 'not written yet';
    const line = isAddress ? text : `${withOrigin(name, origin).padEnd(NAME_COLUMNS)} ${text}`;
    const key = `${toHex(address)} ${name} ${line}`;
    const kind = written ? (isAddress ? 'address' : 'value') : 'not written';
    return { key, name, line, kind, isNew: !this.drawn.has(key) };
  }

  private valueText(code: string | undefined, value: string): string {
    const letter = code === undefined ? undefined : this.letters.lettered(code)?.letter;
    return letter === undefined ? (code ?? value) : `${letter}  ${code}`;
  }
}

const NAME_COLUMNS = 37;

/** For a word that saves a value, the value's origin: `ctx[0], argument word 1`. */
function withOrigin(name: string, origin: string): string {
  return /^(ctx\[\d+\]$|regs->)/.test(name) && origin !== '' ? `${name}, ${origin}` : name;
}

/** A text that is too long for its line is set without columns, and then in two lines. */
function fitted(line: string, width: number): string[] {
  if (line.length <= width) return [line];
  const plain = line.replace(/ {2,}/g, ' ');
  return wrap(plain, width).map((part, i) => (i === 0 ? part : `  ${part}`));
}

/** Neighbours that are unwritten, or unchanged, share one line. */
function folded(words: readonly Drawn[]): string[] {
  const lines: string[] = [];
  for (let i = 0; i < words.length; ) {
    const kind = foldOf(item(words, i));
    let to = i + 1;
    while (kind !== '' && to < words.length && foldOf(item(words, to)) === kind) to++;
    const isAlone = to === i + 1 && item(words, i).name !== '';
    lines.push(kind === '' || isAlone ? item(words, i).line : foldLine(words.slice(i, to), kind));
    i = to;
  }
  return lines;
}

type Fold = '' | 'as before' | 'not written yet';

function foldOf({ kind, isNew }: Drawn): Fold {
  if (kind === 'not written') return 'not written yet';
  return kind === 'value' && !isNew ? 'as before' : '';
}

function foldLine(words: readonly Drawn[], kind: Fold): string {
  const [from, to] = [item(words, 0), last(words)].map(({ name }) => name.replace(/^\w+: |,.*/g, ''));
  const names = from === '' || to === '' ? '' : `${from} … ${to}: `;
  return `${names}${counted(words.length, 'word')} ${kind}`;
}
