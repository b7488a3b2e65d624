/** Long work in steps: between two of them the process can do something else. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Items of a step: some ten milliseconds of work on a row of a report. */
const STEP_ITEMS = 1_000;

/** Does work in steps at once. */
export function runSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Does work in steps, one in each turn of the event loop: requests of others are answered in between. */
export async function runInTurns<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

/** Maps items in steps, in order. */
export function* mapInSteps<T, U>(items: readonly T[], map: (item: T, index: number) => U): Steps<U[]> {
  const mapped: U[] = [];
  for (const [index, item] of items.entries()) {
    mapped.push(map(item, index));
    if (mapped.length % STEP_ITEMS === 0) yield;
  }
  return mapped;
}

/** Finds the first item that passes a test in steps; -1: none does. */
export function* findIndexInSteps<T>(items: readonly T[], test: (item: T) => boolean): Steps<number> {
  for (const [index, item] of items.entries()) {
    if (test(item)) return index;
    if (index % STEP_ITEMS === STEP_ITEMS - 1) yield;
  }
  return -1;
}
