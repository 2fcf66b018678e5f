import { InputError } from '../../model/core/input-error.ts';
import type { BootName, Profile, RecordedVersion } from '../../model/core/profile.ts';
import { BOOTS, RECORDED_KERNELS, RECORDED_PROFILES } from '../../model/core/profile.ts';
import type { Target } from '../../model/trampoline/attach.ts';
import type { Loaded } from '../../model/trampoline/load.ts';
import type { BpfProgram } from '../../model/trampoline/program.ts';
import type { Signature, Type } from '../../model/trampoline/signature.ts';
import { typeNamed } from '../../model/trampoline/signature.ts';
import { isTracingMulti, recordedCookie, recordedResult, trampolineKind } from './program-kinds.ts';
import type { RecordedImage, RecordedProgram } from './record.ts';

/** `endbr64` at a function's first byte. */
const ENDBR = 'f30f1efa';

/** Programs are numbered from 1 here, from 0 by the recorder. */
export function programNumber(recordedId: number): number {
  return recordedId + 1;
}

/** The function, the kernel and the boot of a record. */
export function targetOf(record: RecordedImage): Target {
  const profile = profileOf(record);
  return {
    profile,
    mitigations: profile.boots[bootOf(record)],
    ibt: record.entry_after_detach_hex.startsWith(ENDBR),
    signature: signatureOf(record),
    listing: 'traced',
    ipmodify: record.coexist === 'ipmod',
    bpf: false,
    noreturn: false,
    tailCallCtx: false,
  };
}

export function profileOf(record: RecordedImage): Profile {
  return RECORDED_PROFILES[versionOf(record)];
}

export function versionOf(record: RecordedImage): RecordedVersion {
  const named = record.kernel.split('.').slice(0, 2).join('.');
  const version = RECORDED_KERNELS.find((known) => known === named);
  if (version === undefined)
    throw new InputError(
      `${record.place}: kernel ${record.kernel} has no profile; there are ${RECORDED_KERNELS.join(', ')}`,
    );
  return version;
}

export function bootOf(record: RecordedImage): BootName {
  const { boot } = record.config;
  if (!BOOTS.includes(boot as BootName))
    throw new InputError(
      `${record.place}: boot configuration ${boot} is not known; there are ${BOOTS.join(', ')}`,
    );
  return boot as BootName;
}

function signatureOf(record: RecordedImage): Signature {
  const type = (name: string): Type => {
    const found = typeNamed(name);
    if (found === undefined) throw new InputError(`${record.place}: ${name} is not a type`);
    return found;
  };
  return { args: record.args.map(type), ret: type(record.ret) };
}

/** The trampoline programs of a record in order of attachment, without those of kprobe.multi. */
export function programsOf(record: RecordedImage): Loaded[] {
  return record.progs.flatMap(programOf);
}

/** How many of the first `attached` programs are in the trampoline. */
export function attachedPrograms(record: RecordedImage): number {
  return record.progs.slice(0, record.attached).filter(runsInTrampoline).length;
}

function runsInTrampoline({ kind }: RecordedProgram): boolean {
  return trampolineKind(kind) !== undefined;
}

function programOf(recorded: RecordedProgram): Loaded[] {
  const kind = trampolineKind(recorded.kind);
  if (kind === undefined) return [];
  const multi = isTracingMulti(recorded.kind);
  const program: Loaded = {
    id: programNumber(recorded.id),
    kind,
    multi,
    cookie: recordedCookie(recorded.kind, recorded.cookie),
    getFuncIp: recorded.get_func_ip,
    sessionCookie: false,
    sleepable: recorded.sleepable,
    reads: readsOf(recorded, multi),
    returns: recordedResult(flagsOf(recorded)),
  };
  return [program];
}

/** The recorder's session programs read the return value from ctx even if they use the helpers. */
function readsOf(recorded: RecordedProgram, multi: boolean): BpfProgram['reads'] {
  if (multi) return 'helpers';
  if (!hasFlag(recorded, 'h')) return 'direct';
  return recorded.kind === 'fses' ? 'return directly' : 'helpers';
}

/** Whether a recorded program has a flag (`fexit:ci`). */
export function hasFlag(recorded: RecordedProgram, letter: string): boolean {
  return flagsOf(recorded).includes(letter);
}

function flagsOf({ spec }: RecordedProgram): string {
  return spec.split(':')[1] ?? '';
}

/** The refused program, if it is one of the trampoline's. */
export function refusedProgram(record: RecordedImage): RecordedProgram | undefined {
  const program = record.progs[record.attached];
  return record.errno !== 0 && program !== undefined && runsInTrampoline(program) ? program : undefined;
}
