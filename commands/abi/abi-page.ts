import { argumentRows, frameOffset, fromAbove } from '../../counterexamples/images/drawing.ts';
import { listImage } from '../../counterexamples/images/excerpt.ts';
import { count } from '../../counterexamples/text.ts';
import { printFlags } from '../../model/trampoline/flags.ts';
import { planImage } from '../../model/trampoline/plan/plan.ts';
import { hexBytes } from '../../model/x86/listing-line.ts';
import type { Subject } from '../../properties/observed/subject.ts';
import { escaped } from '../page/html.ts';
import type { PageCell, PageSection } from '../page/static-page.ts';
import { asPrinted, pageOfSections, table } from '../page/static-page.ts';

/** Printed words about an image, besides its tables. */
export interface ImageWords {
  /** The combination, in one line. */
  readonly combination: string;
  readonly judged: readonly string[];
  /** How a call comes to it: `f+0x4     call`. */
  readonly entry: string;
}

/** An image: its verdict, its arguments, its frame, and its code. */
export function abiPage(subject: Subject, { combination, judged, entry }: ImageWords): string {
  const { flags, bytes } = subject;
  const head = {
    title: combination,
    lead: `tramp#1: ${count(bytes.length)} bytes, ${printFlags(flags)}`,
    code: `${entry.replaceAll(/ +/g, ' ')} tramp#1`,
  };
  return pageOfSections(head, [
    { id: 'verdict', title: 'Verdict', body: asPrinted(judged) },
    argumentSection(subject),
    frameSection(subject),
    codeSection(subject),
  ]);
}

function argumentSection({ request }: Subject): PageSection {
  const rows = argumentRows(request.signature);
  const body = table({
    caption:
      'Words of the arguments: their place in ctx, where the caller passes them, where the image looks',
    head: ['ctx', 'word', 'passed in', 'read from'],
    groups: [
      { rows: rows.map(({ place, what, passed, read }) => [place, what, passed, readCell(read, passed)]) },
    ],
  });
  return { id: 'arguments', title: 'Arguments', body: rows.length === 0 ? '<p>none</p>' : body };
}

/** What the image reads from elsewhere is set off. */
function readCell(read: string, passed: string): PageCell {
  return read === passed ? read : { html: `<b>${escaped(read)}</b>`, attributes: { class: 'refused' } };
}

function frameSection({ request }: Subject): PageSection {
  const rows = fromAbove(planImage(request)).map(([offset, what]): PageCell[] => {
    const attributes = { class: offset === 0 ? 'figure base' : offset > 0 ? 'figure caller' : 'figure' };
    const place = { html: frameOffset(offset), attributes };
    return [
      place,
      { html: escaped(what), attributes: { class: attributes.class.replace('figure', '').trim() } },
    ];
  });
  const body = table({
    caption: 'The frame, highest address first; offsets from rbp in bytes',
    head: ['offset', 'content'],
    groups: [{ rows }],
    kind: 'frame',
  });
  return { id: 'frame', title: 'Frame', body };
}

function codeSection(subject: Subject): PageSection {
  const rows = listImage(subject).map(({ offset, bytes, text, note, marked }): PageCell[] => [
    `${marked ? '▶ ' : ''}tramp#1+0x${offset.toString(16)}`,
    { html: hexBytes(bytes), attributes: { class: 'bytes' } },
    { html: escaped(text), attributes: { class: 'instruction' } },
    note,
  ]);
  const body = table({
    caption: 'The code of the image; a role is named where it begins',
    head: ['place', 'bytes', 'instruction', 'role'],
    groups: [{ rows }],
    kind: 'code',
  });
  return { id: 'code', title: 'Code', body };
}
