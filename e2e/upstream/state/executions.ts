import type { Environment } from '../model.ts';

interface Target {
  environment: Environment;
  /** The name of a route. */
  kind: string;
  /** A key, order, transaction or entry. */
  subject: string;
}

type Count = Target & { executions: number; calls: number };

/** How often each key, order, transaction or entry was called and executed. */
export interface Executions {
  called(target: Target): void;
  executed(target: Target): void;
  /** Of a kind, or of all; oldest first. */
  list(kind?: string): Count[];
  clear(): void;
}

/** The counts, with those of an earlier run. */
export function createExecutions(stored: Count[] = []): Executions {
  const counts = new Map(stored.map((count) => [keyOf(count), count]));
  function countOf(target: Target): Count {
    const known = counts.get(keyOf(target));
    if (known !== undefined) return known;
    const { environment, kind, subject } = target;
    const count = { environment, kind, subject, executions: 0, calls: 0 };
    counts.set(keyOf(target), count);
    return count;
  }
  return {
    called: (target) => void (countOf(target).calls += 1),
    executed: (target) => void (countOf(target).executions += 1),
    list: (kind) => [...counts.values()].filter((count) => kind === undefined || count.kind === kind),
    clear: () => counts.clear(),
  };
}

function keyOf({ environment, kind, subject }: Target): string {
  return `${environment}|${kind}|${subject}`;
}
