import type { LoadedProgram } from '../contract/promises.ts';
import { bpfProgLoad } from '../trampoline/syscall.ts';
import { parseLoad, printLoad } from './bpf-prog-load-text.ts';
import type { ClientCall } from './client-call.ts';
import { nothingTouched, servedBy } from './client-call.ts';

export interface BpfProgLoad extends LoadedProgram {
  readonly do: 'BPF_PROG_LOAD';
}

export const bpfProgLoadCall: ClientCall<BpfProgLoad> = {
  service: servedBy(bpfProgLoad, ({ program, target, probe, returns }) => ({
    prog: program.id,
    program,
    target,
    probe,
    returns,
  })),
  role: 'something else',
  isMisuse: (k, { program }) => k.bpf.progs[program.id]?.freed === false,
  promised: (p, load) => ({ ...p, programs: { ...p.programs, [load.program.id]: load } }),
  touched: nothingTouched,
  undo: ({ program }, k) =>
    k.bpf.progs[program.id]?.freed === false ? [{ do: 'close(prog)', prog: program.id }] : [],
  print: (action) => printLoad(action),
  parse: (line) => (line.name === 'BPF_PROG_LOAD' ? { do: line.name, ...parseLoad(line) } : undefined),
};
