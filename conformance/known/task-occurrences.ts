/** What scenarios show, long on purpose: a table, which `npm run occurrences` writes. */

/** By scenario the listed breaches that it shows, and in how many moves and ends. */
export type Occurrences = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Of the default run, and of what `explore` explores in 6.1 and 6.12. */
export const OCCURRENCES: Occurrences = {
  '6.12, 2 cpus, 1 calls: attach f1, attach f1': {
    'rcu-tasks-trace-before-rcu-tasks': 930,
    'retired-image-loses-exits': 44,
  },
  '6.12, 2 cpus, 1 calls: attach f1, attach f2': {
    'rcu-tasks-trace-before-rcu-tasks': 2001,
  },
  '6.12, 2 cpus, 1 calls: attach f1, detach f1': {
    'retired-image-loses-exits': 22,
    'rcu-tasks-trace-before-rcu-tasks': 45,
  },
  '6.12, 2 cpus, 1 calls: attach f1, detach f2': {
    'rcu-tasks-trace-before-rcu-tasks': 1404,
  },
  '6.12, 2 cpus, 1 calls: attach f1, register f1': {},
  '6.12, 2 cpus, 1 calls: attach f1, register f2': {
    'rcu-tasks-trace-before-rcu-tasks': 171,
  },
  '6.12, 2 cpus, 1 calls: attach f1, modify f1': {},
  '6.12, 2 cpus, 1 calls: attach f1, modify f2': {
    'rcu-tasks-trace-before-rcu-tasks': 171,
  },
  '6.12, 2 cpus, 1 calls: attach f1, unregister f1': {},
  '6.12, 2 cpus, 1 calls: attach f1, unregister f2': {
    'rcu-tasks-trace-before-rcu-tasks': 162,
  },
  '6.12, 2 cpus, 1 calls: attach f1, live patch on f1': {
    'rcu-tasks-trace-before-rcu-tasks': 192,
  },
  '6.12, 2 cpus, 1 calls: attach f1, live patch on f2': {
    'rcu-tasks-trace-before-rcu-tasks': 126,
  },
  '6.12, 2 cpus, 1 calls: attach f1, live patch off f1': {
    'rcu-tasks-trace-before-rcu-tasks': 327,
  },
  '6.12, 2 cpus, 1 calls: attach f1, live patch off f2': {
    'rcu-tasks-trace-before-rcu-tasks': 162,
  },
  '6.12, 2 cpus, 1 calls: attach f2, detach f1': {},
  '6.12, 2 cpus, 1 calls: attach f2, register f1': {},
  '6.12, 2 cpus, 1 calls: attach f2, modify f1': {},
  '6.12, 2 cpus, 1 calls: attach f2, unregister f1': {},
  '6.12, 2 cpus, 1 calls: attach f2, live patch on f1': {},
  '6.12, 2 cpus, 1 calls: attach f2, live patch off f1': {},
  '6.12, 2 cpus, 1 calls: detach f1, detach f1': {
    'retired-image-loses-exits': 30,
    'rcu-tasks-trace-before-rcu-tasks': 75,
  },
  '6.12, 2 cpus, 1 calls: detach f1, detach f2': {
    'rcu-tasks-trace-before-rcu-tasks': 1680,
  },
  '6.12, 2 cpus, 1 calls: detach f1, register f1': {},
  '6.12, 2 cpus, 1 calls: detach f1, register f2': {
    'rcu-tasks-trace-before-rcu-tasks': 285,
  },
  '6.12, 2 cpus, 1 calls: detach f1, modify f2': {
    'rcu-tasks-trace-before-rcu-tasks': 255,
  },
  '6.12, 2 cpus, 1 calls: detach f1, unregister f2': {
    'rcu-tasks-trace-before-rcu-tasks': 270,
  },
  '6.12, 2 cpus, 1 calls: detach f1, live patch on f1': {
    'rcu-tasks-trace-before-rcu-tasks': 348,
  },
  '6.12, 2 cpus, 1 calls: detach f1, live patch on f2': {
    'rcu-tasks-trace-before-rcu-tasks': 210,
  },
  '6.12, 2 cpus, 1 calls: detach f1, live patch off f1': {
    'rcu-tasks-trace-before-rcu-tasks': 555,
  },
  '6.12, 2 cpus, 1 calls: detach f1, live patch off f2': {
    'rcu-tasks-trace-before-rcu-tasks': 270,
  },
  '6.12, 2 cpus, 1 calls: detach f2, register f1': {},
  '6.12, 2 cpus, 1 calls: detach f2, modify f1': {},
  '6.12, 2 cpus, 1 calls: detach f2, unregister f1': {},
  '6.12, 2 cpus, 1 calls: detach f2, live patch on f1': {},
  '6.12, 2 cpus, 1 calls: detach f2, live patch off f1': {},
  '6.12, 2 cpus, 1 calls: register f1, register f1': {},
  '6.12, 2 cpus, 1 calls: register f1, register f2': {},
  '6.12, 2 cpus, 1 calls: register f1, modify f1': {},
  '6.12, 2 cpus, 1 calls: register f1, modify f2': {},
  '6.12, 2 cpus, 1 calls: register f1, unregister f1': {},
  '6.12, 2 cpus, 1 calls: register f1, unregister f2': {},
  '6.12, 2 cpus, 1 calls: register f1, live patch on f1': {},
  '6.12, 2 cpus, 1 calls: register f1, live patch on f2': {},
  '6.12, 2 cpus, 1 calls: register f1, live patch off f1': {},
  '6.12, 2 cpus, 1 calls: register f1, live patch off f2': {},
  '6.12, 2 cpus, 1 calls: register f2, modify f1': {},
  '6.12, 2 cpus, 1 calls: register f2, unregister f1': {},
  '6.12, 2 cpus, 1 calls: register f2, live patch on f1': {},
  '6.12, 2 cpus, 1 calls: register f2, live patch off f1': {},
  '6.12, 2 cpus, 1 calls: modify f1, modify f2': {},
  '6.12, 2 cpus, 1 calls: modify f1, unregister f2': {},
  '6.12, 2 cpus, 1 calls: modify f1, live patch on f1': {},
  '6.12, 2 cpus, 1 calls: modify f1, live patch on f2': {},
  '6.12, 2 cpus, 1 calls: modify f1, live patch off f2': {},
  '6.12, 2 cpus, 1 calls: modify f2, unregister f1': {},
  '6.12, 2 cpus, 1 calls: modify f2, live patch on f1': {},
  '6.12, 2 cpus, 1 calls: modify f2, live patch off f1': {},
  '6.12, 2 cpus, 1 calls: unregister f1, unregister f2': {},
  '6.12, 2 cpus, 1 calls: unregister f1, live patch on f1': {},
  '6.12, 2 cpus, 1 calls: unregister f1, live patch on f2': {},
  '6.12, 2 cpus, 1 calls: unregister f1, live patch off f2': {},
  '6.12, 2 cpus, 1 calls: unregister f2, live patch on f1': {},
  '6.12, 2 cpus, 1 calls: unregister f2, live patch off f1': {},
  '6.12, 2 cpus, 1 calls: live patch on f1, live patch on f1': {},
  '6.12, 2 cpus, 1 calls: live patch on f1, live patch on f2': {},
  '6.12, 2 cpus, 1 calls: live patch on f1, live patch off f1': {},
  '6.12, 2 cpus, 1 calls: live patch on f1, live patch off f2': {},
  '6.12, 2 cpus, 1 calls: live patch on f2, live patch off f1': {},
  '6.12, 2 cpus, 1 calls: live patch off f1, live patch off f2': {},
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: attach f1, attach f1': {
    'rcu-tasks-trace-before-rcu-tasks': 930,
    'retired-image-loses-exits': 40,
  },
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: attach f1, attach f2': {
    'rcu-tasks-trace-before-rcu-tasks': 1254,
  },
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: attach f1, detach f1': {
    'retired-image-loses-exits': 20,
    'rcu-tasks-trace-before-rcu-tasks': 45,
  },
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: attach f1, detach f2': {
    'rcu-tasks-trace-before-rcu-tasks': 1422,
  },
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: attach f1, register f1': {},
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: attach f1, register f2': {
    'rcu-tasks-trace-before-rcu-tasks': 108,
  },
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: attach f1, modify f1': {},
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: attach f1, modify f2': {
    'rcu-tasks-trace-before-rcu-tasks': 171,
  },
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: attach f1, unregister f1': {},
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: attach f1, unregister f2': {
    'rcu-tasks-trace-before-rcu-tasks': 171,
  },
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: attach f1, live patch on f1': {
    'rcu-tasks-trace-before-rcu-tasks': 192,
  },
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: attach f1, live patch on f2': {
    'rcu-tasks-trace-before-rcu-tasks': 126,
  },
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: attach f1, live patch off f1': {
    'rcu-tasks-trace-before-rcu-tasks': 327,
  },
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: attach f1, live patch off f2': {
    'rcu-tasks-trace-before-rcu-tasks': 162,
  },
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: attach f2, detach f1': {},
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: attach f2, register f1': {},
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: attach f2, modify f1': {},
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: attach f2, unregister f1': {},
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: attach f2, live patch on f1': {},
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: attach f2, live patch off f1': {},
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: detach f1, detach f1': {
    'retired-image-loses-exits': 28,
    'rcu-tasks-trace-before-rcu-tasks': 75,
  },
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: detach f1, detach f2': {
    'rcu-tasks-trace-before-rcu-tasks': 1698,
  },
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: detach f1, register f1': {},
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: detach f1, register f2': {
    'rcu-tasks-trace-before-rcu-tasks': 180,
  },
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: detach f1, modify f2': {
    'rcu-tasks-trace-before-rcu-tasks': 255,
  },
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: detach f1, unregister f2': {
    'rcu-tasks-trace-before-rcu-tasks': 285,
  },
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: detach f1, live patch on f1': {
    'rcu-tasks-trace-before-rcu-tasks': 348,
  },
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: detach f1, live patch on f2': {
    'rcu-tasks-trace-before-rcu-tasks': 210,
  },
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: detach f1, live patch off f1': {
    'rcu-tasks-trace-before-rcu-tasks': 555,
  },
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: detach f1, live patch off f2': {
    'rcu-tasks-trace-before-rcu-tasks': 270,
  },
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: detach f2, register f1': {},
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: detach f2, modify f1': {},
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: detach f2, unregister f1': {},
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: detach f2, live patch on f1': {},
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: detach f2, live patch off f1': {},
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: register f1, register f1': {},
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: register f1, register f2': {},
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: register f1, modify f1': {},
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: register f1, modify f2': {},
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: register f1, unregister f1': {},
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: register f1, unregister f2': {},
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: register f1, live patch on f1': {},
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: register f1, live patch on f2': {},
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: register f1, live patch off f1': {},
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: register f1, live patch off f2': {},
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: register f2, modify f1': {},
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: register f2, unregister f1': {},
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: register f2, live patch on f1': {},
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: register f2, live patch off f1': {},
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: modify f1, modify f2': {},
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: modify f1, unregister f2': {},
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: modify f1, live patch on f1': {},
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: modify f1, live patch on f2': {},
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: modify f1, live patch off f2': {},
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: modify f2, unregister f1': {},
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: modify f2, live patch on f1': {},
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: modify f2, live patch off f1': {},
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: unregister f1, unregister f2': {},
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: unregister f1, live patch on f1': {},
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: unregister f1, live patch on f2': {},
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: unregister f1, live patch off f2': {},
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: unregister f2, live patch on f1': {},
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: unregister f2, live patch off f1': {},
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: live patch on f1, live patch on f1': {},
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: live patch on f1, live patch on f2': {},
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: live patch on f1, live patch off f1': {},
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: live patch on f1, live patch off f2': {},
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: live patch on f2, live patch off f1': {},
  '6.1, sleepableTargets = true, 1 cpus, 1 calls: live patch off f1, live patch off f2': {},
  '6.12, 1 cpus, 1 calls: attach f1, attach f1': {
    'rcu-tasks-trace-before-rcu-tasks': 930,
    'retired-image-loses-exits': 40,
  },
  '6.12, 1 cpus, 1 calls: attach f1, attach f2': {
    'rcu-tasks-trace-before-rcu-tasks': 2001,
  },
  '6.12, 1 cpus, 1 calls: attach f1, detach f1': {
    'retired-image-loses-exits': 20,
    'rcu-tasks-trace-before-rcu-tasks': 45,
  },
  '6.12, 1 cpus, 1 calls: attach f1, detach f2': {
    'rcu-tasks-trace-before-rcu-tasks': 1404,
  },
  '6.12, 1 cpus, 1 calls: attach f1, register f1': {},
  '6.12, 1 cpus, 1 calls: attach f1, register f2': {
    'rcu-tasks-trace-before-rcu-tasks': 171,
  },
  '6.12, 1 cpus, 1 calls: attach f1, modify f1': {},
  '6.12, 1 cpus, 1 calls: attach f1, modify f2': {
    'rcu-tasks-trace-before-rcu-tasks': 171,
  },
  '6.12, 1 cpus, 1 calls: attach f1, unregister f1': {},
  '6.12, 1 cpus, 1 calls: attach f1, unregister f2': {
    'rcu-tasks-trace-before-rcu-tasks': 162,
  },
  '6.12, 1 cpus, 1 calls: attach f1, live patch on f1': {
    'rcu-tasks-trace-before-rcu-tasks': 192,
  },
  '6.12, 1 cpus, 1 calls: attach f1, live patch on f2': {
    'rcu-tasks-trace-before-rcu-tasks': 126,
  },
  '6.12, 1 cpus, 1 calls: attach f1, live patch off f1': {
    'rcu-tasks-trace-before-rcu-tasks': 327,
  },
  '6.12, 1 cpus, 1 calls: attach f1, live patch off f2': {
    'rcu-tasks-trace-before-rcu-tasks': 162,
  },
  '6.12, 1 cpus, 1 calls: attach f2, detach f1': {},
  '6.12, 1 cpus, 1 calls: attach f2, register f1': {},
  '6.12, 1 cpus, 1 calls: attach f2, modify f1': {},
  '6.12, 1 cpus, 1 calls: attach f2, unregister f1': {},
  '6.12, 1 cpus, 1 calls: attach f2, live patch on f1': {},
  '6.12, 1 cpus, 1 calls: attach f2, live patch off f1': {},
  '6.12, 1 cpus, 1 calls: detach f1, detach f1': {
    'retired-image-loses-exits': 28,
    'rcu-tasks-trace-before-rcu-tasks': 75,
  },
  '6.12, 1 cpus, 1 calls: detach f1, detach f2': {
    'rcu-tasks-trace-before-rcu-tasks': 1680,
  },
  '6.12, 1 cpus, 1 calls: detach f1, register f1': {},
  '6.12, 1 cpus, 1 calls: detach f1, register f2': {
    'rcu-tasks-trace-before-rcu-tasks': 285,
  },
  '6.12, 1 cpus, 1 calls: detach f1, modify f2': {
    'rcu-tasks-trace-before-rcu-tasks': 255,
  },
  '6.12, 1 cpus, 1 calls: detach f1, unregister f2': {
    'rcu-tasks-trace-before-rcu-tasks': 270,
  },
  '6.12, 1 cpus, 1 calls: detach f1, live patch on f1': {
    'rcu-tasks-trace-before-rcu-tasks': 348,
  },
  '6.12, 1 cpus, 1 calls: detach f1, live patch on f2': {
    'rcu-tasks-trace-before-rcu-tasks': 210,
  },
  '6.12, 1 cpus, 1 calls: detach f1, live patch off f1': {
    'rcu-tasks-trace-before-rcu-tasks': 555,
  },
  '6.12, 1 cpus, 1 calls: detach f1, live patch off f2': {
    'rcu-tasks-trace-before-rcu-tasks': 270,
  },
  '6.12, 1 cpus, 1 calls: detach f2, register f1': {},
  '6.12, 1 cpus, 1 calls: detach f2, modify f1': {},
  '6.12, 1 cpus, 1 calls: detach f2, unregister f1': {},
  '6.12, 1 cpus, 1 calls: detach f2, live patch on f1': {},
  '6.12, 1 cpus, 1 calls: detach f2, live patch off f1': {},
  '6.12, 1 cpus, 1 calls: register f1, register f1': {},
  '6.12, 1 cpus, 1 calls: register f1, register f2': {},
  '6.12, 1 cpus, 1 calls: register f1, modify f1': {},
  '6.12, 1 cpus, 1 calls: register f1, modify f2': {},
  '6.12, 1 cpus, 1 calls: register f1, unregister f1': {},
  '6.12, 1 cpus, 1 calls: register f1, unregister f2': {},
  '6.12, 1 cpus, 1 calls: register f1, live patch on f1': {},
  '6.12, 1 cpus, 1 calls: register f1, live patch on f2': {},
  '6.12, 1 cpus, 1 calls: register f1, live patch off f1': {},
  '6.12, 1 cpus, 1 calls: register f1, live patch off f2': {},
  '6.12, 1 cpus, 1 calls: register f2, modify f1': {},
  '6.12, 1 cpus, 1 calls: register f2, unregister f1': {},
  '6.12, 1 cpus, 1 calls: register f2, live patch on f1': {},
  '6.12, 1 cpus, 1 calls: register f2, live patch off f1': {},
  '6.12, 1 cpus, 1 calls: modify f1, modify f2': {},
  '6.12, 1 cpus, 1 calls: modify f1, unregister f2': {},
  '6.12, 1 cpus, 1 calls: modify f1, live patch on f1': {},
  '6.12, 1 cpus, 1 calls: modify f1, live patch on f2': {},
  '6.12, 1 cpus, 1 calls: modify f1, live patch off f2': {},
  '6.12, 1 cpus, 1 calls: modify f2, unregister f1': {},
  '6.12, 1 cpus, 1 calls: modify f2, live patch on f1': {},
  '6.12, 1 cpus, 1 calls: modify f2, live patch off f1': {},
  '6.12, 1 cpus, 1 calls: unregister f1, unregister f2': {},
  '6.12, 1 cpus, 1 calls: unregister f1, live patch on f1': {},
  '6.12, 1 cpus, 1 calls: unregister f1, live patch on f2': {},
  '6.12, 1 cpus, 1 calls: unregister f1, live patch off f2': {},
  '6.12, 1 cpus, 1 calls: unregister f2, live patch on f1': {},
  '6.12, 1 cpus, 1 calls: unregister f2, live patch off f1': {},
  '6.12, 1 cpus, 1 calls: live patch on f1, live patch on f1': {},
  '6.12, 1 cpus, 1 calls: live patch on f1, live patch on f2': {},
  '6.12, 1 cpus, 1 calls: live patch on f1, live patch off f1': {},
  '6.12, 1 cpus, 1 calls: live patch on f1, live patch off f2': {},
  '6.12, 1 cpus, 1 calls: live patch on f2, live patch off f1': {},
  '6.12, 1 cpus, 1 calls: live patch off f1, live patch off f2': {},
};
