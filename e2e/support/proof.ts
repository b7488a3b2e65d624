import fs from 'node:fs';

/** Whether this is `npm run prove`: every proof whole. `npm test` runs a smaller one of each. */
const IS_WHOLE = process.env['PROVE'] === '1';

/** The size of a proof: its smaller one in `npm test`, its whole one in `npm run prove`. */
export function proofSize<T>(small: T, whole: T): T {
  return IS_WHOLE ? whole : small;
}

/** The cases of a table: so many of them, spread over it, in `npm test`, all in `npm run prove`. */
export function proofCases<T extends [unknown, ...unknown[]] | object | string>(count: number, cases: T[]): T[] {
  const every = Math.ceil(cases.length / count);
  return IS_WHOLE ? cases : cases.filter((_, index) => index % every === 0);
}

/** Hands a figure of a proof to the table that `npm run prove` prints. */
export function recordFigure(proof: string, figure: string): void {
  const file = process.env['PROVE_FIGURES'];
  if (file) fs.appendFileSync(file, `${JSON.stringify({ proof, figure })}\n`);
}
