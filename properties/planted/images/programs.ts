import type { Item } from '../../../model/trampoline/item.ts';
import { TRACED } from '../../../model/trampoline/plan/symbols.ts';
import { EVENT, EVENT_WORDS } from '../../../model/trampoline/stage/event.ts';
import { CELL } from '../../../model/trampoline/stage/layout.ts';
import { closeEvent, note, noteMemory, openEvent } from '../../../model/trampoline/stage/stubs.ts';
import type { Assembler } from '../../../model/x86/assemble.ts';
import { R11, RAX, RDI, RDX, RSI } from '../../../model/x86/register.ts';
import { plus } from '../../../model/x86/word.ts';
import { enterAndExitArePaired } from '../../trampoline/enter-and-exit-are-paired.ts';
import { functionIpAndArgumentCount } from '../../trampoline/function-ip-and-argument-count.ts';
import { patchPointsAreSafe } from '../../trampoline/patch-points-are-safe.ts';
import { programRunsIffEntered } from '../../trampoline/program-runs-iff-entered.ts';
import { programsRunInOrder } from '../../trampoline/programs-run-in-order.ts';
import { runContextHoldsTheCookie } from '../../trampoline/run-context-holds-the-cookie.ts';
import { sessionCookiesAreSeparate } from '../../trampoline/session-cookies-are-separate.ts';
import { editItems, editParts, misplace } from './edit.ts';
import type { Planted } from './planted.ts';

/** Faults in how programs are entered, run and exited, and in what they get. */
export const PLANTED_PROGRAMS: readonly Planted[] = [
  {
    name: 'exit-skipped-when-missed',
    sentence: 'Exit is not called for a program that enter refused.',
    history: 'bpf: Invoke __bpf_prog_exit_sleepable_recur() on recursion in kern_sys_bpf() (6.6, 6.1.55)',
    law: enterAndExitArePaired,
    smallest: '6.12: -> u64; fentry',
    tools: editItems(skipToTheEnd),
  },
  {
    name: 'exit-of-the-other-program',
    sentence: 'Exit gets the program that was entered first.',
    history: undefined,
    law: enterAndExitArePaired,
    smallest: '6.12: -> u64; fentry, fentry',
    tools: editItems((items) => {
      const first = items.find(({ role, op }) => role === 'exit program' && op === 'address')?.symbol ?? '';
      return items.map((item) =>
        item.role === 'exit program' && item.op === 'address' ? { ...item, symbol: first } : item,
      );
    }),
  },
  {
    name: 'program-runs-when-missed',
    sentence: 'The return value of enter is ignored.',
    history: undefined,
    law: programRunsIffEntered,
    smallest: '6.12: -> u64; fentry',
    tools: editItems((items) => items.filter(({ op }) => op !== 'ifZero')),
  },
  {
    name: 'oldest-first',
    sentence: 'Programs run in attach order.',
    history: undefined,
    law: programsRunInOrder,
    smallest: '6.12: -> u64; fentry, fentry',
    tools: editParts((parts) => {
      const { fentry, fmodRet, fexit } = parts.lists;
      const lists = { fentry: fentry.toReversed(), fmodRet: fmodRet.toReversed(), fexit: fexit.toReversed() };
      return { ...parts, lists };
    }),
  },
  {
    name: 'context-saved-after-the-recursion-test',
    sentence:
      'When enter detects a recursion it does not save the outer run context, which exit then restores.',
    history: 'bpf: Assign bpf_tramp_run_ctx::saved_run_ctx before recursion check (6.6, 6.1.55)',
    law: runContextHoldsTheCookie,
    smallest: '6.12: -> u64; fentry',
    emitters: (emitters) => ({ ...emitters, enter: enterThatSavesLate }),
  },
  {
    name: 'cookie-of-the-first-program',
    sentence: 'Every run context holds the cookie of the program that runs first.',
    history: undefined,
    law: runContextHoldsTheCookie,
    smallest: '6.12: -> u64; fentry cookie=0x1, fentry',
    tools: editItems((items) => {
      const first = items.find(({ role, op }) => role === 'store cookie' && op === 'constant');
      const isCookie = ({ role, op }: Item) => role === 'store cookie' && op === 'constant';
      return items.map((item) =>
        first !== undefined && isCookie(item) ? { ...item, value: first.value } : item,
      );
    }),
  },
  {
    name: 'ip-of-the-call-site',
    sentence: 'bpf_get_func_ip() returns the address of the call site.',
    history: 'bpf: Adjust kprobe_multi entry_ip for CONFIG_X86_KERNEL_IBT (6.1)',
    law: functionIpAndArgumentCount,
    smallest: '6.12: -> u64; fentry get_func_ip',
    tools: misplace(TRACED, (resolve) => plus(resolve(TRACED)!, 4)),
  },
  {
    name: 'session-return-flag-not-set',
    sentence: 'ctx[−1] is the same in both halves of a session.',
    history: undefined,
    law: functionIpAndArgumentCount,
    smallest: '7.2: -> u64; fsession',
    tools: editItems((items) =>
      items.filter(({ role, index }) => role !== 'store session state' || index !== 0),
    ),
  },
  {
    name: 'session-cookies-share-a-word',
    sentence: "All sessions get the location of the first session's cookie.",
    history: undefined,
    law: sessionCookiesAreSeparate,
    smallest: '7.2: -> u64; fsession session_cookie, fsession session_cookie',
    tools: editItems((items) => items.map((item) => (isCookiePlace(item) ? firstPlace(items, item) : item))),
  },
  {
    name: 'session-cookie-not-cleared',
    sentence: 'The session cookies are not cleared before the first program.',
    history: undefined,
    law: sessionCookiesAreSeparate,
    smallest: '7.2: -> u64; fsession session_cookie',
    tools: editItems((items, { frame }) =>
      items.filter(
        ({ role, op, at: index }) => role !== 'clear session' || op !== 'store' || index === frame.returnAt,
      ),
    ),
  },
  {
    name: 'nop-before-the-store',
    sentence: 'The patchable nop after the original call comes before the store of its return value.',
    history: undefined,
    law: patchPointsAreSafe,
    smallest: '6.12: -> u64; fexit',
    tools: editItems((items) => moveBefore(items, 'after-call nop', 'store original return')),
  },
  {
    name: 'skip-nop-after-enter',
    sentence:
      'The nop that skips a program comes after its enter: a skipped program is entered and not exited.',
    history: undefined,
    law: patchPointsAreSafe,
    smallest: '7.2: -> u64; fentry',
    tools: editItems(nopBehindEnter),
  },
];

