import { expect, test } from 'vitest';
import type { Action, ActionOf } from '../../model/client/all.ts';
import type { Kernel } from '../../model/kernel.ts';
import { apply } from '../../model/step.ts';
import { tracedFunction } from '../../model/trampoline/traced-function.ts';
import { copyKernel } from '../../properties/observed/copy-kernel.ts';
import { someOf } from '../../test/thorough.ts';
import { callIn } from './call-seen.ts';
import { doLetter } from './client.ts';
import type { HistoryScene } from './history.ts';
import { firstScene } from './history.ts';
import type { Letter } from './letter.ts';
import { attachLetters, NO_CLIENT } from './letter.ts';
import { textMet } from './text-met.ts';
import { Window } from './window.ts';

/*
 * Calls are repeated only where a step has changed what they read, and are made only where they read what no call has
 * read before. Here they are made before every instruction.
 */

const FUNCTIONS = [tracedFunction('f2', 1, 'u64 x2 -> u64'), tracedFunction('f6', 2, 'u64 x6 -> u64')];
const LETTERS: readonly Letter[] = attachLetters({
  functions: FUNCTIONS.map(({ name }) => name),
  kinds: ['fentry', 'fexit', 'fmod_ret'],
  without: new Set(),
});

type Calls = readonly ActionOf<'call'>[];
type Seen = Map<string, Set<string>>;

/** What calls show before every instruction of some actions, and after the last. */
function everySight(k: Kernel, actions: readonly Action[], calls: Calls): Seen {
  const seen: Seen = new Map(calls.map(({ fn }) => [fn, new Set()]));
  const look = () => {
    for (const call of calls) seen.get(call.fn)!.add(callIn(copyKernel(textMet(k)), call));
  };
  for (const action of actions) apply(k, action, undefined, { step: look });
  look();
  return seen;
}

function windowed({ k, requests, memo }: HistoryScene, actions: readonly Action[]): Window {
  const window = new Window(k, requests, memo);
  for (const action of actions) apply(window.k, action, undefined, { step: window.step.bind(window) });
  window.look();
  return window;
}

/** An attachment by each symbol, another one on top of that, and the end of the first one. */
const HISTORIES = LETTERS.map((first, i): Letter[] => [
  first,
  LETTERS[(3 * i + 5) % LETTERS.length]!,
  { do: 'detach', link: 1 },
]);

test.each(
  someOf(
    [
      '6.12, multiLinks = splitting',
      '6.12, multiLinks = one by one',
      '7.2',
      '6.12, multiLinks = global',
      '6.12, multiLinks = function graph',
    ],
    5,
  ),
)('%s: what calls show in a window is what they show before every instruction', (profile) => {
  const start = firstScene(profile, FUNCTIONS);
  let sights = 0;
  for (const history of someOf(HISTORIES, 8)) {
    let scene: HistoryScene | undefined = start;
    let client = NO_CLIENT;
    for (const letter of history) {
      if (scene === undefined || (letter.do === 'detach' && client.links[letter.link] === undefined)) break;
      const { played, client: next } = doLetter(scene, client, letter);
      const plain = copyKernel(scene.k);
      const actions: Action[] = [...played.actions, { do: 'settle' }];
      const seen = everySight(plain, actions, scene.requests);
      const window = windowed(scene, actions);
      expect(window.seen).toEqual(seen);
      expect(window.kernel).toEqual(plain);
      sights += [...seen.values()].reduce((sum, { size }) => sum + size, 0);
      scene = played.next;
      client = next;
    }
  }
  expect(sights).toBeGreaterThan(15);
});
