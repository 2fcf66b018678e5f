import { describe, expect, test } from 'vitest';
import { PT_REGS } from '../ftrace/entry/frame.ts';
import { opsInnerCallOffset, opsTrampoline } from '../ftrace/entry/ops-trampoline.ts';
import {
  FUNCTIONS,
  HOOKS,
  hex,
  patch,
  requestOf,
  returnOf,
  withHooks,
  words,
  worldOf,
} from '../testing/call-rig.ts';
import type { Cpu } from '../text/cpu.ts';
import { addressOf, branchBytes } from '../text/space.ts';
import type { TextWorld } from '../text/text.ts';
import { allocatePage, writeText } from '../text/text.ts';
import { RCX, RDX } from '../x86/register.ts';
import { fromHex, plus, toHex } from '../x86/word.ts';
import { runCall } from './call.ts';

const OPS = '0xffff888012345678';
const PAGE = 'ops#1.trampoline';

/** A state in which f6 calls the own trampoline of an ops, whose handler is kprobe_ftrace_handler(). */
function traced(regs: boolean): TextWorld {
  const k = worldOf('6.12');
  allocatePage(k, PAGE, '');
  const handler = addressOf(k, 'kprobe_ftrace_handler');
  k.text.pages[PAGE]!.bytes = opsTrampoline(regs, addressOf(k, PAGE), handler, fromHex(OPS));
  patch(k, 'f6', PAGE);
  return k;
}

describe.each([
  ['ftrace_caller', false],
  ['ftrace_regs_caller', true],
])("an ops's own copy of %s", (_, regs) => {
  function call(k: TextWorld, handler: (cpu: Cpu) => void) {
    const called: string[] = [];
    const as = (name: string) => (__: TextWorld, cpu: Cpu) => {
      called.push(`${name} ${toHex(cpu.register(RDX))}`);
      handler(cpu);
    };
    const hooks = { ...HOOKS, kprobe_ftrace_handler: as('kprobe'), fprobe_handler: as('fprobe') };
    return { ...runCall(k, FUNCTIONS, requestOf('f6', words(6)), withHooks(hooks)), called };
  }

  test('calls the handler with the pointer to the ops, and the function is not disturbed', () => {
    expect(call(traced(regs), () => {})).toMatchObject({
      called: [`kprobe ${OPS}`],
      rax: hex(returnOf('f6', words(6))),
      fault: undefined,
      calleeSaved: [],
      stackBalanced: true,
    });
  });

  test('calls another handler after its inner call was poked', () => {
    const k = traced(regs);
    const offset = opsInnerCallOffset(regs);
    const from = plus(addressOf(k, PAGE), offset);
    writeText(
      k,
      { kind: 'page', name: PAGE, offset },
      0,
      branchBytes('e8', from, addressOf(k, 'fprobe_handler')),
    );
    expect(call(k, () => {}).called).toEqual([`fprobe ${OPS}`]);
  });

  test('makes no direct call, whatever its handler leaves in the frame', () => {
    const run = call(traced(regs), ({ register, write }) => {
      write(plus(register(RCX), PT_REGS.ORIG_RAX), fromHex('0x1234'));
    });
    expect(run).toMatchObject({ rax: hex(returnOf('f6', words(6))), fault: undefined });
  });

  test('sends the call elsewhere', () => {
    const k = traced(regs);
    const run = call(k, ({ register, write }) => {
      write(plus(register(RCX), PT_REGS.RIP), addressOf(k, 'replacement'));
    });
    expect(run.events.map(({ kind }) => kind)).toEqual(['replacement']);
  });
});
