import type { Command, Help } from 'commander';
import { EXAMPLES } from '../line/examples.ts';
import { bold, fromMarkdown, roff, section, tagged, usage } from './roff.ts';

/** What a page has that the declared commands do not say. */
export interface ManualTexts {
  readonly version: string;
  /** One line, without the name. */
  readonly description: string;
  /** Paragraphs of Markdown. */
  readonly about: readonly string[];
  /** Exit codes, and what each says, in Markdown. */
  readonly exits: readonly (readonly [code: string, text: string])[];
}

/** The manual page of the program, in the macros of man(7): a section of the commands as they are declared. */
export function manualPage(cli: Command, { version, description, about, exits }: ManualTexts): string {
  const name = cli.name();
  const lines = [
    `.TH ${name.toUpperCase()} 1 "" "${name} ${version}" "User Commands"`,
    ...section('NAME', [`${name} \\- ${roff(description)}`]),
    ...section('SYNOPSIS', [
      `${bold(name)} ${usage('[options] [file]')}`,
      '.br',
      `${bold(name)} ${usage('<command> [options] [argument...]')}`,
    ]),
    ...section('DESCRIPTION', paragraphs(about)),
    ...section('OPTIONS', [roff('Without a command:'), ...optionLines(cli, [])]),
    ...section('COMMANDS', [roff(EACH), ...cli.commands.flatMap((command) => commandLines(command))]),
    ...section('EXIT STATUS', taggedAll(exits)),
    ...section('ENVIRONMENT', taggedAll(ENVIRONMENT)),
    ...section('FILES', taggedAll(FILES)),
    ...section('EXAMPLES', exampleLines(name)),
    ...section('SEE ALSO', [SEE_ALSO.map(([page, of]) => `${bold(page)}(${of})`).join(', ')]),
  ];
  return `${lines.join('\n')}\n`;
}

const EACH = 'Each but help has --json, --color, --with and --help beside its own options.';
const OF_EACH = ['--json', '--color', '--with', '--help'];

const ENVIRONMENT: readonly (readonly [string, string])[] = [
  ['NO_COLOR', 'not empty: text has no colours'],
  [
    'FORCE_COLOR',
    'text has colours, also in a pipe; `0`: none. It is above `NO_COLOR`, and `--color` above both',
  ],
  ['CI', 'progress is a line every ten seconds, and text has no colours'],
  ['ATTACHCHECK_CACHE', 'folder of the packages and images of `kernel`'],
  ['ATTACHCHECK_MIRROR', 'address of the archive from which `kernel setup` fetches packages'],
  ['NODE_COMPILE_CACHE', 'folder of compiled code, with Node 22.1 or later'],
];

const FILES: readonly (readonly [string, string])[] = [
  ['attachcheck-results/', 'new counterexamples, each of which `replay` reads'],
  ['attachcheck-soak', 'what `soak` has done, from which it resumes'],
  ['attachcheck-3-of-16.json', 'result of one shard, for `merge`'],
  ['~/.cache/attachcheck/', 'packages and images of `kernel`'],
];

const SEE_ALSO: readonly (readonly [string, number])[] = [
  ['bpftool', 8],
  ['bpftrace', 8],
  ['perf\\-probe', 1],
  ['trace\\-cmd', 1],
  ['bpf', 2],
];

function paragraphs(texts: readonly string[]): string[] {
  return texts.flatMap((text, i) => [...(i === 0 ? [] : ['.PP']), fromMarkdown(text)]);
}

function taggedAll(rows: readonly (readonly [string, string])[]): string[] {
  return rows.flatMap(([term, text]) => tagged(bold(term), fromMarkdown(text)));
}

function commandLines(command: Command): string[] {
  const args = command.registeredArguments.map((argument) => command.createHelp().argumentTerm(argument));
  const own = command.usage().replace(/^\[options\] ?/, '');
  return [
    `.SS ${usage([command.name(), ...(own === '' ? args : [own])].join(' '))}`,
    roff(command.description()),
    ...optionLines(command, OF_EACH),
  ];
}

function optionLines(command: Command, without: readonly string[]): string[] {
  const help: Help = command.createHelp();
  return help
    .visibleOptions(command)
    .filter(({ long }) => !without.includes(long ?? ''))
    .flatMap((option) => tagged(usage(help.optionTerm(option)), roff(help.optionDescription(option))));
}

function exampleLines(name: string): string[] {
  const lines = Object.values(EXAMPLES).flatMap((examples) =>
    examples.slice(0, 1).map((example) => roff(`${name} ${example}`)),
  );
  return ['.nf', ...lines, '.fi'];
}
