import { heading } from './paint.ts';
import { fromHere } from './project.ts';

/** Examples in the help of each command: command lines as typed after the name of the program. */
export const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  attachcheck: ['docs/examples/dead-kprobe.calls', "--kernel '6.12, imageLifecycle = C' --sequences 100"],
  images: ['images', 'images conformance/recordings/asked.jsonl.gz'],
  sequences: ['sequences', 'sequences conformance/recordings/pairs.jsonl.gz --json'],
  abi: ["abi --sig 'ptr, u32, s16b -> s64'", "abi --sig 'u64 x9 -> u64' --kinds 'fentry, fexit'"],
  image: ["image my.bin --symbols my.json --sig 'ptr' --kinds fentry"],
  replay: [
    'replay docs/examples/dead-kprobe.calls',
    'replay docs/examples/dead-kprobe.calls --itf states.json',
  ],
  explain: [
    'explain docs/examples/why-busy.calls',
    'explain docs/examples/why-busy.calls --step 2',
    'explain docs/examples/why-busy.calls --trace why-busy.json',
  ],
  explore: [
    'explore --planted no-sync-after-int3',
    'explore --planted no-sync-after-int3 --trace torn.json',
    'explore --random 300',
    'explore --random 300 --shard 3/16',
  ],
  exhaust: [
    'exhaust docs/examples/dead-kprobe.calls --depth 3',
    'exhaust --planted kprobe-in-a-body-stays-armed',
  ],
  near: [
    'near docs/examples/why-busy.calls',
    'near docs/examples/kretprobe.scenario --scenarios 200',
    "near --kernel '6.12, multiLinks = batch' --seed 7",
  ],
  merge: ['merge attachcheck-1-of-2.json attachcheck-2-of-2.json', 'merge .'],
  soak: ['soak --hours 8', 'soak --rounds 3 --seed 100'],
  compare: [
    "compare --n 1,38 --designs 'kprobe.multi, tracing multi'",
    "compare --n 1000 --designs 'single links' --format csv",
  ],
  cost: [
    "cost vmlinux.json --functions 'vfs_*' --verbose",
    'cost vmlinux.json --names functions.txt --format csv',
  ],
  refine: ["refine 'one by one' 'tracing multi'", 'refine --all --operations 1', 'refine --all --shard 3/16'],
  matrix: ['matrix --kernel 6.12', 'matrix kprobe kprobe.post'],
  why: [
    'why -16',
    'why EBUSY docs/examples/why-busy.calls',
    'why docs/examples/why-busy.calls:7',
    'why --here vfs_read',
  ],
  stubs: ['stubs', "stubs 'ptr, ptr, u32'"],
  bugs: ['bugs', 'bugs text-poke-array-is-not-sorted'],
  bundle: ['bundle my.trace --out report --tree ~/linux'],
  kernel: ['kernel setup 6.12', 'kernel 6.12 --runs 50 --seed 7', 'kernel 6.12 docs/examples/why-busy.calls'],
  new: ["new design 'two at once'"],
  completion: ['completion bash', 'completion fish'],
};

/** The part of a help that shows them. */
export function exampleText(command: string, program: string): string {
  const examples = (EXAMPLES[command] ?? []).map(whereItIs);
  return [`\n${heading('Examples:')}`, ...examples.map((example) => `  ${program} ${example}`)].join('\n');
}

/** An example whose files are the project's, wherever the program is installed. */
function whereItIs(example: string): string {
  return example.replaceAll(/(?<=^| )(?:docs\/examples|conformance\/recordings)\/\S+/g, (path) =>
    fromHere(path),
  );
}
