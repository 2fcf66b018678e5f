import { unreachable } from '../../model/core/unreachable.ts';
import { printRecord } from '../../model/ftrace/record.ts';
import { printBranch } from '../../model/text/branch.ts';
import type { SaidWords } from './said.ts';
import { listed } from './said.ts';
import type { Counter, Lead, RecordedState, StateFinding } from './state-finding.ts';

/** The words for records, text, and the pointers between them. */
export const STATE_WORDS: SaidWords<StateFinding> = {
  'record-count-differs': ({ ip, tracing, observed }) => ({
    expected: `the record of ${ip} counts ${tracing.length} (${listed(tracing, 'no ops')})`,
    observed: `it counts ${observed}`,
  }),
  'traced-without-a-client': ({ ip, count }) => ({
    expected: `no ops traces ${ip}: no client has asked for it`,
    observed: `its record counts ${count}`,
  }),
  'record-flags-differ': ({ ip, tracing, expected, observed }) => ({
    expected: `the record of ${ip}: ${printRecord(expected)}, traced by ${listed(tracing, 'no ops')}`,
    observed: printRecord(observed),
  }),
  'ops-exclude-each-other': ({ kind, ip, ops }) => ({
    expected: `at most one ${kind} ops traces ${ip}`,
    observed: `${listed(ops, 'no ops')} do`,
  }),
  'site-differs': ({ ip, tracing, expected, observed }) => ({
    expected: `${ip}, traced by ${listed(tracing, 'no ops')}, holds ${wanted(expected)}`,
    observed: `it holds ${printBranch(observed)}`,
  }),
  'site-is-not-as-recorded': ({ ip, expected, observed }) => ({
    expected: `${ip} holds ${recorded(expected)}, as its record says`,
    observed: printBranch(observed),
  }),
  'inner-call-differs': ({ call, expected, registered, observed }) => ({
    expected: `${call} calls ${expected}, with ${registered.join(', ')} registered`,
    observed: printBranch(observed),
  }),
  'private-trampoline-calls-another': ({ trampoline, expected, observed }) => ({
    expected: `${trampoline} calls ${expected}`,
    observed: `it calls ${observed}`,
  }),
  'private-trampoline-hands-another-over': ({ trampoline, expected, observed }) => ({
    expected: `${trampoline} passes ${expected}`,
    observed: `it passes ${observed ?? 'another pointer'}`,
  }),
  'filter-became-everything': ({ ops }) => ({
    expected: `${ops} traces the functions of its filter`,
    observed: 'its filter is empty: it traces everything',
  }),
  'direct-entry-differs': ({ ip, owner, expected, observed }) => ({
    expected:
      owner === null
        ? `direct_functions has no entry for ${ip}: no direct ops traces it`
        : `direct_functions maps ${ip} of ${owner} to ${expected ?? 'an address that a client requested'}`,
    observed: observed === null ? 'it has no entry' : `it maps to ${observed}`,
  }),
  'kprobe-jump-differs': ({ ip, jump }) => ({
    expected: `the kprobe at ${ip} is ${jump ? 'an int3' : 'a jump'}`,
    observed: `it is ${jump ? 'a jump' : 'an int3'}`,
  }),
  'counter-differs': ({ counter, expected, observed }) => ({
    expected: `${COUNTERS[counter]} is ${expected}`,
    observed: `it is ${observed}`,
  }),
  'graph-path-differs': ({ users, direct }) => ({
    expected: `function graph has ${listed(users, 'no user')}: calls ${users.length === 1 ? 'call it directly' : 'walk fgraph_array'}`,
    observed:
      direct === null
        ? 'they walk fgraph_array'
        : `they call ${direct.map((name) => name || 'fgraph_stub').join(' and ')} directly`,
  }),
  'ops-is-freed-on-the-list': ({ ops }) => ({
    expected: `${ops} stays allocated: it is on ftrace_ops_list`,
    observed: 'it is freed',
  }),
  'leads-to-memory-that-left': ({ from, page, state }) => ({
    expected: `the target of ${LEADS[from.is]}${from.of} ${state === 'freed' ? 'stays mapped' : 'is in use'}`,
    observed: `${page} is ${state}`,
  }),
};

function wanted(expected: Extract<StateFinding, { readonly is: 'site-differs' }>['expected']): string {
  return expected.is === 'an unrequested direct call' ? expected.is : printBranch(expected);
}

function recorded(expected: RecordedState): string {
  switch (expected.is) {
    case 'nop5':
      return 'nop5';
    case 'branch':
      return `a branch to ${expected.to}`;
    case 'missing':
      return `a branch to ${MISSING[expected.what]}, which is missing`;
    default:
      return unreachable(expected);
  }
}

const MISSING = {
  'entry of direct_functions': 'its entry of direct_functions',
  trampoline: 'the trampoline of its only ops',
} as const;

const LEADS: Readonly<Record<Lead['is'], string>> = {
  'call site': 'the call site of ',
  'direct call': 'the direct call of ',
  'BPF trampoline': 'the BPF trampoline of ',
  ops: '',
};

const COUNTERS: Readonly<Record<Counter, string>> = {
  ftrace_start_up: 'ftrace_start_up',
  ftrace_ops_list: 'the length of ftrace_ops_list',
  ftrace_graph_active: 'ftrace_graph_active',
  ftrace_suspend_notifier: 'the number of registered ftrace_suspend_notifiers',
  'subops of graph_ops': 'the number of subops of graph_ops',
  'functions of graph_ops': "the count of graph_ops' filter",
  kprobe_ftrace_enabled: 'kprobe_ftrace_enabled',
  kprobe_ipmodify_enabled: 'kprobe_ipmodify_enabled',
  'armed kprobes': 'the number of armed kprobes',
  nr_fgraph_fprobes: 'nr_fgraph_fprobes',
  nr_ftrace_fprobes: 'nr_ftrace_fprobes',
};
