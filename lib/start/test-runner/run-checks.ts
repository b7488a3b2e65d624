import { messageOf } from '#lib/core/format-text.ts';
import type { Write } from './run-tool.ts';
import type { CheckOutcome } from './test-report.ts';

export interface Check {
  name: string;
  /** Checks of the same run that must have passed before this one begins. */
  needs?: readonly string[];
  /** How many cores it keeps busy while it runs. */
  cores: number;
  run: (write: Write) => Promise<CheckOutcome>;
}

export interface NamedOutcome {
  name: string;
  outcome: CheckOutcome;
}

/**
 * Runs every check as soon as what it needs has passed and enough cores are free; earlier ones of the list come first. The check that
 * began first prints as it goes, the others when they end. Order of the answer: as given.
 */
export async function runChecks(checks: readonly Check[], options: { cores: number; print: Write }): Promise<NamedOutcome[]> {
  const done = new Map<string, CheckOutcome>();
  const running = new Map<Check, Promise<void>>();
  const waiting = [...checks];
  const turns = takeTurns(options.print);
  const names = new Set(checks.map(({ name }) => name));
  const needed = ({ needs = [] }: Check): string[] => needs.filter((name) => names.has(name));
  const start = (check: Check): void => {
    waiting.splice(waiting.indexOf(check), 1);
    const failed = needed(check).filter((name) => (done.get(name)?.failed ?? 0) > 0);
    const ended = runCheck(check, failed, turns.next()).then((outcome) => {
      done.set(check.name, outcome);
      running.delete(check);
    });
    running.set(check, ended);
  };
  // A check that wants more cores than there are runs alone.
  const mayStart = (check: Check): boolean => {
    const busy = [...running.keys()].reduce((sum, { cores }) => sum + cores, 0);
    return needed(check).every((name) => done.has(name)) && (busy === 0 || busy + check.cores <= options.cores);
  };
  do {
    for (let next = waiting.find(mayStart); next; next = waiting.find(mayStart)) start(next);
    await Promise.race(running.values());
  } while (running.size > 0 || waiting.some(mayStart));
  return checks.flatMap(({ name }) => ({ name, outcome: done.get(name) ?? fail('it could not begin') }));
}

async function runCheck({ name, run }: Check, failedBefore: string[], turn: Turn): Promise<CheckOutcome> {
  const started_at = performance.now();
  turn.write(`\n── ${name}\n`);
  const outcome =
    failedBefore.length > 0
      ? fail(`not run, since ${failedBefore.join(' and ')} failed`)
      : await run(turn.write).catch((error: unknown) => fail(messageOf(error)));
  if (outcome.failed > 0 && outcome.passed === 0) for (const failure of outcome.failures) turn.write(`${failure}\n`);
  const seconds = ((performance.now() - started_at) / 1000).toFixed(1);
  const flaky = outcome.flaky.length > 0 ? `, ${outcome.flaky.length} flaky` : '';
  turn.write(`── ${name}: ${outcome.passed} passed, ${outcome.failed} failed${flaky} (${seconds} s)\n`);
  turn.end();
  return outcome;
}

function fail(message: string): CheckOutcome {
  return { passed: 0, failed: 1, skipped: 0, failures: [message], flaky: [] };
}

interface Turn {
  write: Write;
  end: () => void;
}

/** Of several that write at once, the one that began first prints as it goes; the others are kept and printed whole when they end. */
function takeTurns(print: Write): { next: () => Turn } {
  const turns: { kept: string[] }[] = [];
  const flush = (turn: { kept: string[] } | undefined): void => {
    for (const text of turn?.kept.splice(0) ?? []) print(text);
  };
  return {
    next() {
      const turn: { kept: string[] } = { kept: [] };
      turns.push(turn);
      return {
        write: (text) => {
          turn.kept.push(text);
          if (turns[0] === turn) flush(turn);
        },
        end: () => {
          flush(turn);
          turns.splice(turns.indexOf(turn), 1);
          flush(turns[0]);
        },
      };
    },
  };
}
