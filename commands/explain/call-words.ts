import type { CallRun } from '../../model/call/call-frame.ts';
import { programNumber } from '../../model/core/object-name.ts';
import type { KernelView } from '../../model/kernel.ts';

/** `fexit` of `prog#1`; a program that function graph or a kprobe calls is `kprobe.multi`, that of a tracepoint `raw_tp`, of a device `xdp`. */
export function programKind(k: KernelView, who: string): string {
  const number = programNumber(who);
  const loaded = number === undefined ? undefined : k.bpf.progs[number];
  if (loaded?.probe === 'raw_tp' || loaded?.probe === 'tp' || loaded?.probe === 'xdp') return loaded.probe;
  return loaded === undefined || loaded.probe !== '' ? 'kprobe.multi' : loaded.program.kind;
}

/** The outcome of a call. */
export function returnText({ gone, rax }: Pick<CallRun, 'gone' | 'rax'>): string {
  return gone ? 'the task ends: the function does not return' : `the caller finds ${rax} in rax`;
}
