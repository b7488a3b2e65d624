/** Something stored that no longer follows from the evidence. `name` is the invariant, `subject` the row. */
export interface Violation {
  name: string;
  subject: string;
  expected: string;
  actual: string;
}

/** Collects what a verification finds. */
export class Findings {
  readonly violations: Violation[] = [];
  readonly #subject: string;

  constructor(subject = '', violations: Violation[] = []) {
    this.#subject = subject;
    this.violations = violations;
  }

  /** The same list, speaking of another row. */
  about(subject: string): Findings {
    return new Findings(subject, this.violations);
  }

  /** Two texts that must be the same. */
  same(name: string, expected: string, actual: string): void {
    if (expected !== actual) this.violations.push({ name, subject: this.#subject, expected, actual });
  }

  /** A statement that must be true. */
  must(name: string, isTrue: boolean, expected: string, actual: string): void {
    if (!isTrue) this.violations.push({ name, subject: this.#subject, expected, actual });
  }

  /** Rows that a statement found wrong. */
  add(rows: readonly Violation[]): void {
    for (const { name, subject, expected, actual } of rows) this.violations.push({ name, subject, expected, actual });
  }
}