/** The constant that locates a session's cookie, in either half. */
function isCookiePlace({ role, op, index }: Item): boolean {
  return role === 'store session state' && op === 'constant' && index !== 0;
}

/** The first such constant of the same half. */
function firstPlace(items: readonly Item[], { value }: Item): Item {
  return items.find((item) => isCookiePlace(item) && item.value.hi === value.hi)!;
}

/** The label that skips a refused program moves past the call of exit. */
function skipToTheEnd(items: readonly Item[]): Item[] {
  const moved: Item[] = [];
  let label: Item | undefined;
  for (const item of items) {
    if (item.role === 'skip program' && item.op === 'label') label = item;
    else moved.push(item);
    if (item.role === 'exit program' && item.op === 'call' && label !== undefined) moved.push(label);
  }
  return moved;
}

function moveBefore(items: readonly Item[], role: Item['role'], before: Item['role']): Item[] {
  const moved = items.filter((item) => item.role === role);
  return items.flatMap((item) => {
    if (item.role === role) return [];
    return item.role === before ? [...moved, item] : [item];
  });
}

function nopBehindEnter(items: readonly Item[]): Item[] {
  const moved: Item[] = [];
  let nop: Item | undefined;
  for (const item of items) {
    if (item.role === 'skip nop') nop = item;
    else moved.push(item);
    if (item.role === 'enter program' && item.op === 'call' && nop !== undefined) moved.push(nop);
  }
  return moved;
}

/** The former __bpf_prog_enter_recur(): the outer context is saved only when the program may run. */
function enterThatSavesLate(a: Assembler, name: string, sleepable: number): void {
  const missed = `${name} missed`;
  a.label(name);
  a.label(`choose start ${sleepable}`);
  openEvent(a, EVENT.ENTER | (sleepable << 8));
  note(a, 2, RDI);
  note(a, 3, RSI);
  noteMemory(a, 4, RSI, 0);
  a.load(RDX, RDI, 0);
  note(a, 5, RDX);
  a.test(RDX);
  a.jumpIfZeroShort(missed);
  a.load(RAX, R11, CELL.TASK_CONTEXT);
  a.store(RSI, 8, RAX);
  a.label(missed);
  a.store(R11, CELL.TASK_CONTEXT, RSI);
  a.mov(RAX, RDX);
  closeEvent(a, EVENT_WORDS.ENTER, [RAX]);
}
