import { readFileSync } from 'node:fs';
import { parseAttachTrace } from './counterexamples/sequences/attach-trace.ts';
import { reproducerOf } from './commands/bundle/reproducer.ts';
import { moduleSource } from './commands/bundle/module-source.ts';
const t = parseAttachTrace(readFileSync(process.argv[2]!, 'utf8'));
const c = { ...t, case: { ...t.case, profile: process.argv[3] ?? t.case.profile } };
console.log(moduleSource(reproducerOf(c)));
