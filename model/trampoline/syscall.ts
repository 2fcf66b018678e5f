import type { Errno } from '../core/errno.ts';
import type { FunctionName, LinkId, ProgId } from '../core/ids.ts';
import { NotModelled } from '../core/not-modelled.ts';
import type { Part } from '../core/part.ts';
import { entry } from '../core/present.ts';
import { profileNamed } from '../core/profile.ts';
import type { RoutineWords } from '../core/routine.ts';
import { routine } from '../core/routine.ts';
import { registerFprobeIps } from '../ftrace/fprobe.ts';
import { isLoaded, isThere, modulePut, tryModuleGet } from '../text/module.ts';
import { ZERO } from '../x86/word.ts';
import { cgroupBpfLinkAttach } from './cgroup-lsm.ts';
import { attachByDesign, multiLinksOf } from './designs/chosen.ts';
import { bpfProgPut, fprobeOf } from './release.ts';
import { bpfProgGet, dropLink, makeLink, tracingProgAttach } from './tracing-attach.ts';
import type { BpfView, BpfWorld } from './world.ts';

/*
 * The system calls bpf(BPF_LINK_CREATE), and bpf(BPF_RAW_TRACEPOINT_OPEN) without a name, kernel/bpf/syscall.c.
 */

/** BPF_LINK_CREATE: a program and its targets. */
interface CreateArgs {
  link: LinkId;
  prog: ProgId;
  targets: readonly FunctionName[];
  /** The targets are named by symbols. */
  symbols?: boolean;
  /** It is BPF_RAW_TRACEPOINT_OPEN. */
  opens?: boolean;
  errno?: Errno | 0;
  /** Targets whose text is there; others are in no module that could be held. */
  inModules?: readonly FunctionName[];
  /** The modules of the targets are held. */
  held?: boolean;
}

/**
 * link_create(), and BPF_RAW_TRACEPOINT_OPEN without a name, which attaches tracing programs alone, and gives the link no
 * cookie. The program is held from the look-up of its file descriptor on, so that a close() at the same time cannot free it.
 */
export const bpfLinkCreate = routine<BpfWorld, CreateArgs>('link_create', (words) => [
  words.refuse('EBADF', 'there is no such program', (k, { prog }) => !bpfProgGet(k, prog)),
  words.attempt(
    [
      words.when('kprobe.multi', (k, { prog }) => entry(k.bpf.progs, prog).probe !== '', attachProbe(words), [
        words.when(
          'a multi link',
          (k, { prog }) => entry(k.bpf.progs, prog).program.multi,
          attachMulti(words),
          [
            words.when('for a cgroup', isForCgroup, attachToCgroup(words), [
              words.refuse('EINVAL', 'only an extension can be given another target', namesTarget),
              words.call(tracingProgAttach, (k, { link, prog, opens }) => {
                return {
                  link,
                  prog,
                  cookie: opens === true ? ZERO : entry(k.bpf.progs, prog).program.cookie,
                };
              }),
            ]),
          ],
        ),
      ]),
    ],
    [words.call(bpfProgPut, (_, { prog }) => ({ prog }))],
  ),
]);

/** bpf_tracing_prog_attach() takes a target from the caller only where it comes with a program: that of an extension. */
function namesTarget(k: BpfView, { prog, targets }: CreateArgs): boolean {
  if (targets.length === 0) return false;
  if (entry(k.bpf.progs, prog).program.kind !== 'freplace') return true;
  throw new NotModelled('a link of an extension that names its target: not modelled');
}

/** `BPF_LSM_CGROUP`. */
function isForCgroup(k: BpfView, { prog }: CreateArgs): boolean {
  return entry(k.bpf.progs, prog).program.cgroup === true;
}

function attachToCgroup({ refuse, call }: RoutineWords<BpfWorld, CreateArgs>): Part[] {
  return [
    refuse('EINVAL', 'BPF_RAW_TRACEPOINT_OPEN names no cgroup', (_, { opens }) => opens === true),
    call(cgroupBpfLinkAttach, (_, { link, prog }) => ({ link, prog })),
  ];
}

