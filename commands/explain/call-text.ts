import type { ExplainedMoment, KeptReturn } from '../../checker/explain/moment.ts';
import { WIDTH, wrap } from '../../counterexamples/text.ts';
import type { CallEvent } from '../../model/core/event.ts';
import type { ImagePlan } from '../../model/trampoline/plan/planner.ts';
import type { Activation } from './activations.ts';
import { Activations, codeOf } from './activations.ts';
import type { EventWords } from './event-text.ts';
import { eventText } from './event-text.ts';
import type { Lettered } from './letters.ts';
import { Letters } from './letters.ts';
import { StackDrawing } from './stack-drawing.ts';

/** An observed call, and the context needed to print it. */
export interface ToldCall extends EventWords {
  readonly moments: readonly ExplainedMoment[];
  readonly plans: Readonly<Record<string, ImagePlan>>;
  /** Bytes from the start of a function to after its call site. */
  readonly siteEnd: number;
  /** Its outcome: `rax 0x1003`, or the fault. */
  readonly end: string;
}

/** The column at which a call is printed; enclosed code is indented from there. */
const MARGIN = 7;
const INDENT = 2;
const DEPTH_MOST = 8;

/** A call in detail: the labels, then each transfer of control, each event, and the stack after it. */
export function callLines(told: ToldCall): string[] {
  const letters = new Letters(told.moments, told.siteEnd);
  return [...letters.all.flatMap(letterLines), '', ...new Teller(told, letters).lines()];
}

function letterLines({ letter, place, note }: Lettered): string[] {
  const margin = ' '.repeat(MARGIN);
  const line = `${margin}${letter.padEnd(3)}${place.padEnd(PLACE_COLUMNS)} ${note}`;
  return line.length <= WIDTH ? [line] : [`${margin}${letter.padEnd(3)}${place}`, `${margin}     ${note}`];
}

const PLACE_COLUMNS = 28;

/** Functions of the checker that observe a call: no kernel has them. */
export const TELLS = /^(body|direct|replacement)_hook$/;

class Teller {
  private readonly frames: Activations;
  private readonly drawing: StackDrawing;
  private readonly text: string[] = [];
  private kept = '';

  constructor(
    private readonly told: ToldCall,
    private readonly letters: Letters,
  ) {
    this.frames = new Activations(told.plans);
    this.drawing = new StackDrawing(letters, this.frames);
  }

  lines(): string[] {
    const { moments, end } = this.told;
    moments.forEach((moment, i) => {
      this.tell(moment, moments[i + 1], moments[i - 1]);
    });
    this.say(end, 0);
    return this.text;
  }

  private tell(
    moment: ExplainedMoment,
    next: ExplainedMoment | undefined,
    before: ExplainedMoment | undefined,
  ): void {
    const { open } = this.frames;
    const depth = open.length;
    if (moment.how === 'done in C') return this.done(moment, before, depth);
    const left = this.frames.come(moment);
    if (moment.inC && TELLS.test(moment.to)) return;
    this.say(this.arrival(moment, left), Math.max(0, depth - (moment.how === 'return' ? 1 : 0)));
    const sees = next?.how === 'done in C' && next.events.length > 0;
    if (moment.inC ? sees : open.length > 0) this.draw(moment, open.length + (moment.inC ? 1 : 0));
  }

  /** A function in C has returned: what clients saw in it, and what it left on the stack and in other memory. */
  private done(moment: ExplainedMoment, before: ExplainedMoment | undefined, depth: number): void {
    const own = !moment.inC || TELLS.test(moment.to);
    for (const event of moment.events) this.event(event, own ? depth : depth + 1);
    if (returnsOf(moment) !== returnsOf(before)) this.draw(moment, depth + 1);
    this.keep(moment.kept, depth + 1);
  }

  private event(event: CallEvent, depth: number): void {
    this.say(eventText(event, this.told), depth);
  }

  private arrival(moment: ExplainedMoment, left: readonly Activation[]): string {
    const { how, from, to, inC, stack } = moment;
    const site = inC ? to : this.letters.of(to);
    if (how === 'call')
      return inC
        ? `${from} calls ${site}`
        : `${from} calls ${site}, to return to ${this.letters.of(stack[0]?.code ?? '')}`;
    if (how === 'jump') return `${from} jumps to ${site}`;
    return `${from} returns to ${site}${this.missed(to, left)}`;
  }

  /** The return addresses that a return skipped. */
  private missed(to: string, left: readonly Activation[]): string {
    const backs = left.flatMap(({ back }) => (back === undefined ? [] : [back]));
    const passed = backs.filter((back) => back !== to).map((back) => this.letters.of(back));
    if (passed.length === 0) return '';
    return backs.includes(to) ? `, past ${passed.join(' and ')}` : `, and not to ${passed.join(' and ')}`;
  }

  private draw({ stack }: ExplainedMoment, depth: number): void {
    const width = WIDTH - columnOf(depth + 1);
    for (const line of this.drawing.draw(stack, width)) this.put(line, depth + 1);
  }

  private keep(kept: readonly KeptReturn[], depth: number): void {
    const said = kept
      .map(({ where, fn, code }) => `${where}: ${fn} returns to ${this.letters.of(code)}`)
      .join('; ');
    if (said !== this.kept)
      this.say(said === '' ? 'no return address is saved outside the stack any more' : said, depth);
    this.kept = said;
  }

  private say(sentence: string, depth: number): void {
    wrap(sentence, WIDTH - columnOf(depth) - 4).forEach((line, i) => {
      this.put(i === 0 ? line : `    ${line}`, depth);
    });
  }

  private put(line: string, depth: number): void {
    this.text.push(' '.repeat(columnOf(depth)) + line);
  }
}

function columnOf(depth: number): number {
  return MARGIN + INDENT * Math.min(depth, DEPTH_MOST);
}

/** The return addresses of the calls in progress, as one text. */
function returnsOf(moment: ExplainedMoment | undefined): string {
  return (moment?.stack ?? [])
    .map(({ code }) => (code === undefined ? '' : `${codeOf(code)} ${code}`))
    .join();
}
