import type { FindingWalk, NextMove, WalkStand } from '../walk/stand.ts';
import { button, h, part } from './dom.ts';
import { lanes } from './lanes.ts';
import { stateView } from './state-view.ts';
import { textTwin } from './text-twin.ts';
import { verdictText, verdictView } from './verdict.ts';

/** Moves that "to the end" makes at most. */
const MOVES_MOST = 1000;

/** A page on which a reader walks through a finding. */
export class Page {
  private selected: number;
  private onlyChanges = false;
  private asText = false;

  constructor(private readonly walk: FindingWalk) {
    this.selected = walk.stands.length - 1;
    document.addEventListener('keydown', (event) => this.key(event));
    this.draw();
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = this.actions()[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  }

  private actions(): Readonly<Record<string, () => void>> {
    const last = this.walk.stands.length - 1;
    const digits = this.walk
      .choices(this.selected)
      .slice(0, 9)
      .map((_, i) => [String(i + 1), () => this.choose(i)] as const);
    return {
      ArrowDown: () => this.select(this.selected + 1),
      j: () => this.select(this.selected + 1),
      ArrowUp: () => this.select(this.selected - 1),
      k: () => this.select(this.selected - 1),
      Home: () => this.select(0),
      End: () => this.select(last),
      c: () => this.toggle('onlyChanges'),
      t: () => this.toggle('asText'),
      e: () => this.finish(),
      r: () => this.reset(),
      ...Object.fromEntries(digits),
    };
  }

  private select(stand: number): void {
    this.selected = Math.min(Math.max(stand, 0), this.walk.stands.length - 1);
    this.draw();
  }

  private toggle(option: 'onlyChanges' | 'asText'): void {
    this[option] = !this[option];
    this.draw();
  }

  private choose(choice: number): void {
    this.walk.choose(this.selected, choice);
    this.select(this.selected + 1);
  }

  /** Each actor runs as long as it can, from the selected state on. */
  private finish(): void {
    let stand = this.selected;
    for (let i = 0; i < MOVES_MOST; i++) {
      const { verdict, told } = this.stand(stand);
      const choices = this.walk.choices(stand);
      if ((verdict !== undefined && verdict.is !== 'held') || choices.length === 0) break;
      this.walk.choose(stand, next(choices, told?.actor));
      stand++;
    }
    this.select(stand);
  }

  private reset(): void {
    this.walk.reset();
    this.select(this.walk.stands.length - 1);
  }

  private stand(number: number): WalkStand {
    return this.walk.stands[number]!;
  }

  private draw(): void {
    const { walk, selected } = this;
    const { stands, actors } = walk;
    part('lanes').replaceChildren(lanes(actors, stands, selected, (stand) => this.select(stand)));
    part('controls').replaceChildren(this.controls());
    part('choices').replaceChildren(this.choices());
    part('state').replaceChildren(stateView(stands[selected - 1], this.stand(selected), this.onlyChanges));
    part('twin').replaceChildren(this.asText ? textTwin(stands) : '');
    document.body.classList.toggle('as-text', this.asText);
    part('now').textContent = this.announcement();
    const row = part('lanes').querySelector<HTMLElement>(`[data-stand="${selected}"]`);
    row?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: 'nearest' });
  }

  private announcement(): string {
    const { told, verdict } = this.stand(this.selected);
    const what = told === undefined ? 'the first state' : `${told.actor}: ${told.does}`;
    return `step ${this.selected} of ${this.walk.stands.length - 1}, ${what}${verdict === undefined ? '' : `; ${verdictText(verdict)}`}`;
  }

  private controls(): HTMLElement {
    const { selected } = this;
    const last = this.walk.stands.length - 1;
    const option = (name: 'onlyChanges' | 'asText', key: string, text: string) =>
      button({ 'aria-pressed': String(this[name]), 'aria-keyshortcuts': key }, text, () => this.toggle(name));
    return h(
      'div',
      { role: 'toolbar', 'aria-label': 'steps' },
      button({ 'aria-keyshortcuts': 'Home' }, '⇤ first', () => this.select(0)),
      button({ 'aria-keyshortcuts': 'ArrowUp k' }, '↑ previous', () => this.select(selected - 1)),
      h('span', { class: 'count' }, `step ${selected} of ${last}`),
      button({ 'aria-keyshortcuts': 'ArrowDown j' }, '↓ next', () => this.select(selected + 1)),
      button({ 'aria-keyshortcuts': 'End' }, '⇥ last', () => this.select(last)),
      option('onlyChanges', 'c', 'c: only what changed'),
      option('asText', 't', 't: as text'),
    );
  }

  /** The moves that are possible after the selected state. */
  private choices(): HTMLElement {
    const { walk, selected } = this;
    const choices = walk.choices(selected);
    const items = choices.map((choice, i) =>
      h(
        'li',
        {},
        button({ class: choice.isSaved ? 'saved' : undefined }, choiceText(choice, i), () => this.choose(i)),
      ),
    );
    const { verdict } = this.stand(selected);
    return h(
      'div',
      {},
      verdict && verdictView(verdict),
      h('h2', {}, choices.length === 0 ? 'No move is possible after this' : 'What may happen next'),
      h('ol', {}, ...items),
      choices.length === 0
        ? undefined
        : button({ 'aria-keyshortcuts': 'e' }, 'e: to the end', () => this.finish()),
      button({ 'aria-keyshortcuts': 'r' }, 'r: back to what was saved', () => this.reset()),
    );
  }
}

/** The same actor runs on if it can. */
function next(choices: readonly NextMove[], actor: string | undefined): number {
  const same = choices.findIndex((choice) => choice.actor === actor && choice.turn === '');
  return Math.max(same, 0);
}

function choiceText({ actor, turn, does, isSaved }: NextMove, i: number): string {
  const what = turn === '' || does.includes(turn) ? does : `${turn}: ${does}`;
  return `${i < 9 ? `${i + 1}: ` : ''}${actor === '' ? '' : `${actor}: `}${what}${isSaved ? ' (as saved)' : ''}`;
}
