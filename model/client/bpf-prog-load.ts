import type { LoadedProgram } from '../contract/promises.ts';
import type { ProgId } from '../core/ids.ts';
import { isOfAnotherKind } from '../trampoline/load-target.ts';
import { bpfProgLoad } from '../trampoline/prog-load.ts';
import type { BpfProgram } from '../trampoline/program.ts';
import { plainProgram } from '../trampoline/program.ts';
import type { TracedFunction } from '../trampoline/traced-function.ts';
import { functionNamed } from '../trampoline/traced-function.ts';
import type { Word } from '../x86/word.ts';
import { fromNumber, ZERO } from '../x86/word.ts';
import { parseLoad, printLoad } from './bpf-prog-load-text.ts';
import type { ClientCall } from './client-call.ts';
import { nothingTouched, servedBy } from './client-call.ts';
import { lineOf } from './spelling.ts';

/*
 * bpf_prog_load() in kernel/bpf/syscall.c, as far as it concerns attaching. bpf_check() runs
 * check_attach_btf_id() before the instructions are checked: the target is looked up, compared with the
 * kind of the program, and bpf_trampoline_get() takes the reference (`prog->aux->dst_trampoline`) that the
 * first link inherits. A program that is loaded and never linked holds a trampoline, and on 6.12 and 7.2 the
 * module of its target too.
 */

/**
 * The instructions of a program are not modelled: a load says what it reads and the value that it returns.
 * `target` is empty for programs without one: multi, kprobe.multi, raw_tp, tp, kprobe and xdp. For multi links `btf` is the module whose
 * BTF its file descriptor is of (`attach_btf_obj_fd`).
 */
export interface BpfProgLoad extends LoadedProgram {
  readonly do: 'BPF_PROG_LOAD';
}

/** A program for tracepoints that asks for nothing and returns 0. */
export function tracepointLoad(prog: ProgId, probe: 'raw_tp' | 'tp'): BpfProgLoad {
  return loadedByItself(prog, probe, ZERO);
}

/** A program for an event of a kprobe that calls bpf_get_func_ip(). */
export function kprobeLoad(prog: ProgId): BpfProgLoad {
  const { program, ...load } = loadedByItself(prog, 'kprobe', ZERO);
  return { ...load, program: { ...program, getFuncIp: true } };
}

/** A program for devices that returns XDP_PASS. */
export function xdpLoad(prog: ProgId): BpfProgLoad {
  return loadedByItself(prog, 'xdp', fromNumber(2));
}

function loadedByItself(prog: ProgId, probe: LoadedProgram['probe'], returns: Word): BpfProgLoad {
  const program: BpfProgram = { ...plainProgram(prog), reads: 'direct' };
  return { do: 'BPF_PROG_LOAD', program, target: '', probe, returns };
}

export function rawTracepointLoad(prog: ProgId): BpfProgLoad {
  return tracepointLoad(prog, 'raw_tp');
}

export const bpfProgLoadCall: ClientCall<BpfProgLoad> = {
  sentence:
    'Loads a program for a function, or for a link to many (`multi`, `kprobe.multi`), or for a tracepoint, raw or by its perf event, or for the perf event of a kprobe, or for devices (`xdp`); it returns 0 unless it says otherwise.',
  examples: [
    loaded('fentry, f1'),
    loaded('fexit cookie=0x1 returns=0x5eed, f1'),
    loaded('fmod_ret sleepable, f1'),
    loaded('fsession session_cookie get_func_ip, f1'),
    loaded('fmod_ret lsm, f1'),
    loaded('fmod_ret lsm cgroup returns=0x1, f1'),
    loaded('freplace, p1'),
    loaded('fentry multi reads=ctx[0]'),
    loaded('fentry multi, m1'),
    loaded('kprobe.multi entry'),
    loaded('kprobe.multi return'),
    loaded('kprobe.multi session'),
    loaded('raw_tp'),
    loaded('tp'),
    loaded('kprobe get_func_ip'),
    loaded('xdp returns=0x2'),
  ],
  service: servedBy(bpfProgLoad, ({ program, target, btf, probe, returns }) => ({
    prog: program.id,
    program,
    target,
    ...(btf === undefined ? {} : { btf }),
    probe,
    returns,
  })),
  role: 'something else',
  // The name of a program is its number, as that of a file descriptor: taken until the program has been freed.
  isMisuse: (k, { program, target, btf }) =>
    k.bpf.progs[program.id]?.freed === false ||
    (btf !== undefined && k.text.modules[btf] === undefined) ||
    hasNoSuchAttachType(functionNamed(k.functions, target), program),
  // Nothing yet: a loaded program runs nowhere. Its links are promised what it was loaded with.
  promised: (p, load) => ({
    ...p,
    programs: { ...p.programs, [load.program.id]: load },
    open: [...p.open.filter((prog) => prog !== load.program.id), load.program.id],
  }),
  touched: nothingTouched,
  undo: ({ program }, k) =>
    k.bpf.progs[program.id]?.freed === false ? [{ do: 'close(prog)', prog: program.id }] : [],
  print: (action) => printLoad(action),
  parse: (line) => (line.name === 'BPF_PROG_LOAD' ? { do: line.name, ...parseLoad(line) } : undefined),
};

/** Nothing that a client gives makes a program of BPF LSM one of the other kind. */
function hasNoSuchAttachType(hook: TracedFunction | undefined, program: BpfProgram): boolean {
  return hook !== undefined && isOfAnotherKind(hook.signature, program);
}

function loaded(args: string): BpfProgLoad {
  return { do: 'BPF_PROG_LOAD', ...parseLoad(lineOf(`prog#1 = BPF_PROG_LOAD(${args})`)) };
}
