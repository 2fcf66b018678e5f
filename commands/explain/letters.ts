import type { ExplainedMoment } from '../../checker/explain/moment.ts';

/** A code address that a call reaches or returns to, by its label in the drawings. */
export interface Lettered {
  readonly letter: string;
  /** `f1+0x9`. */
  readonly place: string;
  readonly note: string;
}

/** Labels for the code addresses of a call, in order of appearance: call targets and return addresses. */
export class Letters {
  readonly all: Lettered[] = [];

  /** `siteEnd`: bytes from the start of a function to after its call site. */
  constructor(moments: readonly ExplainedMoment[], siteEnd: number) {
    let before: ExplainedMoment | undefined;
    for (const moment of moments) {
      for (const place of placesOf(moment, before)) this.give(place, siteEnd);
      before = moment;
    }
  }

  /** `E`, or the place itself if it has no label. */
  of(place: string): string {
    return this.lettered(place)?.letter ?? place;
  }

  lettered(place: string): Lettered | undefined {
    return this.all.find((lettered) => lettered.place === place);
  }

  private give(place: string, siteEnd: number): void {
    if (this.lettered(place) !== undefined) return;
    this.all.push({ letter: letterOf(this.all.length), place, note: noteOn(place, siteEnd) });
  }
}

/** `A` … `Z`, `A1`, …: more are needed only where functions call each other. */
function letterOf(number: number): string {
  const letter = String.fromCharCode(65 + (number % 26));
  return number < 26 ? letter : `${letter}${Math.floor(number / 26)}`;
}

/** New addresses at a step: a return address, a call target, or a word that a function in C put on the stack. */
function placesOf(
  { how, inC, back, stack, to }: ExplainedMoment,
  before: ExplainedMoment | undefined,
): string[] {
  if (how === 'done in C') {
    const old = before?.stack ?? [];
    return stack.flatMap(({ code, address }) =>
      code !== undefined && old.every((word) => word.address.lo !== address.lo || word.code !== code)
        ? [code]
        : [],
    );
  }
  if (inC) return [];
  const returnAddress = back === undefined ? undefined : stack[0]?.code;
  return returnAddress === undefined ? [to] : [returnAddress, to];
}

const NOTES: readonly (readonly [RegExp, string])[] = [
  [/^caller\+/, "after the caller's call"],
  [/^tramp#\d+$/, 'the image'],
  [/^tramp#\d+\+/, "ip_after_call: after the original's call"],
  [/^return_to_handler$/, 'the return hook of function graph'],
  [/^arch_rethook_trampoline$/, 'the return hook of kretprobes and rethooks'],
  [/^replacement$/, 'the replacement of the live patch'],
  [/^ftrace_(regs_)?caller$/, "ftrace's entry code"],
  [/\.trampoline$/, "ftrace's entry code, the copy of one ops"],
  [/\.image$/, 'code of the design'],
  [/^my_tramp\d$/, "a client's own trampoline"],
  [/^__x86_indirect_thunk_/, 'a thunk, which jumps to a pointer'],
  [/thunk$/, 'the trampoline for returns'],
  [/^page /, 'freed memory'],
];

function noteOn(place: string, siteEnd: number): string {
  const known = NOTES.find(([pattern]) => pattern.test(place));
  if (known !== undefined) return known[1];
  const [fn, offset] = place.split('+');
  if (offset === undefined) return `the entry of ${fn}`;
  return Number(offset) === siteEnd ? 'after its fentry call' : `after a call in ${fn}`;
}
