import type { DeclaredTracepoint } from '../../model/tracepoint/boot.ts';
import { PROBES } from '../../model/tracepoint/probe-functions.ts';

/*
 * The recorder's tracepoints as C: TRACE_EVENT() of each, a function that hits it, and the probes of clients, which hand their
 * arguments on word for word. The record of an event has a word for each argument, as its size zero-extends it.
 */

/** The files that a build adds. */
export function tracepointsInC(tracepoints: readonly DeclaredTracepoint[]): Readonly<Record<string, string>> {
  return {
    'recorder_events.h': [...OPENING, ...tracepoints.map(event), ...CLOSING, ''].join('\n'),
    'hits.h': [LICENCE, ...tracepoints.flatMap(functionsOf), tableOf(tracepoints), ''].join('\n'),
  };
}

/** The name of a tracepoint in the guest. */
export function guestTracepoint({ name }: DeclaredTracepoint): string {
  return `ac_${name}`;
}

const LICENCE = '/* SPDX-License-Identifier: GPL-2.0 */';

/** A header that the kernel reads several times, each time for another part. */
const OPENING = [
  LICENCE,
  '#undef TRACE_SYSTEM',
  '#define TRACE_SYSTEM attachcheck',
  '#if !defined(RECORDER_EVENTS_H) || defined(TRACE_HEADER_MULTI_READ)',
  '#define RECORDER_EVENTS_H',
  '#include <linux/tracepoint.h>',
];

const CLOSING = [
  '#endif',
  '#undef TRACE_INCLUDE_PATH',
  '#define TRACE_INCLUDE_PATH .',
  '#undef TRACE_INCLUDE_FILE',
  '#define TRACE_INCLUDE_FILE recorder_events',
  '#include <trace/define_trace.h>',
];

/** Sizes alone decide how a stub casts arguments. */
function unsigned(size: number): string {
  return `u${8 * size}`;
}

function parameters({ args }: DeclaredTracepoint): string {
  return args.map(({ size }, i) => `${unsigned(size)} a${i + 1}`).join(', ');
}

function names({ args }: DeclaredTracepoint): string {
  return args.map((_, i) => `a${i + 1}`).join(', ');
}

function event(tracepoint: DeclaredTracepoint): string {
  const { args } = tracepoint;
  const fields = args.map((_, i) => `__field(u64, a${i + 1})`).join(' ');
  const copied = args.map((_, i) => `__entry->a${i + 1} = a${i + 1};`).join(' ');
  return [
    `TRACE_EVENT(${guestTracepoint(tracepoint)},`,
    `\tTP_PROTO(${parameters(tracepoint)}), TP_ARGS(${names(tracepoint)}),`,
    `\tTP_STRUCT__entry(${fields}), TP_fast_assign(${copied}),`,
    `\tTP_printk("%llx", __entry->a1));`,
  ].join('\n');
}

function functionsOf(tracepoint: DeclaredTracepoint, number: number): string[] {
  const { args } = tracepoint;
  return [
    `static TRACED void hit_${number}(${parameters(tracepoint)})`,
    `{\n\ttrace_${guestTracepoint(tracepoint)}(${names(tracepoint)});\n}`,
    ...PROBES.map(
      (_, probe) =>
        `static void probe_${number}_${probe + 1}(void *own, ${parameters(tracepoint)})\n` +
        `{\n\tconst u64 value[] = { ${names(tracepoint)} };\n\n` +
        `\tsaw_hit(${number}, ${probe + 1}, own, value, ${args.length});\n}`,
    ),
  ];
}

function tableOf(tracepoints: readonly DeclaredTracepoint[]): string {
  const rows = tracepoints.map((tracepoint, number) => {
    const probes = PROBES.map((_, probe) => `probe_${number}_${probe + 1}`).join(', ');
    return `\t{ &__tracepoint_${guestTracepoint(tracepoint)}, hit_${number}, { ${probes} } },`;
  });
  return [
    'static const struct {',
    '\tstruct tracepoint *tracepoint;',
    '\tvoid *hit;',
    `\tvoid *probe[${PROBES.length}];`,
    '} hits[] = {',
    ...rows,
    '};',
  ].join('\n');
}
