import type { Exit } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { wrap } from '../../counterexamples/text.ts';

/** Whether one design behaves as another, and if it does not, why. */
export interface LatticeVerdict {
  readonly one: string;
  readonly other: string;
  readonly exit: Exit;
  readonly why: string;
  /** They are supported on different kernels. */
  readonly across: boolean;
}

/** The results of all pairs of designs, in both directions. */
export class Lattice {
  private readonly verdicts = new Map<string, LatticeVerdict>();

  constructor(
    private readonly designs: readonly string[],
    verdicts: readonly LatticeVerdict[],
  ) {
    for (const verdict of verdicts) this.verdicts.set(`${verdict.one} / ${verdict.other}`, verdict);
  }

  get isComplete(): boolean {
    return this.verdicts.size === this.designs.length * (this.designs.length - 1);
  }

  /**
   * Each member of a class behaves as each other member, and no other design as all of them. Two designs are compared
   * on what both accept, and so a design that accepts little may be in several.
   */
  classes(): string[][] {
    const classes: string[][] = [];
    const grow = (alike: readonly string[], others: readonly string[], before: readonly string[]) => {
      if (others.length === 0 && before.length === 0) classes.push([...alike]);
      others.forEach((name, i) => {
        const fits = (other: string) => this.areAlike(name, other);
        const earlier = [...before, ...others.slice(0, i)];
        grow([...alike, name], others.slice(i + 1).filter(fits), earlier.filter(fits));
      });
    };
    grow([], this.designs, []);
    return classes;
  }

  private areAlike(name: string, other: string): boolean {
    return this.behavesAs(name, other) && this.behavesAs(other, name);
  }

  lines(): string[] {
    const all = [...this.verdicts.values()];
    const below = all.filter(
      ({ one: name, other }) => this.behavesAs(name, other) && !this.behavesAs(other, name),
    );
    return [
      'classes of designs that behave alike within this bound',
      ...this.classes().flatMap((alike) => indented(alike.join(' = '))),
      ...this.severalLines(),
      '',
      'behaves as another, but not vice versa',
      ...(below.length === 0 ? ['  none'] : below.map(({ one: name, other }) => `  ${name} → ${other}`)),
      '',
      'does not behave as another, with the shortest reason; ≠ in both directions',
      ...all.flatMap((verdict) => this.differLines(verdict)),
    ];
  }

  /** Alike on what both accept is not transitive: that is printed, for it looks like a mistake. */
  private severalLines(): string[] {
    const all = this.classes().flat();
    const several = this.designs.filter((design) => all.indexOf(design) !== all.lastIndexOf(design));
    return several.flatMap((design) =>
      indented(`(${design} is in several: two designs are compared on what both accept)`),
    );
  }

  private behavesAs(name: string, other: string): boolean {
    return this.verdicts.get(`${name} / ${other}`)?.exit === EXIT.HELD;
  }

  /** If two differ both ways, the reason is printed once. */
  private differLines({ one: name, other, exit, why, across }: LatticeVerdict): string[] {
    if (exit === EXIT.HELD) return [];
    const isBoth = this.verdicts.get(`${other} / ${name}`)?.exit === EXIT.BROKEN;
    if (isBoth && this.designs.indexOf(other) < this.designs.indexOf(name)) return [];
    const said = exit === EXIT.BROKEN ? why : 'no history is accepted by both';
    const text = `${name} ${isBoth ? '≠' : '↛'} ${other}${across ? ' (across kernels)' : ''}: ${said}`;
    return indented(text);
  }

  json() {
    return {
      classes: this.classes(),
      pairs: [...this.verdicts.values()].map(({ one: name, other, exit, why, across }) => ({
        design: name,
        against: other,
        behavesAs: exit === EXIT.HELD,
        acrossKernels: across,
        why: why === '' ? null : why,
      })),
    };
  }
}

function indented(text: string): string[] {
  return wrap(text, 72).map((line, i) => `${i === 0 ? '  ' : '      '}${line}`);
}
