import { NO_FUNCTION, NO_SITE, NO_TRACEPOINT } from '../../model/client/named-objects.ts';
import { C_FUNCTIONS, ENTRY_CODE } from '../../model/text/space.ts';

/** Whether a name has a meaning in every trace: of clients' functions, of entry code, of functions in C. */
export function isOfTheModel(name: string): boolean {
  const isClients = /^my_(tramp|probe)\d$/.test(name);
  return (
    isClients ||
    [...ENTRY_CODE, ...C_FUNCTIONS, NO_FUNCTION, NO_SITE, NO_TRACEPOINT].some((own) => own === name)
  );
}
