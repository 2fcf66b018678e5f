import type { JobProgress } from '../../counterexamples/answer.ts';
import { count, counted, pluralOf } from '../../counterexamples/text.ts';

/** Milliseconds of a part, and its share, below which its rate says little of the rest. */
const TOO_SHORT = 2000;
const TOO_LITTLE = 0.02;

/** Tells how far a command has got: how fast its part goes, and how long it will take. Times are milliseconds of any clock. */
export class Meter {
  private part: string | undefined;
  private start = 0;
  /** What had been done when the part was first seen. */
  private before = { done: 0, inner: 0 };

  /** Receives every step, shown or not. */
  note({ part, done = 0, inner }: JobProgress, now: number): void {
    if (part === this.part) return;
    this.part = part;
    this.start = now;
    this.before = { done, inner: inner?.done ?? 0 };
  }

  /** `sequences of 6.12 · 120 of 400 · 34 sequences/s · about 8 s left`, in this many columns. */
  text(progress: JobProgress, now: number, width: number): string {
    const { part, now: what } = progress;
    const elapsed = now - this.start;
    const figures = [
      ...(progress.done === undefined ? [] : [doneText(progress)]),
      ...this.rate(progress, elapsed),
      ...this.left(progress, elapsed),
    ];
    const tail = figures.map((text) => ` · ${text}`).join('');
    const head = what === undefined || what === '' ? part : `${part}: ${what}`;
    const room = width - tail.length;
    if (head.length <= room) return head + tail;
    return room > part.length ? `${head.slice(0, room - 1)}…${tail}` : (part + tail).slice(0, width);
  }

  private rate({ done = 0, unit, inner }: JobProgress, elapsed: number): string[] {
    const since = inner === undefined ? done - this.before.done : inner.done - this.before.inner;
    const what = inner?.unit ?? unit;
    if (what === undefined || since <= 0 || elapsed < TOO_SHORT) return [];
    const [times, per] = since * 1000 < elapsed ? [60_000, 'min'] : [1000, 's'];
    return [`${count(Math.round((since * times) / elapsed))} ${pluralOf(what)}/${per}`];
  }

  /** From what is done of what is to do; nothing is said where that is unknown, or too little. */
  private left({ done = 0, of = 0 }: JobProgress, elapsed: number): string[] {
    const since = done - this.before.done;
    if (elapsed < TOO_SHORT || since <= 0 || since < of * TOO_LITTLE || done >= of) return [];
    return [`about ${duration((elapsed * (of - done)) / since)} left`];
  }
}

/** `120 of 400`, where the rate names what is counted; `3 of 69 scenarios` where it is of something else. */
function doneText({ done = 0, of, unit = '', inner }: JobProgress): string {
  if (of === undefined) return counted(done, unit);
  return `${count(done)} of ${inner === undefined ? count(of) : counted(of, unit)}`;
}

/** `8 s`, `3 min`, `2 h`: no finer than an estimate is. */
function duration(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds < 100) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 100 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}
