import type { CalledByHit, Given, HitFinding } from './hit-finding.ts';
import type { SaidWords } from './said.ts';
import { listed } from './said.ts';

/** The words for hits of tracepoints. */
export const HIT_WORDS: SaidWords<HitFinding> = {
  'hit-calls-others': ({ expected, observed }) => ({
    expected: `a hit calls ${calledOf(expected)}`,
    observed: `it calls ${calledOf(observed)}`,
  }),
  'probe-is-given-otherwise': ({ who, expected, observed }) => ({
    expected: `${who} gets ${expected.map(givenOf).join(' or ')}`,
    observed: `it gets ${givenOf(observed)}`,
  }),
};

function calledOf(called: readonly CalledByHit[]): string {
  return listed(
    called.map(({ who, data }) => (data === undefined ? who : `${who}(${data})`)),
    'nothing',
  );
}

/** `data#1 (0x1, 0x2)`, `(0x1, 0x2), cookie 0x5`. */
function givenOf({ data, args = [], cookie }: Given): string {
  const before = data === undefined ? '' : `${data} `;
  return `${before}(${args.join(', ')})${cookie === undefined ? '' : `, cookie ${cookie}`}`;
}
