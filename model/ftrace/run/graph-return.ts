import { profileNamed } from '../../core/profile.ts';
import { routine } from '../../core/routine.ts';
import { warn } from '../../core/world.ts';
import type { Cpu } from '../../text/cpu.ts';
import { addressOf } from '../../text/space.ts';
import { RAX, RDI } from '../../x86/register.ts';
import { fromHex, plus, toHex } from '../../x86/word.ts';
import { PT_REGS } from '../entry/frame.ts';
import type { RetStackFrame } from '../fgraph.ts';
import type { ProbeWorld } from '../probes.ts';
import { fprobeExit } from './fprobes.ts';
import { popFrame } from './graph.ts';

interface Return {
  readonly cpu: Cpu;
  /** The frame of the call that returns, and what it returns. */
  frame?: RetStackFrame | undefined;
  ret?: string;
}

/** ftrace_return_to_handler(): tells everybody whose bit is set, and gives the real return address. */
export const ftraceReturnToHandler = routine<ProbeWorld, Return>(
  'ftrace_return_to_handler',
  ({ step, when }) => [
    step('find the frame', (k, at) => {
      at.frame = k.fgraph.retStack.at(-1);
      at.ret = toHex(at.cpu.read(plus(at.cpu.register(RDI), PT_REGS.RAX)));
    }),
    when(
      'there is none',
      (_, { frame }) => frame === undefined,
      [step('stop the tracer', stopTracer)],
      [
        step('tell the users', tellUsers),
        step('give the return address', (_, { cpu, frame }) => cpu.setRegister(RAX, fromHex(frame!.ret))),
        step('pop the frame', popFrame),
      ],
    ),
  ],
);

function stopTracer(k: ProbeWorld, { cpu }: Return): void {
  k.fgraph.stopped = true;
  warn(k, 'a return is not on the shadow stack (ftrace_return_to_handler)');
  cpu.setRegister(RAX, addressOf(k, 'panic'));
}

/** Until 6.10 there is one user, who accepted if there is a frame. */
function tellUsers(k: ProbeWorld, at: Return): void {
  const { doDirect, directGops, array, gops } = k.fgraph;
  const single = profileNamed(k.profile).fgraph === 'single';
  for (const name of single || doDirect ? [directGops] : array) {
    if (name === '' || !(single || (at.frame!.bitmap & (1 << gops[name]!.idx)) !== 0)) continue;
    tellUser(k, at, name);
  }
}

/** A user's return handler. */
function tellUser(k: ProbeWorld, { cpu, frame, ret }: Return, name: string): void {
  const { func } = frame!;
  if (k.fgraph.gops[name]!.kind === 'fprobe') fprobeReturn(k, cpu, name, frame!, ret!);
  else cpu.events.push({ kind: 'graph exit', who: name, fn: func, ret: ret! });
}

/** fprobe_return(): the exit handlers of the fprobes that were noted, if they are still registered. */
function fprobeReturn(k: ProbeWorld, cpu: Cpu, gops: string, frame: RetStackFrame, ret: string): void {
  const data = frame.data[k.fgraph.gops[gops]!.idx];
  if (data === undefined) {
    warn(k, 'fprobes are told of a return that they did not ask for (fprobe_return)');
    return;
  }
  for (const name of data.value)
    if (k.probes.fprobes[name] !== undefined) fprobeExit(k, cpu, name, frame.func, ret);
}
