import type { Action } from '../model/client/all.ts';
import { ALL_CALLS } from '../model/client/all.ts';
import type { ClientCall } from '../model/client/client-call.ts';
import { examplesOf } from '../model/client/examples.ts';
import { KERNELS } from '../model/core/profile.ts';

/** The form of a sequence: the example of the page, which a test plays. */
export const EXAMPLE = `# A direct call, and a kprobe with a post_handler beside it.
kernel   7.2

f1 = function(u64, ptr -> s32)
f2 [m1] = function(u64 -> u64)           # in a module

direct#1 = ftrace_ops(DIRECT)
update_ftrace_direct_add(direct#1, { f1: my_tramp1 })    = 0
register_kprobe(kprobe#1, f1, post_handler)
task#1 calls f1(0x1, 0x2)
`;

const FORM = `# The language of traces

A file says what clients do to one kernel, one call a line. Nothing is skipped: an unknown word or flag, an undeclared name, and any text
after the end of a call are refused with line and column.

\`\`\`text
${EXAMPLE}\`\`\`

A file has 10,000 calls and 4,000 functions at most; [\`cost\`](commands/cost.md) takes lists of more functions.

\`npm run check -- FILE\` checks every law: the answer of each step and what it changes, which laws it breaks, whether that is
a known bug, and what the other kernels do. \`explain FILE\` walks through each call, or through the moves of an interleaving; \`why FILE\`,
or \`why FILE:STEP\`, names what refused a call; \`replay FILE\` repeats a saved one.

## The form of a file

| | |
|---|---|
| \`# …\` | a comment, at the beginning of a line or after a space |
| \`kernel 6.12\` | the header, up to a blank line: a kernel, or one with overridden behaviours, as \`--list\` names them (\`6.12, imageLifecycle = C\`), or \`all\`, for each of them |
| \`law\`, \`known\`, \`found\`, \`planted\`, \`others\` | further fields of the header, in saved files: the law that is broken, the known breach that it is, how it was found, the planted bug of the kernel, and of an interleaving whether the other kernels break the law |
| \`f1 = function(u64, ptr -> s32)\` | a kernel function: any name, the types of its arguments, what it returns (\`void\` for nothing); \`noreturn\` after it, and the list of the verifier that it is on, which says which programs it takes: \`security\`, \`kfunc\`, \`syscall\`, \`unlisted\`; of a hook of BPF LSM \`lsm\`, \`sleepable_lsm\`, \`bool_lsm\`, \`disabled_lsm\` |
| \`f2 [m1] = function(u64 -> u64)\` | one of a module, which is loaded at the beginning |
| \`rec = function(u64 -> u64)\` | one that calls itself, as often as its argument says, up to seven times: the name \`rec\` is reserved for it |
| \`ca = function(u64 x3 -> u64)\` | one that calls \`cb(a1, a2)\` and then \`f2\`; \`cb = function(u64 x2 -> u64)\` calls \`f1(a1 + a2)\`; those have to be declared |
| \`eth0 = function(u64 -> u64)\` | a device, to \`eth9\`: its argument is a packet, for which it calls \`bpf_dispatcher_xdp_func\` if it has an XDP program: [an example](examples/xdp.scenario) |
| \`bpf_dispatcher_xdp_func = function(ptr x3 -> u32)\` | jumps to the program of the device that calls it; tasks do not |
| \`p1 = program(u64 -> u64)\` | a loaded BPF program that others attach to |
| \`tp1 = tracepoint(u64, ptr)\` | a tracepoint; \`faultable\` after it |
| \`CALL\`, \`CALL = -EBUSY\` | what a client does, and the expected answer; without one, any will do |
| \`----…\` | eighty of them end the program; the saved report follows |

Blanks and tabs are free at brackets, commas and equals signs, and at both ends of a line; lines may end as on Windows.
Options of a call are in any order.

Types are \`u8\` … \`u64\`, \`s8\` … \`s64\`, \`ptr\`, \`bool\`, \`u128\`, \`s128\`, \`s<N>b\` for a struct of N bytes; \`u64 x3\` is three of
them. A call gives a word for each argument word: \`0x1001\`, or in decimal \`4097\`, \`-1\`.

Objects are called by their kind and a number: \`ops#1\`, \`direct#1\` (an ops for direct calls), \`gops#1\` and its filter
\`gops#1.ops\`, \`kprobe#1\`, \`kretprobe#1\`, \`fprobe#1\`, \`prog#1\`, \`link#1\`, \`data#1\`. Trampolines of clients are \`my_tramp1\` to
\`my_tramp3\`, their probes on tracepoints \`my_probe1\` to \`my_probe3\`, an image \`tramp#1\`. Three names are for what is
refused: \`no_such_function\`, \`no_such_tracepoint\`, and \`not_a_site\`, an address where no call site is.

## Calls
`;

/** What a scenario looks like: `docs/examples/kretprobe.scenario`, which a test explores. */
export const SCENARIO = `# A kretprobe is freed as soon as it is unregistered, while a task sleeps in the function.
kernel   6.12

f1 = function(u64 -> u64)

register_kretprobe(kretprobe#1, f1, maxactive=1, entry_handler)

client#1: unregister_kretprobe(kretprobe#1)
client#1: kfree(kretprobe#1)
task#1 (asleep at body_hook): f1(0x1001)
`;

