import { prepareSeed } from '#e2e/runner/seeded-data.ts';

/** Before any worker begins: a build of these sources, and the data every worker copies. */
export default async function seed(): Promise<void> {
  await prepareSeed((line) => process.stdout.write(`${line}\n`));
}
