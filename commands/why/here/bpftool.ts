import { spawnSync } from 'node:child_process';
import { z } from 'zod';
import { describeIssue } from '../../../conformance/images/record.ts';
import { InputError } from '../../../model/core/input-error.ts';
import { item } from '../../../model/core/present.ts';
import type { MachineFiles } from './machine-files.ts';

/** Ids of the kernel's are numbers of 32 bits. */
const id = z.number().int().nonnegative();
const pids = z.array(z.looseObject({ pid: id, comm: z.string() })).optional();

/** A link, as `bpftool -j link` prints it; what a kind of link does not have is left out. */
const linkSchema = z.looseObject({
  id,
  type: z.string(),
  prog_id: id.optional(),
  attach_type: z.union([z.string(), z.number()]).optional(),
  target_obj_id: id.optional(),
  target_btf_id: id.optional(),
  retprobe: z.boolean().optional(),
  funcs: z.array(z.looseObject({ func: z.string().nullish(), module: z.string().nullish() })).optional(),
  event_type: z.string().optional(),
  func: z.string().optional(),
  pinned: z.array(z.string()).optional(),
  pids,
});

/** A program, as `bpftool -j prog` prints it. */
const programSchema = z.looseObject({ id, name: z.string().optional(), pids });

export type BpftoolLink = z.infer<typeof linkSchema>;
export type BpftoolProgram = z.infer<typeof programSchema>;

/** The BPF links and programs of a machine, or the sentence that says why they are not known. */
export type Bpftool =
  | { readonly links: readonly BpftoolLink[]; readonly programs: readonly BpftoolProgram[] }
  | { readonly missing: string };

const LINKS = 'bpftool-link.json';
const PROGRAMS = 'bpftool-prog.json';

/** Runs bpftool, or reads what it printed on the machine that the files are of. */
export function readBpftool(files: MachineFiles): Bpftool {
  const link = files.isRunning ? printed('link') : copied(files, LINKS, 'link');
  const prog = files.isRunning ? printed('prog') : copied(files, PROGRAMS, 'prog');
  if ('missing' in link) return link;
  if ('missing' in prog) return prog;
  return {
    links: parsed(link, z.array(linkSchema)),
    programs: parsed(prog, z.array(programSchema)),
  };
}

/** What bpftool has printed, and where a sentence says that it is from. */
type Printed = { readonly text: string; readonly from: string } | { readonly missing: string };

function copied(files: MachineFiles, name: string, what: string): Printed {
  const text = files.read(name);
  const from = files.path(name);
  return text === undefined
    ? { missing: `${from} is missing, so BPF links are not known: bpftool -j ${what} > ${name}` }
    : { text, from };
}

/** Bytes that it may print. */
const OUTPUT_MOST = 2 ** 28;

function printed(what: string): Printed {
  const from = `bpftool -j ${what}`;
  const { stdout, stderr, status, error } = spawnSync('bpftool', ['-j', what], {
    encoding: 'utf8',
    maxBuffer: OUTPUT_MOST,
  });
  if (error !== undefined)
    return {
      missing:
        'bpftool is not installed, so BPF links are not known: apt-get install bpftool (dnf, zypper: bpftool)',
    };
  const [why = ''] = (stderr || stdout).trim().split('\n');
  return status === 0
    ? { text: stdout, from }
    : { missing: `${from} fails, so BPF links are not known: ${why}` };
}

function parsed<T>({ text, from }: Extract<Printed, { text: string }>, schema: z.ZodType<T>): T {
  const found = schema.safeParse(jsonOf(text, from));
  if (found.success) return found.data;
  throw new InputError(`${from}: ${describeIssue(item(found.error.issues, 0))}`);
}

/** An empty output is that of a machine without any. */
function jsonOf(text: string, from: string): unknown {
  try {
    return text.trim() === '' ? [] : JSON.parse(text);
  } catch {
    throw new InputError(`${from}: line ${damagedLine(text)}: it is no JSON, damaged or cut off`);
  }
}

/** The first line with which the text cannot be continued, or the last one: it is cut off. */
function damagedLine(text: string): number {
  try {
    JSON.parse(text);
  } catch (error) {
    const position = /position (\d+)/.exec(String(error))?.[1];
    if (position !== undefined) return text.slice(0, Number(position)).split('\n').length;
  }
  return text.trimEnd().split('\n').length;
}

/** `program 41 on_read`. */
export function programWords(prog: number, { programs }: Extract<Bpftool, { links: unknown }>): string {
  const found = programs.find((program) => program.id === prog);
  const name = found?.name === undefined ? '' : ` ${found.name}`;
  return `program ${prog}${name}`;
}

/** The processes that hold a link or its program: ` of bpftrace (812)`; empty, if bpftool names none. */
export function ownerWords({ pids = [] }: Pick<BpftoolLink, 'pids'>): string {
  return pids.length === 0 ? '' : ` of ${pids.map(({ pid, comm }) => `${comm} (${pid})`).join(', ')}`;
}