const TASKS = `
## Scenarios

In a scenario, calls name their client or task: then they overlap, and \`npm run check -- explore FILE\` checks every interleaving of their
steps, with all laws of interleavings. A sequence names neither.

\`\`\`text
${SCENARIO}\`\`\`

| | |
|---|---|
| \`cpus 2\` | in the header: the number of CPUs (default: 1) |
| \`retries after EAGAIN\` | in the header: a client that is answered EAGAIN tries again |
| \`grain instruction\` | in the header: calls are cut at every instruction, not only where another task can observe it |
| \`CALL\`, \`CALL = 0\` | calls without a client come first and run, each to its end, before the clients begin. They have to succeed; there is no other set-up |
| \`client#1: register_kprobe(kprobe#1, f1)\` | a client does its calls one after the other, up to seven; up to eight clients at the same time |
| \`task#1: f1(0x1001)\` | a task makes one call, or hits a tracepoint; up to eight tasks |
| \`task#1: rec(0x1)\` | a call of \`rec\`, \`ca\` or \`cb\` makes further ones, each of which is seen as before an operation or as after it, by itself: [an example](examples/nested.scenario) |
| \`task#1 (idle): …\` | the idle task, for which no grace period of RCU-tasks waits |
| \`task#1 (asleep at prog#1): …\`, \`(preempted at tramp#1+0x4)\` | a task that is within its call at the start, and where: before a program, before the function's body (\`body_hook\`), before an instruction |
| \`task#1 (interrupted by f2(0x1)): …\` | an interrupt on top of the call may come at any point of it, once, and makes another |
| \`task#1 (interrupted early by f2(0x1)): …\` | the same, before \`preempt_count\` counts the interrupt (\`irq_enter_rcu()\`) |
| \`task#1 (interrupted by an NMI: f2(0x1)): …\` | the same for an NMI, which may also come on top of an interrupt |
| \`task#1 (interrupted by a soft interrupt: f2(0x1)): …\` | the same for a soft interrupt, into which an interrupt and an NMI may come |
| \`task#1 (idle; interrupted by f2(0x1)): …\` | idle, and interrupted |

What no client does is refused, since a breach would show nothing else: a call of a function whose module is loaded or unloaded
meanwhile (a caller holds the module), an interrupt that does not return, an idle task beside anything but ops with handlers, a link or a
program created twice under one name. A client that uses a link or a program which another creates waits for it.

Grace periods end by themselves, when no task holds them up. Answers depend on the order, and are not stated. An operation that is refused
in its first step in every order overlaps with nothing: the report says so, and where no operation overlaps with anything the scenario is
vacuous (exit code 4). A known bug of the kernel is named, also if the same calls show it one after the other, and leaves the exit
code 0, as for built-in scenarios; a new one is reported with the shortest schedule, and saved below \`attachcheck-results/\`. \`--depth\`, \`--states\`, \`--max-time\`, \`--workers\`, \`--checkpoint\` and \`--resume\`, \`--law\`, \`--planted\` and
\`--kernel\` are those of \`explore\`. A saved interleaving is a scenario as well: its schedule is skipped.

## What cannot be said

[The scope](scope.md#what-a-trace-cannot-express) lists it, with everything that the model leaves out.
`;

/** The page, with every call that some kernel has. */
export function printTracesPage(): string {
  const rows = ALL_CALLS.map((call) => `| ${rowOf(call).map(cell).join(' | ')} |`);
  return `${FORM}\n| call | |\n|---|---|\n${rows.join('\n')}\n${TASKS}`;
}

/** A bar ends a cell. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

function rowOf(call: ClientCall<Action>): [line: string, text: string] {
  const [newest, ...older] = spellingsOf(call);
  if (newest === undefined) throw new Error('a call that no kernel has');
  const [first = '', ...more] = newest.lines;
  const having = [newest, ...older].flatMap(({ kernels }) => kernels);
  const only = having.length < KERNELS.length ? [`Only ${having.join(', ')}.`] : [];
  const also = [
    ...more.map((line) => `\`${line}\``),
    ...older.map(({ lines, kernels }) => `in ${kernels.join(', ')} \`${lines[0]}\``),
  ];
  return [
    `\`${first}\``,
    [call.sentence, ...only, ...(also.length > 0 ? [`Also ${also.join(', ')}.`] : [])].join(' '),
  ];
}

/** How a call is written, and in which kernels so. */
interface Spelled {
  readonly kernels: string[];
  readonly lines: readonly string[];
}

/** The ways in which a call is written; the newest kernel's first. */
function spellingsOf(call: ClientCall<Action>): readonly Spelled[] {
  const ways: Spelled[] = [];
  for (const kernel of KERNELS.toReversed()) {
    const lines = examplesOf(call, kernel);
    if (lines.length === 0) continue;
    const same = ways.find((way) => way.lines[0] === lines[0]);
    if (same === undefined) ways.push({ kernels: [kernel], lines });
    else same.kernels.push(kernel);
  }
  return ways;
}
