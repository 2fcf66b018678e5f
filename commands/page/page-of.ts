import { isSaved } from '../../counterexamples/trace-file.ts';
import { traceKind } from '../../counterexamples/trace-kind.ts';
import { InputError, located } from '../../model/core/input-error.ts';
import { unreachable } from '../../model/core/unreachable.ts';
import { loadedModules } from '../line/own-modules.ts';
import type { NamedTrace } from '../line/read-trace.ts';
import { historyPage } from './history-page.ts';
import { interleavingPage } from './interleaving-page.ts';
import { sequencePage } from './sequence-page.ts';
import type { WalkPage } from './walk-page.ts';
import { walkPage } from './walk-page.ts';

/** The page of a trace, as HTML. Throws an InputError when there is none of it. */
export async function pageOf({ path, text }: NamedTrace): Promise<string> {
  if (loadedModules().length > 0)
    throw new InputError('--html: a page has the model of this package, and nothing of --with');
  return walkPage(
    located(path, () => pageFor(text)),
    path,
    reportOf(text),
  );
}

function pageFor(text: string): WalkPage {
  const kind = traceKind(text);
  switch (kind) {
    case 'interleaving':
      return interleavingPage(text);
    case 'sequence':
      return sequencePage(text);
    case 'history':
      return historyPage(text);
    case 'image':
      throw new InputError('an attach combination has no steps to walk through');
    default:
      return unreachable(kind);
  }
}

/** The report of a saved trace, below its rule; empty: it has none. */
function reportOf(text: string): string {
  return isSaved(text) ? (text.split(/^-{80}$\n/m)[1] ?? '') : '';
}
