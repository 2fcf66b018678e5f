import type { AbiFound, AbiSearch, AbiSearched } from '../../checker/arguments/search.ts';
import { searchAbi } from '../../checker/arguments/search.ts';
import type { Answer, Exit } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { headLines, tailLines } from '../../counterexamples/report-frame.ts';
import { count, counted, labelled } from '../../counterexamples/text.ts';
import { present } from '../../model/core/present.ts';
import { rendered } from '../../properties/finding/render.ts';
import { printSample } from '../../properties/law/argument-law.ts';
import { lawLines } from '../check/pass.ts';

/** Checks the laws on argument places and on shared images against functions drawn at random. */
export function holdAbiLaws(search: AbiSearch): Answer {
  const searched = searchAbi(search);
  const { found, cases } = searched;
  const exit = exitOf(search, searched);
  const text = [
    ...(found === undefined ? heldLines(search, searched) : breachLines(search, found)),
    '',
    `  ${counted(cases, 'set')} of functions drawn`,
    `  seed ${search.seed}`,
  ];
  return {
    text: text.join('\n'),
    json: { command: 'abi', exit, ...searchJson(search, searched) },
    exit,
    save: [],
  };
}

function exitOf({ laws, planted, cases }: AbiSearch, searched: AbiSearched): Exit {
  if (searched.found !== undefined) return EXIT.BROKEN;
  const isVacuous = laws.some(({ name }) => searched.witnesses.get(name) === 0);
  return isVacuous || planted !== undefined || searched.cases < cases ? EXIT.INCONCLUSIVE : EXIT.HELD;
}

function heldLines({ laws, planted }: AbiSearch, { witnesses, cases }: AbiSearched): string[] {
  const lines = laws.flatMap((law) => {
    const met = witnesses.get(law.name)!;
    return lawLines(law, { met, of: cases, noun: 'set' });
  });
  if (planted !== undefined) lines.push(`? the planted bug ${planted.name} was not found`);
  return lines;
}

function breachLines({ seed, planted }: AbiSearch, { law, sample, finding, drawn }: AbiFound): string[] {
  const { expected, observed } = rendered(finding);
  const bug = planted === undefined ? '' : ` · planted bug: ${planted.name}`;
  const command = `npm run check -- abi --law ${law.name}${planted === undefined ? '' : ` --planted ${planted.name}`} --seed ${seed}`;
  return [
    ...headLines(law, `${counted(sample.functions.length, 'function')}, shrunk from ${count(drawn)}${bug}`),
    ...labelled('functions', printSample(sample)),
    '',
    ...labelled('expected', expected),
    ...labelled('observed', observed),
    ...tailLines(law, {
      shrunkFrom: drawn,
      planted: planted?.name,
      narrow: undefined,
      minimal: 'dropping any function or argument, or turning one more type into u64, makes it pass',
      replay: command,
      search: undefined,
    }),
  ];
}

function searchJson({ seed, planted, laws }: AbiSearch, { cases, witnesses, found }: AbiSearched) {
  return {
    seed,
    planted: planted?.name ?? null,
    cases,
    laws: laws.map(({ name }) => ({ name, met: present(witnesses.get(name), name) })),
    counterexample:
      found === undefined
        ? null
        : { law: found.law.name, functions: printSample(found.sample), ...rendered(found.finding) },
  };
}
