import { expect, test } from 'vitest';
import { declareTracepoint } from '../../model/raw-tracepoint/tracepoints.ts';
import { tracepointsInC } from './tracepoints-in-c.ts';

const FILES = tracepointsInC([declareTracepoint('tp', 'ptr, s32')]);

test('an event has a word for each argument, by its size alone', () => {
  expect(FILES['recorder_events.h']).toContain(
    [
      'TRACE_EVENT(ac_tp,',
      '\tTP_PROTO(u64 a1, u32 a2), TP_ARGS(a1, a2),',
      '\tTP_STRUCT__entry(__field(u64, a1) __field(u64, a2)), TP_fast_assign(__entry->a1 = a1; __entry->a2 = a2;),',
    ].join('\n'),
  );
});

test('a tracepoint has a function that hits it, and each probe of clients', () => {
  expect(FILES['hits.h']).toContain('static TRACED void hit_0(u64 a1, u32 a2)\n{\n\ttrace_ac_tp(a1, a2);\n}');
  expect(FILES['hits.h']).toContain('\tsaw_hit(0, 3, own, value, 2);');
  expect(FILES['hits.h']).toContain('\t{ &__tracepoint_ac_tp, hit_0, { probe_0_1, probe_0_2, probe_0_3 } },');
});
