import { judge, parseSequence } from 'attachcheck';

/** The attached objects when a kprobe with a post_handler is registered on the same function. */
const FIRST = {
  'a direct call': `direct#1 = ftrace_ops(DIRECT)
update_ftrace_direct_add(direct#1, { f1: my_tramp1 })`,
  'a program': `prog#1 = BPF_PROG_LOAD(fentry, f1)
link#1 = BPF_LINK_CREATE(prog#1)`,
};

for (const [name, lines] of Object.entries(FIRST)) {
  const sequence = parseSequence(`kernel 7.2

f1 = function(u64 -> u64)
${lines}
register_kprobe(kprobe#1, f1, post_handler)
task#1 calls f1(0x1)
`);
  const { answers, broken, held } = judge(sequence);
  console.log(`after ${name}: answers ${answers.filter((answer) => answer !== '').join(', ')}`);
  console.log(`  ${held.length} laws hold`);
  for (const { step, law, expected, observed, known } of broken)
    console.log(`  step ${step} breaks ${law}: ${expected} / ${observed} (${known ?? 'new'})`);
}