function attachProbe({ refuse, call }: RoutineWords<BpfWorld, CreateArgs>): Part[] {
  return [
    refuse('EFAULT', 'the name of a tracepoint is NULL', (k, { prog, opens }) => {
      return opens === true && entry(k.bpf.progs, prog).probe === 'raw_tp';
    }),
    refuse('EINVAL', 'BPF_RAW_TRACEPOINT_OPEN takes no kprobe program', (_, { opens }) => opens === true),
    refuse('EINVAL', 'there is no such attach type', (k, { prog }) => {
      const { probe } = entry(k.bpf.progs, prog);
      return (
        probe === 'raw_tp' ||
        probe === 'tp' ||
        probe === 'xdp' ||
        (probe === 'session' && !profileNamed(k.profile).kprobeSession)
      );
    }),
    call(kprobeMultiLinkAttach, (_, locals) => ({ ...locals })),
  ];
}

/** bpf_tracing_multi_attach() copies the ids of the targets, and refuses duplicates before anything is attached. */
function attachMulti({ refuse, step, attempt, indirect }: RoutineWords<BpfWorld, CreateArgs>): Part[] {
  return [
    refuse('EINVAL', 'no function is named', (_, { targets }) => targets.length === 0),
    refuse('EINVAL', 'a function is named twice', (_, { targets }) => new Set(targets).size < targets.length),
    step('make the link', (k, locals) => makeLink(k, locals, 'tracing multi', locals.targets)),
    attempt(
      [indirect('attach by the design', attachByDesign, multiLinksOf, (_, { link }) => ({ link }))],
      [step('drop the link', dropLink)],
    ),
  ];
}

/** Entry data of a kprobe.multi session: its cookie. */
const SESSION_COOKIE_BYTES = 8;

/**
 * bpf_kprobe_multi_link_attach(): an fprobe that runs the program. The modules of the targets are held for as
 * long as the link exists (get_modules_for_addrs()).
 */
const kprobeMultiLinkAttach = routine<BpfWorld, CreateArgs>(
  'bpf_kprobe_multi_link_attach',
  ({ refuse, call, step, attempt }) => [
    refuse('EOPNOTSUPP', 'no fprobes in this kernel', (k) => profileNamed(k.profile).fprobe === 'none'),
    refuse('EINVAL', 'a program that was not loaded for it', isForEvents),
    refuse('EINVAL', 'a sleepable program', (k, { prog }) => entry(k.bpf.progs, prog).program.sleepable),
    refuse('EINVAL', 'no function is named', (_, { targets }) => targets.length === 0),
    refuse('ESRCH', 'ftrace_lookup_symbols() does not find each of them', areMissing),
    // Held before the fprobe: from its registration on, the modules' text calls ftrace.
    step('get_modules_for_addrs', getModules),
    refuse('EINVAL', 'a module is going', (_, { held }) => held === false),
    attempt(
      [
        call(registerFprobeIps, (k, { link, prog, targets }) => {
          const { probe, program, returns } = entry(k.bpf.progs, prog);
          return {
            fprobe: fprobeOf(link),
            ips: targets,
            entry: probe !== 'return',
            exit: probe !== 'entry',
            maxactive: 0,
            prog,
            getFuncIp: program.getFuncIp,
            vetoes: probe === 'session' && (returns.lo !== 0 || returns.hi !== 0),
            cleared: true,
            entryDataSize: probe === 'session' ? SESSION_COOKIE_BYTES : 0,
          };
        }),
      ],
      [step('kprobe_multi_put_modules', (k, { inModules = [] }) => modulePut(k, inModules))],
    ),
    step('make the link', (k, locals) => makeLink(k, locals, 'kprobe multi', locals.targets)),
  ],
);

function areMissing(k: BpfView, { targets, symbols = false }: CreateArgs): boolean {
  return symbols && !areFound(k, targets);
}

/** get_modules_for_addrs(): the address of a function that is gone is in no module. */
function getModules(k: BpfWorld, locals: CreateArgs): void {
  locals.inModules = locals.targets.filter((fn) => isLoaded(k, fn));
  locals.held = tryModuleGet(k, locals.inModules);
}

/** A kprobe program of another `expected_attach_type` than BPF_TRACE_KPROBE_MULTI. */
function isForEvents(k: BpfView, { prog }: CreateArgs): boolean {
  return entry(k.bpf.progs, prog).probe === 'kprobe';
}

/** ftrace_lookup_symbols(): each symbol is found once, if it has a call site. */
function areFound(k: BpfView, symbols: readonly FunctionName[]): boolean {
  const isFound = (fn: FunctionName) => k.ftrace.records[fn] !== undefined && isThere(k, fn);
  return new Set(symbols).size === symbols.length && symbols.every(isFound);
}
