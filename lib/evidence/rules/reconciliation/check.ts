import * as z from 'zod';
import { compareMoney, subtractMoney, sumMoney } from '#lib/core/money.ts';
import { parseEnum } from '#lib/core/strings.ts';

/** A row that breaks a check, with both sides. */
export interface Offender {
  subject: string;
  expected: string;
  actual: string;
}

export const SEVERITIES = ['hard', 'warning'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** One equation of a reconciliation with both sides. A hard one that doesn't match makes a snapshot inconsistent; a warning needs a look. */
export interface Check {
  name: string;
  severity: Severity;
  ok: boolean;
  expected: string;
  actual: string;
  /** Actual less expected, where both are numbers and they differ. */
  difference: string | null;
  offenders: Offender[];
}

/** Maximum number of failing rows stored per check; the sides always cover all rows. */
const OFFENDERS_MAX = 20;

interface Tally {
  severity: Severity;
  kind: 'money' | 'count' | 'text' | 'holds';
  expected: string[];
  actual: string[];
  isBroken: boolean;
  offenders: Offender[];
}

const storedOffenders = z.array(z.object({ subject: z.string(), expected: z.string(), actual: z.string() }));

/** Parses the stored rows that break a check (the only version of them there is). Throws on anything else. */
export function parseOffenders(value: unknown): Offender[] {
  return storedOffenders.parse(value);
}

/** Parses a stored severity. Throws on any other text. */
export function parseSeverity(text: string): Severity {
  return parseEnum(SEVERITIES, text);
}

/** Names of the checks that don't match and only warn, in order. */
export function listWarnings(checks: Check[]): string[] {
  return checks.filter((check) => !check.ok && check.severity === 'warning').map(({ name }) => name);
}

/** Collects comparisons under the name of their check: each comparison must hold, and the sides shown are the sums over all of them. */
export class CheckList {
  readonly #tallies = new Map<string, Tally>();

  /** Two amounts that must be equal to the last digit. */
  equalMoney(name: string, subject: string, expected: string, actual: string, severity: Severity = 'hard'): void {
    this.#add(name, 'money', severity, subject, expected, actual, compareMoney(expected, actual) === 0);
  }

  /** Two counts that must be equal. */
  equalCount(name: string, subject: string, expected: number, actual: number): void {
    this.#add(name, 'count', 'hard', subject, String(expected), String(actual), expected === actual);
  }

  /** Two texts that must be equal. */
  equalText(name: string, subject: string, expected: string, actual: string): void {
    this.#add(name, 'text', 'hard', subject, expected, actual, expected === actual);
  }

  /** An amount that may reach a bound and not pass it. */
  moneyWithin(name: string, subject: string, bound: string, actual: string, severity: Severity = 'hard'): void {
    this.#add(name, 'money', severity, subject, bound, actual, compareMoney(actual, bound) <= 0);
  }

  /** A count that may reach a bound and not pass it. */
  countWithin(name: string, subject: string, bound: number, actual: number): void {
    this.#add(name, 'count', 'hard', subject, String(bound), String(actual), actual <= bound);
  }

  /** A statement about one row; the sides count the rows checked and the rows for which it is true. */
  holds(name: string, subject: string, isTrue: boolean, what: { expected: string; actual: string }, severity: Severity = 'hard'): void {
    const tally = this.#tally(name, 'holds', severity);
    tally.expected.push('1');
    if (isTrue) tally.actual.push('1');
    else this.#mark(tally, { subject, ...what });
  }

  /** Opens a check that may turn out to have nothing to compare. */
  open(name: string, kind: Tally['kind'], severity: Severity = 'hard'): void {
    this.#tally(name, kind, severity);
  }

  /** The checks in the order in which they were first named. */
  close(): Check[] {
    return [...this.#tallies].map(([name, tally]) => closeTally(name, tally));
  }

  #add(name: string, kind: Tally['kind'], severity: Severity, subject: string, expected: string, actual: string, isTrue: boolean): void {
    const tally = this.#tally(name, kind, severity);
    tally.expected.push(expected);
    tally.actual.push(actual);
    if (!isTrue) this.#mark(tally, { subject, expected, actual });
    if (tally.expected.length > 4096) fold(tally);
  }

  #mark(tally: Tally, offender: Offender): void {
    tally.isBroken = true;
    if (tally.offenders.length < OFFENDERS_MAX) tally.offenders.push(offender);
  }

  #tally(name: string, kind: Tally['kind'], severity: Severity): Tally {
    const known = this.#tallies.get(name);
    if (known) return known;
    const tally: Tally = { severity, kind, expected: [], actual: [], isBroken: false, offenders: [] };
    this.#tallies.set(name, tally);
    return tally;
  }
}

function closeTally(name: string, tally: Tally): Check {
  const [expected, actual] = [total(tally.kind, tally.expected), total(tally.kind, tally.actual)];
  const isMoved = tally.kind !== 'text' && compareMoney(expected, actual) !== 0;
  const difference = isMoved ? subtractMoney(actual, expected) : null;
  return {
    name,
    severity: tally.severity,
    ok: !tally.isBroken,
    expected,
    actual,
    difference: difference === null || tally.kind === 'money' ? difference : difference.replace(/\.00$/, ''),
    offenders: tally.offenders,
  };
}

function total(kind: Tally['kind'], sides: string[]): string {
  if (kind === 'text') return [...new Set(sides)].join('; ');
  const sum = sumMoney(sides);
  return kind === 'money' ? sum : sum.replace(/\.00$/, '');
}

function fold(tally: Tally): void {
  if (tally.kind === 'text') return;
  tally.expected = [total(tally.kind, tally.expected)];
  tally.actual = [total(tally.kind, tally.actual)];
}
