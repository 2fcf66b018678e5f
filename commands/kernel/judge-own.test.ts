import { describe, expect, test } from 'vitest';
import type { Answer, Job } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import type { CastHistory } from '../../kernels/history/cast-history.ts';
import type { ContractVerdict } from '../../kernels/judge/judge-history.ts';
import { refusalsHaveTheirErrno } from '../../properties/ftrace/refusals-have-their-errno.ts';
import { attachcheck } from '../../test/console.ts';
import { schemaProblems, shapeDifferences } from '../../test/shape.ts';
import { sources } from '../../test/sources.ts';
import type { OwnKernels, OwnRun } from './judge-own.ts';
import { judgeDrawn, judgeTraces } from './judge-own.ts';

const RUN: OwnRun = {
  named: { tree: 'linux' },
  kernel: { release: '6.12.117' },
  profile: '6.12',
  seed: 7,
  runs: 8,
  from: 0,
  shard: { number: 1, of: 1 },
  scope: 'bound functions',
  near: false,
};

const CALLS = /^(register_kprobe)$/;

/** A kernel that refuses each register_kprobe() with EBUSY: a breach, a listed one, or only unlike the profile. */
class Refusing implements OwnKernels {
  boots = 1;

  constructor(private readonly as: 'breach' | 'listed' | 'difference') {}

  run({ case: c }: CastHistory): ContractVerdict {
    const step = c.actions.findIndex(({ do: name }) => CALLS.test(name));
    const calls = step < 0 ? c.actions.length : step + 1;
    const verdict = {
      answers: c.actions.slice(0, calls).map((_, i) => (i === step ? '-EBUSY' : '0')),
      calls,
      looks: 2 * calls,
      judged: 9 * calls,
      damaged: false,
      unjudgedEnd: false,
    };
    if (step < 0) return { ...verdict, breach: undefined, difference: undefined };
    const difference = { step, aspect: 'errno', fn: '', kernel: ['EBUSY'], model: ['0'] } as const;
    const finding = {
      is: 'errno-differs',
      action: 'register_kprobe',
      because: 'nothing is wrong',
      allowed: [0],
      observed: 'EBUSY',
    } as const;
    const known = this.as === 'listed' ? 'a-listed-breach' : undefined;
    const breach = { law: refusalsHaveTheirErrno, finding, step, look: undefined };
    return {
      ...verdict,
      difference,
      breach: this.as === 'difference' ? undefined : { ...breach, model: { agrees: false, known } },
    };
  }

  runHere(question: CastHistory): ContractVerdict {
    return this.run(question);
  }

  runAlone(question: CastHistory): ContractVerdict {
    this.boots++;
    return this.run(question);
  }

  close(): void {}
}

/** One that refuses it only once another call has been made since the boot. */
class Remembering extends Refusing {
  private hasRun = false;
  private isMarked = false;

  constructor() {
    super('breach');
  }

  override run(question: CastHistory): ContractVerdict {
    const isNew = !this.hasRun;
    const verdict = this.runHere(question);
    return isNew || verdict.breach === undefined ? verdict : this.runAlone(question);
  }

  override runHere(question: CastHistory): ContractVerdict {
    this.hasRun = true;
    const { actions } = question.case;
    const mark = actions.findIndex(({ do: name }) => !CALLS.test(name));
    const first = this.isMarked ? 0 : mark < 0 ? actions.length : mark;
    this.isMarked ||= mark >= 0;
    const shown = { ...question, case: { ...question.case, actions: actions.slice(first) } };
    const { breach, ...verdict } = super.run(shown);
    return { ...verdict, breach: breach && { ...breach, step: breach.step + first } };
  }

  override runAlone(question: CastHistory): ContractVerdict {
    this.isMarked = false;
    this.boots++;
    return this.runHere(question);
  }
}

function answerOf(job: Job, stopAfter = Number.POSITIVE_INFINITY): Answer {
  for (let n = 0, step = job.next(false); ; step = job.next(++n >= stopAfter))
    if (step.done === true) return step.value;
}

const [SHAPE] = [...sources('docs/json.md')[0]!.text.matchAll(/^```json ownKernel\n(.*?)^```$/gms)].map(
  ([, text]) => JSON.parse(text!),
);

