import type { Confirmed } from '../../conformance/known/confirm.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import type { CheckSuite, RunCheck } from '../../counterexamples/run-check.ts';
import { suiteOf } from '../../counterexamples/run-part.ts';
import { counted } from '../../counterexamples/text.ts';
import type { Replayed } from '../../counterexamples/trace-file.ts';
import { REPLAY_EXITS } from '../replay/replay.ts';

const SHOWN = {
  name: 'attachcheck/listed-bugs-are-shown',
  sentence: 'A listed bug of a kernel is shown by its example.',
};

const SAME = {
  name: 'attachcheck/saved-traces-replay',
  sentence: 'A saved counterexample breaks its law again, with the same report.',
};

/** A check for each listed bug, and for those that a stop has left out. */
export function knownSuite({ json, failures }: Confirmed, left: readonly string[]): CheckSuite {
  const checks = json.map(({ name, confirmed }): RunCheck => {
    const lines = failures.filter((failure) => failure.startsWith(`${name} `));
    return { name, rule: SHOWN, outcome: confirmed ? 'passed' : 'failed', lines };
  });
  return suiteOf({ name: 'known bugs', counts: counted(json.length, 'listed kernel bug') }, [
    ...checks,
    ...leftChecks(left, SHOWN),
  ]);
}

/** The same for saved traces, each at its file. */
export function savedSuite(
  results: readonly { readonly path: string; readonly result: Replayed['kind'] }[],
  left: readonly string[],
): CheckSuite {
  const checks = results.map(({ path, result }): RunCheck => {
    const place = { file: path };
    if (result === 'same') return { name: path, rule: SAME, place, outcome: 'passed' };
    const isError = REPLAY_EXITS[result] === EXIT.FAILED;
    return { name: path, rule: SAME, place, outcome: isError ? 'error' : 'failed', lines: [result] };
  });
  return suiteOf({ name: 'counterexamples', counts: counted(results.length, 'saved trace') }, [
    ...checks,
    ...leftChecks(left, SAME),
  ]);
}

function leftChecks(left: readonly string[], rule: RunCheck['rule']): RunCheck[] {
  return left.map((text) => ({ name: 'left out', rule, outcome: 'skipped', lines: [text] }));
}
