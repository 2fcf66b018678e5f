/** One line of a section: a subject and its value. */
export interface SubjectRow {
  readonly subject: string;
  readonly value: string;
}

/**
 * An object of the kernel as rows: one for each of its entries, and for each of theirs where those are objects. Zero, false
 * and empty values are left out: a state has more of those than of any other.
 */
export function rowsOf(name: string, value: unknown): SubjectRow[] {
  if (!isRecord(value)) return rowFor(name, value);
  return Object.entries(value).flatMap(([key, inner]) =>
    isRecord(inner) && Object.values(inner).some(isRecord)
      ? Object.entries(inner).flatMap(([of, each]) => rowFor(`${name}${key} ${of}`, each))
      : rowFor(`${name}${key}`, inner),
  );
}

function rowFor(subject: string, value: unknown): SubjectRow[] {
  const text = brief(value);
  return text === '' ? [] : [{ subject, value: text }];
}

/** A value in a few words: `refs 2, state live`; empty: there is nothing to say. */
export function brief(value: unknown): string {
  if (value === null || value === undefined || value === false || value === 0 || value === '') return '';
  if (value === true) return 'yes';
  if (Array.isArray(value)) return value.every(isNothing) ? '' : value.map(element).join(', ');
  if (isWord(value)) return wordText(value);
  if (isRecord(value))
    return Object.entries(value)
      .flatMap(([key, inner]) => {
        const text = brief(inner);
        if (text === '') return [];
        return [inner === true ? key : `${key} ${isRecord(inner) && !isWord(inner) ? `{ ${text} }` : text}`];
      })
      .join(', ');
  return String(value);
}

function element(value: unknown): string {
  return isNothing(value) ? '–' : isRecord(value) ? `{ ${brief(value)} }` : brief(value);
}

function isNothing(value: unknown): boolean {
  return brief(value) === '';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A machine word: two halves of 32 bits. */
function isWord(value: unknown): value is { readonly hi: number; readonly lo: number } {
  return isRecord(value) && Object.keys(value).sort().join() === 'hi,lo';
}

function wordText({ hi, lo }: { readonly hi: number; readonly lo: number }): string {
  const number = (BigInt(hi >>> 0) << 32n) | BigInt(lo >>> 0);
  return number === 0n ? '' : `0x${number.toString(16)}`;
}