describe('a user’s kernel', () => {
  test('that holds says what was run, and what it answers otherwise than its profile', () => {
    const { exit, text, json, save } = answerOf(judgeDrawn(RUN, new Refusing('difference')));
    expect([exit, save]).toEqual([EXIT.HELD, []]);
    expect(text).toMatch(/^✓ 6\.12\.117: held within this bound\n {2}\d histories, \d+ calls, \d+ looks\n/);
    expect(text).toMatch(/differs from 6\.12 in 1 answer; no breach by itself:\n {4}register_kprobe\(/);
    expect(text).toContain('      kernel EBUSY\n      model  0');
    expect(shapeDifferences(SHAPE, json)).toEqual([]);
    expect(schemaProblems('ownKernel', JSON.parse(JSON.stringify(json)))).toEqual([]);
  });

  test('that breaks a law is reported with the shortest history, and ends with 1', () => {
    const { exit, text, json, save } = answerOf(judgeDrawn(RUN, new Refusing('breach')));
    expect(exit).toBe(EXIT.BROKEN);
    expect(text).toMatch(/^✗ ftrace\/refusals-have-their-errno +always\n/);
    expect(text).toMatch(/\n {2}1 call, shrunk from \d+ by \d+ histories run · kernel 6\.12\.117\n/);
    expect(text).toMatch(/\n {2}register_kprobe\(kprobe#1, f1\) += -EBUSY\n/);
    expect(text).toContain('\n  model      6.12 differs in call 1, errno: 0\n');
    expect(text).toMatch(
      /\n {2}again {6}npm run check -- kernel --tree linux --profile 6\.12\s+\\?\s*counterexamples\/corpus\/kernel\/6\.12\.117\.refusals-have-their-errno\.seed-7\.trace\n/,
    );
    expect(save[0]?.path).toBe(
      'counterexamples/corpus/kernel/6.12.117.refusals-have-their-errno.seed-7.trace',
    );
    expect(shapeDifferences(SHAPE, json)).toEqual([]);
    expect(schemaProblems('ownKernel', JSON.parse(JSON.stringify(json)))).toEqual([]);
  });

  test('whose breach rests on an earlier history is shrunk to what shows it in a new boot', () => {
    const { exit, text } = answerOf(judgeDrawn(RUN, new Remembering()));
    expect(exit).toBe(EXIT.BROKEN);
    expect(text).toMatch(/\n {2}2 calls, shrunk from \d+ by \d+ histories run · kernel 6\.12\.117\n/);
  });

  test('that breaks one in a listed way holds, and names it', () => {
    const { exit, text } = answerOf(judgeDrawn(RUN, new Refusing('listed')));
    expect(exit).toBe(EXIT.HELD);
    expect(text).toMatch(/known {6}a-listed-breach \(\d\)/);
  });

  test('that is stopped ends with 4 and the command that resumes', () => {
    const { exit, text } = answerOf(judgeDrawn(RUN, new Refusing('difference')), 2);
    expect(exit).toBe(EXIT.INCONCLUSIVE);
    expect(text).toMatch(/npm run check -- kernel --tree linux --profile 6\.12 --runs 8 --seed 7 --from \d$/);
  });

  test('is run a file, in a new boot and as it stands', () => {
    const text = 'kernel   6.12\n\nf1 = function(u64 -> u64)\nregister_kprobe(kprobe#1, f1)\n';
    const kernel = new Refusing('breach');
    const { exit, text: printed } = answerOf(judgeTraces(RUN, kernel, [{ path: 'a.calls', text }]));
    expect([exit, kernel.boots]).toEqual([EXIT.BROKEN, 2]);
    expect(printed).toContain('\n  1 call · kernel 6.12.117\n');
  });

  test('is not run a file that the recorder cannot do', () => {
    const text = 'kernel   6.12\n\nf1 = function(u64 -> u64)\nregister_kprobe(kprobe#1, f1+0xa)\n';
    expect(() => answerOf(judgeTraces(RUN, new Refusing('breach'), [{ path: 'b.calls', text }]))).toThrow(
      /^b\.calls has what the recorder does not do: kprobes in a body/,
    );
  });
});

test.each([
  [['kernel', '--tree', 'no/such/tree'], 'there is no folder'],
  [['kernel', '--image', 'bzImage'], '--image FILE with --headers FOLDER'],
  [['kernel', '--tree', '.', '--headers', '.'], 'your own kernel is --tree FOLDER'],
  [['kernel', '--tree', 'docs'], 'the tree is not configured'],
])('%j is refused in one sentence', async (argv, words) => {
  const { exit, stderr } = await attachcheck(argv);
  expect(exit).toBe(EXIT.USAGE);
  expect(stderr).toContain(words);
});
