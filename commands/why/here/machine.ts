import { nearestProfile } from '../../../kernels/own/nearest.ts';
import { InputError, located } from '../../../model/core/input-error.ts';
import { oneOf } from '../../../model/core/input-value.ts';
import { nearest } from '../../../model/core/nearest.ts';
import type { RecordedVersion } from '../../../model/core/profile.ts';
import { RECORDED_KERNELS } from '../../../model/core/profile.ts';
import type { Bpftool } from './bpftool.ts';
import { readBpftool } from './bpftool.ts';
import type { EnabledFunction } from './enabled-functions.ts';
import { readEnabledFunctions } from './enabled-functions.ts';
import type { ListedKprobe } from './kprobe-list.ts';
import { readKprobeList } from './kprobe-list.ts';
import type { LivePatch } from './live-patches.ts';
import { readLivePatches } from './live-patches.ts';
import type { MachineFiles } from './machine-files.ts';

/** A function of a running kernel. */
export interface KernelFunction {
  readonly name: string;
  /** The module that it is in; empty: the kernel itself. */
  readonly module: string;
}

/** What a machine says of one of its functions. */
export interface RunningMachine {
  readonly fn: KernelFunction;
  readonly release: string;
  /** The modelled kernel that is nearest to it, or the one that was asked for. */
  readonly kernel: RecordedVersion;
  /** Its line in enabled_functions; undefined: ftrace has not enabled it. */
  readonly enabled: EnabledFunction | undefined;
  /** `kernel.ftrace_enabled` is 0: enabled_functions is empty then, whatever is registered. */
  readonly isFtraceOff: boolean;
  /** Kprobes on it, at the call site or in the body; undefined: the list is missing. */
  readonly probes: readonly ListedKprobe[] | undefined;
  /** All live patches. */
  readonly patches: readonly LivePatch[];
  readonly bpftool: Bpftool;
  /** Sentences on files that are missing. */
  readonly missing: readonly string[];
}

const TRACING = ['sys/kernel/tracing', 'sys/kernel/debug/tracing'];
const PROBES = 'sys/kernel/debug/kprobes/list';

/** Reads a machine. `asked` is a function, or `module:function`; an InputError names the file that cannot be used. */
export function readMachine(files: MachineFiles, asked: string, kernel: string | undefined): RunningMachine {
  const tracing = TRACING.find((folder) => files.read(`${folder}/enabled_functions`) !== undefined);
  if (tracing === undefined)
    throw new InputError(
      `${files.path(`${TRACING[0]}/enabled_functions`)}: there is no such file: tracefs is not mounted (mount -t tracefs nodev ${files.path(TRACING[0] ?? '')}), or the kernel has no dynamic ftrace`,
    );
  const release = releaseOf(files);
  const enabled = parsedFile(files, `${tracing}/enabled_functions`, readEnabledFunctions) ?? [];
  const listed = files.read(`${tracing}/available_filter_functions`);
  const fn = functionAsked(asked, enabled, listed?.split('\n').flatMap(listedFunction));
  const isIts = (other: KernelFunction) => other.name === fn.name && other.module === fn.module;
  const probes = parsedFile(files, PROBES, readKprobeList);
  return {
    fn,
    release,
    kernel: kernel === undefined ? nearestProfile(release) : oneOf(kernel, RECORDED_KERNELS, '--kernel'),
    enabled: enabled.find(isIts),
    isFtraceOff: files.read('proc/sys/kernel/ftrace_enabled')?.trim() === '0',
    probes: probes?.filter(({ symbol, module }) => isIts({ name: symbol, module })),
    patches: readLivePatches(files, fn),
    bpftool: readBpftool(files),
    missing:
      probes === undefined
        ? [`${files.path(PROBES)} is missing, so kprobes are not known: mount debugfs`]
        : [],
  };
}

function parsedFile<T>(files: MachineFiles, name: string, parse: (text: string) => T): T | undefined {
  const text = files.read(name);
  return text === undefined ? undefined : located(files.path(name), () => parse(text));
}

/** `vfs_read`, `ext4_sync_fs [ext4]`, on some kernels with more after it. */
function listedFunction(line: string): KernelFunction[] {
  const [, name, module = ''] = /^(\S+)(?: \[([^\]]+)\])?/.exec(line) ?? [];
  return name === undefined ? [] : [{ name, module }];
}

/** The function that was asked for; of several by that name its module has to say which. */
function functionAsked(
  asked: string,
  enabled: readonly KernelFunction[],
  listed: readonly KernelFunction[] | undefined,
): KernelFunction {
  const [, module, name = asked] = /^(\w+):(.+)$/.exec(asked) ?? [];
  const isAsked = (fn: KernelFunction) => fn.name === name && (module === undefined || fn.module === module);
  const found = (listed ?? enabled).filter(isAsked);
  const [first, second] = found;
  if (first === undefined && listed === undefined) return { name, module: module ?? '' };
  if (first === undefined) throw unknown(asked, name, listed ?? []);
  if (second === undefined) return { name: first.name, module: first.module };
  const names = new Set(found.map((fn) => `${fn.module === '' ? '' : `${fn.module}:`}${fn.name}`));
  throw new InputError(
    names.size > 1
      ? `several functions are called ${asked}: there are ${[...names].join(', ')}`
      : `${found.length} functions are called ${asked}, and their files do not say which is which`,
    asked,
  );
}

function unknown(asked: string, name: string, listed: readonly KernelFunction[]): InputError {
  const meant = nearest(name, [...new Set(listed.map((fn) => fn.name))]);
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
  return new InputError(
    `${asked}: ftrace has no function of that name in available_filter_functions: it is not in the kernel, or inlined, or may not be traced${hint}`,
    asked,
  );
}

/** The release of the kernel: `6.12.117+deb12-amd64`. */
function releaseOf(files: MachineFiles): string {
  const [own, version] = ['proc/sys/kernel/osrelease', 'proc/version'];
  const release = files.read(own)?.trim() || /^Linux version (\S+)/.exec(files.read(version) ?? '')?.[1];
  if (release === undefined)
    throw new InputError(
      `${files.path(own)}: it does not say which kernel this is, nor does ${files.path(version)}`,
    );
  if (!/^\d+\.\d+/.test(release))
    throw new InputError(`${files.path(own)}: line 1: "${release}" is no release of Linux`, release);
  return release;
}
