import { AUDITS } from './all.ts';
import type { Audit, AuditedFunction, AuditRow } from './row.ts';

/** A row with its function. */
interface Placed extends AuditRow {
  readonly fn: string;
  readonly basis: string | undefined;
}

const HEAD = `# Audit

Every \`goto\`, early return, error branch, wait, deferred callback, lock and allocation of the modelled kernel functions,
each with its counterpart in the model, or with the reason why there is none. The rows are in
[\`conformance/audit/\`](../conformance/audit/row.ts), one file for each file of the kernel; they were written while
reading the functions in the source of 6.1.192, 6.12.117 and 7.2.13. A test beside them compares them
with the model: it fails for a refusal, an early return, a rollback, a lock, a wait or an allocation of a kernel function
that no row names, and for a row that names what the model does not have. Routines of designs that no kernel has are
outside. This page is generated (\`UPDATE=1 npm test -- conformance/audit\`).
`;

/** docs/audit.md: rows of each file, what is not modelled and why, and what the rows of 7.2 rest on. */
export function auditPage(audits: readonly Audit[] = AUDITS): string {
  const rows = audits.flatMap(rowsOf);
  return [
    HEAD,
    table(
      ["the kernel's file", 'functions', 'rows', 'modelled', 'not modelled'],
      [...audits.map((audit) => fileRow(audit)), totalRow(audits)],
    ),
    '\n## Not modelled\n',
    table(['reason', 'rows', 'functions'], reasonRows(rows)),
    '\n## What the rows of 7.2 rest on\n',
    table(['basis', 'rows', 'functions'], basisRows(rows)),
    '',
  ].join('\n');
}

function rowsOf({ functions }: Audit): Placed[] {
  return functions.flatMap(({ fn, basis, rows }) => rows.map((row) => ({ ...row, fn, basis })));
}

function fileRow(audit: Audit): string[] {
  return [`\`${audit.file}\``, ...counts(audit.functions, rowsOf(audit))];
}

function totalRow(audits: readonly Audit[]): string[] {
  return [
    'all',
    ...counts(
      audits.flatMap(({ functions }) => functions),
      audits.flatMap(rowsOf),
    ),
  ];
}

function counts(functions: readonly AuditedFunction[], rows: readonly Placed[]): string[] {
  const modelled = rows.filter(({ counterpart }) => 'parts' in counterpart).length;
  const names = new Set(functions.map(({ fn }) => fn));
  return [names.size, rows.length, modelled, rows.length - modelled].map(String);
}

/** Reasons with many rows come first. */
function reasonRows(rows: readonly Placed[]): string[][] {
  return grouped(rows, ({ counterpart }) => ('omitted' in counterpart ? counterpart.omitted : undefined));
}

function basisRows(rows: readonly Placed[]): string[][] {
  const of72 = rows.filter((row) => row.in.includes('7.2'));
  const others = grouped(of72, ({ basis }) => basis);
  const fromSource = of72.filter(({ basis }) => basis === undefined).length;
  return [['the source of 7.2.13', String(fromSource), 'all others'], ...others];
}

function grouped(rows: readonly Placed[], by: (row: Placed) => string | undefined): string[][] {
  const groups = new Map<string, Placed[]>();
  for (const row of rows) {
    const key = by(row);
    if (key !== undefined) groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([key, group]) => {
      const names = [...new Set(group.map(({ fn }) => `\`${fn}()\``))].toSorted();
      return [key, String(group.length), names.join(', ')];
    });
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
