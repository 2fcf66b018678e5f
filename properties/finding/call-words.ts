import { crashText } from '../../model/core/crash-words.ts';
import type { Current } from '../../model/task/current.ts';
import type { CallFinding, ToldHit, ToldRun, ToldStage } from './call-finding.ts';
import type { SaidWords } from './said.ts';
import { listed, times } from './said.ts';

/** The words for calls, and for what clients see of them. */
export const CALL_WORDS: SaidWords<CallFinding> = {
  'call-does-not-return': ({ fn, why }) => ({
    expected: `${fn} returns to its caller`,
    observed: crashText(why),
  }),
  'registers-changed': ({ registers }) => ({
    expected: 'the callee-saved registers are preserved',
    observed: `${registers.join(', ')} changed`,
  }),
  'stack-pointer-differs': () => ({ expected: 'rsp is preserved', observed: 'it is not' }),
  'stack-was-written-to': () => ({
    expected: "the caller's stack is preserved",
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
    expected: hitOf(hit, expected),
    observed: observed === 0 ? 'it never does' : `it does ${times(observed)}`,
  }),
  'misses-differ': ({ who, nodes, calls, expected, observed }) => ({
    expected: `${who}, with ${nodes} nodes for ${calls} calls, sees ${expected.returns} returns and counts ${expected.misses} misses`,
    observed: `it sees ${observed.returns} and counts ${observed.misses}`,
  }),
  'counted-misses-differ': ({ who, expected, observed }) => ({
    expected: `${who} misses ${expected} of its calls, and counts ${expected}`,
    observed: `it counts ${observed}`,
  }),
  'overruns-differ': ({ who, calls, expected, observed }) => ({
    expected: `${who} sees entry and return of ${expected.entries} of ${calls} calls, and trace_overrun grows by ${expected.overrun}`,
    observed: `it sees the entry of ${observed.entries} and the return of ${observed.exits}, and trace_overrun grows by ${observed.overrun}`,
  }),
  'exit-without-entry': ({ who, fn, kind }) => ({
    expected: `${who} sees no return from ${fn} whose entry it did not see`,
    observed: `${kind} without an entry`,
  }),
  'direct-call-differs': ({ who, expected, observed }) => ({
    expected: `${who} runs once and returns to ${expected}`,
    observed: observed.length === 0 ? 'it does not run' : `it returns to ${observed.join(', ')}`,
  }),
  'seen-while-tracing-is-off': ({ fn, who }) => ({
    expected: `no client sees a call of ${fn}`,
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
    expected: `the exit handler of ${who} gets ${expected}, which its entry handler stored in this call of ${fn}`,
    observed: `it gets ${observed ?? 'nothing'}`,
  }),
  'function-ip-differs': ({ who, fn, expected, observed }) => ({
    expected: `bpf_get_func_ip() returns ${expected} (${fn}) to ${who}`,
    observed: `it returns ${observed ?? 'nothing'}`,
  }),
  'event-runs-another-program': ({ who, fn, expected, observed }) => ({
    expected: `${who} runs ${expected} at ${fn}`,
    observed: `it runs ${observed === '' ? 'no program' : observed}`,
  }),
  'older-client-runs-first': ({ fn, newer, older, kind }) => ({
    expected: `${newer}, newer than ${older}, sees a call of ${fn} first`,
    observed: `${older} (${kind}) sees it first`,
  }),
  'stages-change-places': ({ fn, first, second }) => ({
    expected: `in a call of ${fn}, ${stage(first)} runs before ${stage(second)}`,
    observed: `${stage(second)} runs first`,
  }),
  'inner-call-runs-first': ({ fn, inner, who }) => ({
    expected: `${fn} runs before it calls ${inner}`,
    observed: `${who} runs first`,
  }),
  'returns-change-places': ({ fn, first, kind, second }) => ({
    expected: `${first} sees the return from ${fn} before ${second}`,
    observed: `${second} (${kind}) sees it first`,
  }),
  'return-address-is-unknown': ({ slot, trampoline }) => ({
    expected: `the return address at ${slot} can be recovered`,
    observed: `no record of the address that ${trampoline} replaced`,
  }),
  'return-address-is-lost': ({ slot, leadsTo, waiting }) => ({
    expected: `the return address at ${slot} reaches every hook that replaced it`,
    observed: `it points to ${leadsTo}, past ${waiting} of the hooks`,
  }),
  'function-graph-has-stopped': () => ({
    expected: 'function graph keeps running',
    observed: 'it has stopped',
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
  'task-stays-in-a-section': ({ field, value }) => ({
    expected: `${SECTIONS[field]} is 0 after the call`,
    observed: `it is ${Number(value)}`,
  }),
  'run-context-stays-set': ({ context }) => ({
    expected: 'no run context is set',
    observed: `${context} is`,
  }),
  'image-stays-entered': ({ image, refs }) => ({
    expected: `no task is in ${image}`,
    observed: `its reference count is ${refs}`,
  }),
  'program-stays-active': ({ prog, active }) => ({
    expected: `prog#${prog} is not active`,
    observed: `its active count is ${active}`,
  }),
};

/** `prog#1 never sees f1 (program at the return)`. An event without the address of its call names no function. */
export function hitOf({ who, fn, kind, atReturn }: ToldHit, count?: number): string {
  const never = count === 0 ? ' never' : '';
  const often = count === undefined || count === 0 ? '' : ` ${times(count)}`;
  const call = fn === '?' ? 'a call without its address' : fn;
  return `${who}${never} sees ${call}${often} (${kind}${atReturn ? ' at the return' : ''})`;
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

/** What a task leaves with a call, by the kernel's names. */
const SECTIONS: Readonly<Record<keyof Current, string>> = {
  preemptOff: 'preempt_count',
  rcu: 'the nesting of rcu_read_lock()',
  rcuTrace: 'the nesting of rcu_read_lock_trace()',
  migrateOff: 'the nesting of migrate_disable()',
  context: 'interrupt_context_level()',
  early: 'an interrupt that preempt_count does not count',
  recursion: 'trace_recursion',
  kprobe: 'current_kprobe',
  bpfProgActive: 'bpf_prog_active',
  perfRecursion: 'the recursion context of perf events',
};
