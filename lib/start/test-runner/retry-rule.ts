/**
 * What is never tried a second time: it fails the run the first time, because luck must not decide it. Everything else of the
 * integration and browser tests is tried once more, and listed as flaky when it then passes. A pattern is held against
 * "path › title".
 */
export const NEVER_RETRIED: readonly { what: string; pattern: RegExp }[] = [
  { what: 'races', pattern: /\braces?\b|at once\b|\btwice\b|\bleases?\b/i },
  {
    what: 'kills',
    pattern: /\bcrash|\bkill|database-away|jobs\/worker-refunds\.int|start\/postgres\/|start\/web-server|operate\/two-of-each/i,
  },
  { what: 'histories', pattern: /\bsimulation\b|\bhistor(y|ies)\b/i },
  { what: 'verify', pattern: /\bverify\b|raw bytes/i },
  { what: 'golden files', pattern: /\bgolden\b|export-sheet|cli\/main\.int|byte for byte|are the bytes/i },
];

/** Whether a failure of the test of that name is final. A failure of a whole file is named by its path. */
export function isNeverRetried(name: string): boolean {
  return NEVER_RETRIED.some(({ pattern }) => pattern.test(name));
}
