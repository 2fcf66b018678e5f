import { crashText } from '../../model/core/crash-words.ts';
import type { CallFinding, ToldHit, ToldRun, ToldStage } from './call-finding.ts';
import type { SaidWords } from './said.ts';
import { listed, times } from './said.ts';

/** What is said of calls, and of what clients see of them. */
export const CALL_WORDS: SaidWords<CallFinding> = {
  'call-does-not-return': ({ fn, why }) => ({
    expected: `${fn} returns to its caller`,
    observed: crashText(why),
  }),
  'registers-changed': ({ registers }) => ({
    expected: 'the callee-saved registers are as before',
    observed: `${registers.join(', ')} changed`,
  }),
  'stack-pointer-differs': () => ({ expected: 'rsp is as before', observed: 'it is not' }),
  'stack-was-written-to': () => ({
    expected: "the caller's stack is as before",
    observed: 'it was written to',
  }),
  'return-value-differs': ({ fn, expected, observed }) => ({
    expected: `${fn} returns ${expected}`,
    observed: `its caller gets ${observed}`,
  }),
  'runs-differ': ({ fn, expected, observed }) => ({
    expected: `a call of ${fn} runs ${ranOf(expected)}`,
    observed: `it runs ${ranOf(observed)}`,
  }),
  'hits-differ': ({ expected, observed, ...hit }) => ({
    expected: `${hitOf(hit)} ${times(expected, 'never')}`,
    observed: times(observed, 'never'),
  }),
  'misses-differ': ({ who, nodes, calls, expected, observed }) => ({
    expected: `${who}, with ${nodes} nodes for ${calls} calls, sees ${expected.returns} returns and counts ${expected.misses} misses`,
    observed: `it sees ${observed.returns} and counts ${observed.misses}`,
  }),
  'overruns-differ': ({ who, calls, expected, observed }) => ({
    expected: `${who} sees ${expected.entries} of ${calls} calls begin and end, and trace_overrun grows by ${expected.overrun}`,
    observed: `it sees ${observed.entries} begin and ${observed.exits} end, and it grows by ${observed.overrun}`,
  }),
  'exit-without-entry': ({ who, fn, kind }) => ({
    expected: `${who} is told of no return from ${fn} that it did not follow`,
    observed: `${kind} without an entry`,
  }),
  'direct-call-differs': ({ who, expected, observed }) => ({
    expected: `${who} runs once and returns to ${expected}`,
    observed: observed.length === 0 ? 'it does not run' : `it returns to ${observed.join(', ')}`,
  }),
  'seen-while-tracing-is-off': ({ fn, who }) => ({
    expected: `nobody sees a call of ${fn}`,
    observed: `${who} does`,
  }),
  'arguments-differ': ({ who, fn, expected, observed }) => ({
    expected: `${who} sees ${fn}(${expected.map((word) => word ?? 'nothing').join(', ')})`,
    observed: `it sees ${fn}(${observed.join(', ')})`,
  }),
  'seen-return-value-differs': ({ who, fn, expected, observed }) => ({
    expected: `${who} sees ${fn} return ${expected}`,
    observed: `it sees ${observed}`,
  }),
  'cookies-differ': ({ who, fn, expected, observed }) => ({
    expected: `${who} on ${fn} has the cookie ${expected.join(' and ')}`,
    observed: `it gets ${observed.map((cookie) => cookie ?? 'none').join(' and ')}`,
  }),
  'entry-data-differs': ({ who, fn, expected, observed }) => ({
    expected: `the exit handler of ${who} finds ${expected}, which its entry handler left in this call of ${fn}`,
    observed: `it finds ${observed ?? 'nothing'}`,
  }),
  'function-ip-differs': ({ who, fn, expected, observed }) => ({
    expected: `${who} is told that it is at ${expected} (${fn})`,
    observed: `it is told ${observed ?? 'nothing'}`,
  }),
  'older-client-runs-first': ({ fn, newer, older, kind }) => ({
    expected: `${newer}, newer than ${older}, sees a call of ${fn} before it`,
    observed: `${older} (${kind}) sees it first`,
  }),
  'stages-change-places': ({ fn, first, second }) => ({
    expected: `at a call of ${fn}, ${stage(first)} comes before ${stage(second)}`,
    observed: `${stage(second)} comes first`,
  }),
  'inner-call-runs-first': ({ fn, inner, who }) => ({
    expected: `${fn} runs before it calls ${inner}`,
    observed: `${who} comes first`,
  }),
  'returns-change-places': ({ fn, first, kind, second }) => ({
    expected: `${first} is told of the return from ${fn} before ${second}`,
    observed: `${second} (${kind}) is told first`,
  }),
  'return-address-is-unknown': ({ slot, trampoline }) => ({
    expected: `the return address at ${slot} can be found`,
    observed: `nobody knows what ${trampoline} stands for`,
  }),
  'return-address-is-lost': ({ slot, leadsTo, waiting }) => ({
    expected: `the return address at ${slot} is that of everybody who replaced it`,
    observed: `it leads to ${leadsTo}, and ${waiting} wait for it in vain`,
  }),
  'function-graph-has-stopped': () => ({
    expected: 'the function graph tracer goes on',
    observed: 'it has stopped itself',
  }),
  'shadow-stack-is-not-empty': ({ frames, words }) => ({
    expected: 'the shadow stack is empty',
    observed: `it holds ${frames} frames in ${words} words`,
  }),
  'returns-stay-hooked': ({ count }) => ({ expected: 'no return is hooked', observed: `${count} are` }),
  'nodes-are-not-free': ({ pool, expected, observed }) => ({
    expected: `${pool} has ${expected} free nodes`,
    observed: `it has ${observed}`,
  }),
  'run-context-stays-set': ({ context }) => ({
    expected: 'no run context is set',
    observed: `${context} is`,
  }),
  'image-stays-entered': ({ image, refs }) => ({
    expected: `nobody is in ${image}`,
    observed: `its reference count is ${refs}`,
  }),
  'program-stays-active': ({ prog, active }) => ({
    expected: `prog#${prog} is not running`,
    observed: `its counter is ${active}`,
  }),
};

/** `prog#1 sees f1 (program at the return)`. Who has lost its address, or finds that of a replacement, names no function. */
export function hitOf({ who, fn, kind, atReturn }: ToldHit): string {
  return `${who} sees ${fn === '?' ? 'a call without its address' : fn} (${kind}${atReturn ? ' at the return' : ''})`;
}

function ranOf(ran: readonly ToldRun[]): string {
  return listed(
    ran.map((run) => (run.is === 'replacement' ? 'the replacement' : `the ${run.is} of ${run.of}`)),
    'nothing',
  );
}

function stage({ who, as }: ToldStage): string {
  return `${who} (${as})`;
}
