import type { Action } from '../../../model/client/all.ts';
import type { Ip } from '../../../model/core/ids.ts';
import { item } from '../../../model/core/present.ts';
import type { AttachCase } from '../attach-case.ts';
import { withoutOneOrTwo } from './fewer.ts';
import type { ActionForm } from './forms.ts';
import { formsFor } from './forms.ts';
import type { Life } from './lives.ts';
import { detachOf, livesOf } from './lives.ts';

/** Numbers that no object of a sequence has. */
const NEW = [91, 92] as const;

/** Lives of a sequence at most for two of them to be replaced at once. */
const LIVES_MOST = 4;

/**
 * The sequence with one client replaced by one of another kind, or by another one's detaching or second attaching.
 */
export function withAnotherClient(c: AttachCase): AttachCase[] {
  const lives = livesOf(c.actions);
  const again = lives.flatMap(({ attach, detach }): ActionForm[] => {
    const own = item(c.actions, attach);
    const other = detach === undefined ? detachOf(own) : undefined;
    return [own, ...(other === undefined ? [] : [other])].map((action) => ({ before: [], attach: action }));
  });
  const forms = c.functions.flatMap(({ name: ip }) =>
    directsOf(lives).flatMap((direct) => formsFor({ n: NEW[0], ip, direct })),
  );
  return lives.flatMap((life) => [...forms, ...again].map((form) => replaced(c, [{ life, form }])));
}

/** The sequence with any one or two actions replaced by the attaching of a client anywhere. */
export function withAnAttachInstead(c: AttachCase): AttachCase[] {
  const attaches = c.functions
    .flatMap(({ name: ip }) => formsFor({ n: NEW[0], ip, direct: '' }))
    .filter(({ before, attach }) => before.length === 0 && detachOf(attach) !== undefined);
  return withoutOneOrTwo(c).flatMap((shorter) =>
    [...shorter.actions, undefined].flatMap((_, index) =>
      attaches.map(({ attach }) => ({ ...c, actions: shorter.actions.toSpliced(index, 0, attach) })),
    ),
  );
}

/**
 * The sequence with two clients replaced at once, of which one may move the direct call of the other; by a failure
 * only where there is one.
 */
export function withTwoOtherClients(c: AttachCase): AttachCase[] {
  const lives = livesOf(c.actions);
  if (lives.length > LIVES_MOST) return [];
  const fails = c.actions.some((action) => action.do === 'fail');
  const pairs = c.functions
    .flatMap(({ name: ip }) => formPairs(item(c.functions, 0).name, ip))
    .filter((pair) => fails || pair.every(({ attach }) => attach.do !== 'fail'));
  return lives.flatMap((life, i) =>
    lives.slice(i + 1).flatMap((other) =>
      pairs.map(([form, second]) =>
        replaced(c, [
          { life, form },
          { life: other, form: second },
        ]),
      ),
    ),
  );
}

/** All forms of two clients, of two functions or one; a second failure would take the place of the first. */
function formPairs(ip: Ip, otherIp: string): (readonly [ActionForm, ActionForm])[] {
  const [n, m] = NEW;
  const others = formsFor({ n: m, ip: otherIp, direct: `direct#${n}` });
  return formsFor({ n, ip, direct: `direct#${m}` }).flatMap((form) =>
    others
      .filter(({ attach }) => attach.do !== 'fail' || form.attach.do !== 'fail')
      .map((second) => [form, second] as const),
  );
}

/** The direct calls of a sequence; a missing one when there are none. */
function directsOf(lives: readonly Life[]): string[] {
  const objects = lives.map(({ object }) => object).filter((object) => object.startsWith('direct#'));
  return objects.length > 0 ? objects : ['direct#1'];
}

interface Replacement {
  readonly life: Life;
  readonly form: ActionForm;
}

/** The preparation comes at the beginning; the rest takes the places of the replaced actions. */
function replaced(c: AttachCase, replacements: readonly Replacement[]): AttachCase {
  const before = replacements.flatMap(({ form }) => form.before);
  const rest = c.actions.flatMap((action, i): Action[] => {
    const own = replacements.find(({ life }) => life.places.includes(i));
    if (own === undefined) return [action];
    if (i === own.life.attach) return [own.form.attach];
    const detach = i === own.life.detach ? detachOf(own.form.attach) : undefined;
    return detach === undefined ? [] : [detach];
  });
  return { ...c, actions: [...before, ...rest] };
}
