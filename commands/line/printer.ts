import type { AnswerPart } from '../../counterexamples/answer.ts';
import type { CheckFormat } from '../formats/check-format.ts';
import { completeSuites } from '../formats/complete.ts';
import { checksDocument } from '../formats/document.ts';
import { colouredBy } from './colours.ts';
import type { Driven } from './drive.ts';
import type { Format } from './format.ts';
import { csvText } from './format.ts';
import { paint } from './paint.ts';
import { Results } from './results.ts';
import type { Terminal } from './terminal.ts';
import { nameWith } from './typed.ts';
import { verdictLines } from './verdict-line.ts';
import { visible } from './visible.ts';

/** Options for the output of a command. */
export interface OutputOptions {
  readonly json?: boolean;
  readonly format?: Format;
  /** In detail. */
  readonly verbose?: boolean;
  /** The folder of new counterexamples; `true`: the usual one; `false`: none. */
  readonly save?: boolean | string;
  /** The user's modules. */
  readonly with?: readonly string[];
}

/** Prints an answer as it arrives, and saves each finding after its report. All but text is printed at the end. */
export class Printer {
  private readonly results: Results;
  private readonly format: Format;
  private readonly isVerbose: boolean;
  /** All parts, spelled as reports are. */
  private text = '';

  constructor(
    private readonly terminal: Terminal,
    private readonly argv: readonly string[],
    { json = false, verbose = false, format, save, with: modules }: OutputOptions,
  ) {
    const { results, name, err } = terminal;
    this.isVerbose = verbose;
    this.format = format ?? (json ? 'json' : 'text');
    const folder = typeof save === 'string' ? save : save === false ? undefined : results;
    this.results = new Results(folder, nameWith(name, modules), err);
  }

  part({ text: short, verbose = short, save, goesOn }: AnswerPart): void {
    this.results.plan(save);
    this.show(this.isVerbose ? verbose : short, goesOn);
    this.results.write();
  }

  private show(asWritten: string, goesOn: AnswerPart['goesOn']): void {
    const text = visible(asWritten);
    if (text === '') return;
    const between = this.text === '' ? '' : goesOn === true && !this.isVerbose ? '\n' : '\n\n';
    if (this.format === 'text')
      this.print((between === '' ? '' : between.slice(1)) + this.results.told(text));
    this.text += between + text;
  }

  /** Prints the rest, and answers all of it. */
  end(driven: Driven): string {
    const { answer } = driven;
    this.part(answer);
    const { results } = this;
    const argv = answer.asked ?? this.argv;
    const verdict = verdictLines(driven, { argv, fileOf: (saved) => results.fileOf(saved) });
    if (verdict.length > 0) this.part({ text: verdict.join('\n'), save: [] });
    this.whole(driven);
    results.writeAsked(answer.files ?? []);
    return this.text;
  }

  /** Prints one piece, independent of the output before it. */
  private whole(driven: Driven): void {
    const { format, results, terminal } = this;
    const { json, csv = [] } = driven.answer;
    switch (format) {
      case 'json':
        return terminal.out(
          `${JSON.stringify({ ...json, exit: driven.exit }, (_, value) => results.toldJson(value), 2)}\n`,
        );
      case 'csv':
        return terminal.out(`${csvText(csv)}\n`);
      case 'text':
        return;
      default:
        return terminal.out(this.checks(format, driven));
    }
  }

  private checks(format: CheckFormat, { answer, exit, signal }: Driven): string {
    const suites = completeSuites(answer.suites ?? [], { exit, signal, verdict: answer.verdict });
    return checksDocument(format, {
      suites: suites.map((suite) => this.results.toldSuite(suite)),
      exit,
      signal,
      argv: answer.asked ?? this.argv,
    });
  }

  private print(text: string): void {
    const { out, coloured } = this.terminal;
    out(`${colouredBy(this.argv, coloured) ? paint(text) : text}\n`);
  }
}
