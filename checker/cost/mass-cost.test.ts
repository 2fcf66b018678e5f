import { expect, test } from 'vitest';
import { toEnd } from '../../model/core/to-end.ts';
import { counting } from '../../model/cost/cost.ts';
import { bootKernel } from '../../model/kernel.ts';
import { apply, KERNEL_PROGRAM } from '../../model/step.ts';
import { tracedFunction } from '../../model/trampoline/traced-function.ts';
import { THOROUGH } from '../../test/thorough.ts';
import type { CostClient } from './client.ts';
import { clientNames, clientOn } from './client.ts';
import { compareClient, orders } from './compared.ts';

const on = (name: string) => clientOn(name, undefined) as CostClient;

/** Steps of routines, and reads and writes of the tables that have an entry for each function. */
function operations(name: string, n: number): number {
  const client = on(name);
  const names = Array.from({ length: n }, (_, i) => `f${i + 1}`);
  const functions = names.map((fn, i) => tracedFunction(fn, i + 1, `u64 x${1 + (i % 4)} -> u64`));
  const k = bootKernel({ profile: client.profile, boot: 'default', functions });
  let done = 0;
  const counted = <T extends object>(table: T): T =>
    countedTable(table, (more) => {
      done += more;
    });
  k.ftrace.records = counted(k.ftrace.records);
  k.ftrace.ops = counted(k.ftrace.ops);
  k.ftrace.tables.hashes = counted(k.ftrace.tables.hashes);
  k.text.sites = counted(k.text.sites);
  k.text.pages = counted(k.text.pages);
  k.text.functions = counted(k.text.functions);
  k.bpf.trampolines = counted(k.bpf.trampolines);
  k.bpf.images = counted(k.bpf.images);
  const { watch } = counting();
  const step: typeof watch.step = (...all) => {
    done++;
    watch.step?.(...all);
  };
  for (const action of [...client.attach(names), SETTLE, ...client.detach(names), SETTLE])
    expect(apply(k, action, KERNEL_PROGRAM, { step })).toMatchObject({ errno: 0 });
  return done;
}

/** A table that says how often it is read and written; to list its keys counts for each of them. */
function countedTable<T extends object>(table: T, count: (more: number) => void): T {
  return new Proxy(table, {
    get: (target, key) => {
      count(1);
      return Reflect.get(target, key);
    },
    set: (target, key, value) => {
      count(1);
      return Reflect.set(target, key, value);
    },
    deleteProperty: (target, key) => {
      count(1);
      return Reflect.deleteProperty(target, key);
    },
    ownKeys: (target) => {
      const keys = Reflect.ownKeys(target);
      count(keys.length);
      return keys;
    },
  });
}

const SETTLE = { do: 'settle' } as const;

/** Functions, of which twice as many are to take twice the operations. */
const FUNCTIONS = THOROUGH ? 256 : 128;

/** How many times as many operations twice the functions take. */
const growth = (name: string, n: number) => operations(name, 2 * n) / operations(name, n);

test('the model takes a number of operations that is linear in the functions, where the counts of the kernel are', () => {
  const linear = clientNames().filter((name) => {
    const { growth } = toEnd(compareClient(on(name), []));
    return orders(growth).every((order) => order === 'linear' || order === 'constant');
  });
  expect(linear).toContain('tracing multi');
  for (const name of linear) expect(growth(name, FUNCTIONS), name).toBeLessThan(2.2);
});

test('that of a design with quadratic counts is not', () => {
  expect(growth('single links', 64)).toBeGreaterThan(3);
});
