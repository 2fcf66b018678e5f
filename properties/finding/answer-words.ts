import { crashText } from '../../model/core/crash-words.ts';
import { unreachable } from '../../model/core/unreachable.ts';
import { warningText } from '../../model/core/warning-words.ts';
import type { AnswerFinding, LackShown, Leftover, Servers, ToldAnswer } from './answer-finding.ts';
import type { SaidWords } from './said.ts';
import { listed, times } from './said.ts';
import { printPlace, printValue } from './value.ts';

/** The words for answers, and for what a client's call leaves behind. */
export const ANSWER_WORDS: SaidWords<AnswerFinding> = {
  'ftrace-is-dead': ({ warning }) => ({
    expected: 'ftrace stays alive',
    observed: `it is dead: ${warning === null ? 'no warning' : warningText(warning)}`,
  }),
  'call-warns': ({ action, warnings }) => ({
    expected: `no warning in ${action === 'call' ? 'the call' : action}`,
    observed: warnings.map(warningText).join('; '),
  }),
  'ftrace-is-alive-again': () => ({ expected: 'ftrace stays dead', observed: 'it is alive again' }),
  'dead-ftrace-changes': ({ place, expected, observed }) => ({
    expected: `${printPlace(place)} stays ${printValue(expected)} while ftrace is dead`,
    observed: `it is ${printValue(observed)}`,
  }),
  'dead-ftrace-keeps-ops': ({ ops }) => ({
    expected: `${ops} has left ftrace_ops_list: ftrace died over it`,
    observed: 'it is on the list',
  }),
  'dead-ftrace-accepts': ({ action }) => ({
    expected: `${action} is refused while ftrace is dead`,
    observed: 'it returns 0',
  }),
  'operation-dies': ({ action, died }) => ({ expected: `${action} returns`, observed: crashText(died) }),
  'refusal-leaves-a-trace': ({ errno, changes: [first] }) => ({
    expected: `${errno}, and ${printPlace(first.place)} stays ${printValue(first.expected)}`,
    observed: `it is ${printValue(first.observed)}`,
  }),
  'detaching-needs-memory': ({ action, routine, shown }) => ({
    expected: `${action} succeeds although ${routine} gets no memory`,
    observed: lack(shown),
  }),
  'detaching-dies': ({ action, died }) => ({
    expected: `${action} completes while every client detaches`,
    observed: crashText(died),
  }),
  leftovers: ({ what: [first] }) => ({
    expected: 'nothing is left after every client has detached',
    observed: `${LEFT[first.is](first.of)} is left`,
  }),
  'object-is-accepted': ({ action, object, registered }) => ({
    expected: `${action} refuses ${object}, which is ${registered ? '' : 'not '}registered`,
    observed: 'it returns 0',
  }),
  'errno-differs': ({ action, because, allowed, observed }) => ({
    expected: `${action} returns ${allowed.length === 0 ? 'another errno' : allowed.join(' or ')}: ${because}`,
    observed: `it returns ${observed}`,
  }),
  'client-is-not-served': ({ who, ip, servers, tracing }) => ({
    expected: `${who} is attached to ${ip}: ${server(servers)} traces it`,
    observed: `it is traced by ${listed(tracing, 'no ops')}`,
  }),
  'pokes-differ': ({ action, ip, expected, observed }) => ({
    expected:
      expected === 0
        ? `${action} does not poke the call site of ${ip}`
        : `${action} pokes the call site of ${ip} at most ${times(expected)}`,
    observed: `it does ${times(observed)}`,
  }),
  'answers-depend-on-the-order': ({ action, expected, observed }) => ({
    expected: `${action ?? 'a later call'} gives ${told(expected)} in either order`,
    observed: `in the other order it gives ${told(observed)}`,
  }),
  'state-depends-on-the-order': ({ place, expected, observed }) => ({
    expected: `${printPlace(place)} is ${printValue(expected)} in either order`,
    observed: `in the other order it is ${printValue(observed)}`,
  }),
};

function lack(shown: LackShown): string {
  switch (shown.is) {
    case 'errno':
      return `it returns ${shown.errno}`;
    case 'warning':
      return warningText(shown.warning);
    case 'stays with its manager':
      return `${shown.subops.join(', ')} stays with its manager`;
    default:
      return unreachable(shown);
  }
}

function server(servers: Servers): string {
  return typeof servers === 'string' ? servers : servers.join(' or ');
}

function told(answer: ToldAnswer): string {
  switch (answer.is) {
    case 'answer':
      return String(answer.errno);
    case 'died':
      return crashText(answer.died);
    case 'event': {
      const { who, kind, fn, args = [], ret = '' } = answer;
      return [who, `(${kind})`, fn, ...args, ret].join(' ').trim();
    }
    case 'fault':
      return crashText(answer.fault);
    case 'gone':
      return 'gone';
    case 'returned':
      return answer.rax;
    case 'no more':
      return 'no more';
    default:
      return unreachable(answer);
  }
}

const LEFT: Readonly<Record<Leftover['is'], (of: string) => string>> = {
  breakpoint: (ip) => `the breakpoint at ${ip}`,
  'call site': (ip) => `the patched call site of ${ip}`,
  record: (ip) => `state in the record of ${ip}`,
  page: (name) => `the page of ${name}`,
  ops: (name) => `${name} on ftrace_ops_list`,
  'direct entry': (ip) => `${ip} in direct_functions`,
  'lost direct entry': (ip) => `the removed entry of ${ip}`,
  descriptor: (addr) => `the descriptor of ${addr}`,
  subops: (name) => `${name} in the list of graph_ops`,
  ftrace_graph_active: () => 'ftrace_graph_active',
  'notifier of suspends': () => 'ftrace_suspend_notifier',
  kprobe: (ip) => `a kprobe of ${ip}`,
  'optimised kprobe': (name) => name,
  pool: (name) => `the pool of ${name}`,
  fprobe: (name) => `${name} on the list of fprobes`,
  trampoline: (target) => `the trampoline of ${target}`,
  image: (name) => name,
  link: (name) => name,
  program: (name) => name,
  'deferred routine': (routine) => `a pending ${routine}`,
  'module reference': (name) => `a reference on ${name}`,
  'batch of pokes': () => 'a batch of pokes',
  'CPU in the int3 handler': () => 'a CPU in the int3 handler',
  filter: (name) => `a function in the filter of ${name}`,
  'enabled ops': (name) => `FTRACE_OPS_FL_ENABLED of ${name}, which is not on ftrace_ops_list`,
  'replaced hash': (number) => `hash ${number}, which was replaced`,
  'replaced direct_functions': (number) => `table ${number}, an earlier direct_functions`,
  'slot of fgraph_array': (name) => `${name} in fgraph_array`,
  'probe of sched_switch': () => 'ftrace_graph_probe_sched_switch()',
  'return frame': (fn) => `a frame of ${fn} on the shadow stack`,
  'armed kprobe': (name) => `the count of kprobes of ${name}`,
  'return hook': (fn) => `a hooked return of ${fn}`,
  'fprobe node': (name) => `an fprobe of ${name}`,
  'registered fprobe ops': (name) => `${name}, which is registered`,
  probe: (name) => `a probe of ${name}`,
  'array of probes': (name) => `${name}, an array of probes`,
  'array of programs': (name) => `${name}, an array of programs`,
  'perf event': (name) => name,
  device: (name) => `the program of ${name}`,
  'dispatched program': (name) => `${name} in the dispatcher`,
  'static call': () => 'the static call of the dispatcher, which goes to an image',
  'object of the design': (name) => name,
  lock: (name) => name,
};
