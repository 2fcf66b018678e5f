import { siteName } from '../../../counterexamples/sequences/delta.ts';
import { printOpsFlags } from '../../../model/ftrace/ops.ts';
import { printRecord } from '../../../model/ftrace/record.ts';
import type { KernelView } from '../../../model/kernel.ts';
import { describeBranch } from '../../../model/text/branch.ts';
import { siteAddress } from '../../../model/text/text.ts';
import { fetches, placeKey } from '../../../model/text/view.ts';
import type { SubjectRow } from './brief.ts';
import { brief, rowsOf } from './brief.ts';

/** A part of a state, as rows. */
export interface BoardSection {
  readonly title: string;
  readonly rows: readonly SubjectRow[];
  /** It comes after the tasks' stacks and their code. */
  readonly isDetail: boolean;
}

/** The text of a kernel. */
export function textSections(k: KernelView): BoardSection[] {
  return [{ title: 'Call sites', rows: siteRows(k), isDetail: false }];
}

/** What a kernel keeps of its clients: ftrace, images, programs. */
export function kernelSections(k: KernelView): BoardSection[] {
  const users = k.fgraph.array.filter((user) => user !== '');
  return [
    { title: 'Images', rows: imageRows(k) },
    { title: 'Trampolines, programs, links', rows: bpfRows(k) },
    { title: 'ftrace', rows: ftraceRows(k) },
    { title: 'Function graph', rows: rowsOf('', { ...k.fgraph, lru: [], array: users }) },
    { title: 'kprobes, kretprobes, fprobes', rows: rowsOf('', k.probes) },
    { title: 'Tracepoints and perf events', rows: [...rowsOf('', k.tracepoints), ...rowsOf('', k.perf)] },
  ].map((section) => ({ ...section, isDetail: true }));
}

/** The five bytes of each call site; while they are poked, also what each CPU may still fetch. */
function siteRows(k: KernelView): SubjectRow[] {
  const { poke, views } = k.text;
  const sites = Object.entries(k.text.sites).flatMap(([fn, bytes]) => [
    { subject: siteName(k, fn), value: branchText(k, fn, bytes) },
    ...views.flatMap((view, cpu) => {
      if (view[fn] === undefined) return [];
      const place = { kind: 'site', name: fn, offset: 0 } as const;
      const all = new Set(fetches(k, view, place).map((fetch) => branchText(k, fn, fetch.bytes, fetch.torn)));
      return [{ subject: `${siteName(k, fn)}, cpu ${cpu} may fetch`, value: [...all].join(' · ') }];
    }),
  ]);
  const others = rowsOf('', k.text.probed);
  if (poke === null) return [...sites, ...others];
  const places = poke.vec.map(({ place }) => placeKey(place)).join(', ');
  return [...sites, ...others, { subject: 'text poke', value: `${places}, refs ${poke.refs}` }];
}

function branchText(k: KernelView, fn: string, bytes: string, torn = false): string {
  const spelled = bytes.replace(/..(?=.)/g, '$& ');
  const text = describeBranch(k, bytes, siteAddress(k, fn));
  return `${torn ? 'torn ' : ''}${text === spelled ? spelled : `${spelled}  ${text}`}`;
}

/** Images, and where they lie; pages of other code by their names. */
function imageRows(k: KernelView): SubjectRow[] {
  const images = Object.entries(k.bpf.images).map(([name, image]) => ({
    subject: name,
    value: brief(image),
  }));
  const pages = Object.entries(k.text.pages).map(([name, { at: page, bytes }]) => ({
    subject: `page ${page}`,
    value: `${name}, ${bytes.length / 2} bytes`,
  }));
  return [...images, ...pages, ...rowsOf('half of ', k.text.halves)];
}

function bpfRows({ bpf }: KernelView): SubjectRow[] {
  return [
    ...rowsOf('tr ', bpf.trampolines),
    ...Object.entries(bpf.progs).map(([id, prog]) => ({
      subject: `prog#${id}`,
      value: brief({ ...prog, program: prog.program.kind }),
    })),
    ...Object.entries(bpf.links).map(([id, link]) => ({ subject: id, value: brief(link) })),
    ...rowsOf('', { design: bpf.design, rawLinks: bpf.rawLinks }),
  ];
}

function ftraceRows({ ftrace }: KernelView): SubjectRow[] {
  const { records, ops, directFunctions, ...others } = ftrace;
  return [
    ...Object.entries(records).map(([ip, record]) => ({
      subject: `record ${ip}`,
      value: printRecord(record),
    })),
    ...rowsOf('direct ', directFunctions),
    ...Object.entries(ops).map(([id, { flags, ...own }]) => ({
      subject: id,
      value: [printOpsFlags(flags), brief(own)].filter(Boolean).join('; '),
    })),
    ...rowsOf('', others),
  ];
}
