import { type BalanceManifest, openBalanceFile } from '#lib/balances/balance-file.ts';
import { type BalanceJob, findBalanceJob } from '#lib/balances/reads.ts';
import { type BalanceRequest, requestBalances } from '#lib/balances/request-balances.ts';
import { type BalanceRunOptions, runBalanceJob } from '#lib/balances/run-balance-job.ts';
import { claimBalanceJob } from '#lib/balances/writes/balance-queue.ts';
import { sha256Of } from '#lib/core/canonical-digest.ts';
import type { TestEnvironment } from '../test-environment.ts';

/** An address of the world `wallets`. */
export const load = (number: number): string => `load-${String(number).padStart(6, '0')}@players.example`;
/** Addresses of the world `wallets`, from one number to another. */
export const loads = (from: number, to: number): string[] => Array.from({ length: to - from + 1 }, (_, index) => load(from + index));
/** A list as its file. */
export const listOf = (emails: readonly string[]): BalanceRequest => ({
  scope: 'some',
  bytes: Buffer.from(['player_email', ...emails].join('\r\n')),
});

/** Found, unknown, not answered, strangers, repeated. */
export const counts = ({ foundCount, unknownCount, unansweredCount, strangerCount, repeatedCount }: BalanceJob): number[] => [
  foundCount,
  unknownCount,
  unansweredCount,
  strangerCount,
  repeatedCount,
];

/** Jobs in one test environment, from the request to the file. */
export interface BalanceJobs {
  request(wanted: BalanceRequest): Promise<number>;
  /** Claims the next job and runs it to its end. */
  work(options?: BalanceRunOptions, owner?: string): Promise<string>;
  find(balanceJobId: number): Promise<BalanceJob>;
  read(wanted: BalanceRequest, options?: BalanceRunOptions): Promise<BalanceJob>;
  /** The CSV, whose digest is that of its manifest. */
  fileOf(job: BalanceJob): Promise<{ name: string; rows: string[]; manifest: BalanceManifest }>;
  batchCalls(): Promise<number>;
}

/** The jobs of a test environment. */
export function jobsIn(testEnv: TestEnvironment): BalanceJobs {
  return { request, work, find, read, fileOf, batchCalls };

  async function request(wanted: BalanceRequest): Promise<number> {
    const requested = await requestBalances(await testEnv.game(), wanted, { requestedBy: 'fiona@studio.example' });
    if (!requested.ok) throw new Error(requested.reason);
    return requested.balanceJobId;
  }

  async function work(options: BalanceRunOptions = {}, owner = 'test'): Promise<string> {
    const game = await testEnv.game();
    const lease = await claimBalanceJob(game.db, owner, game.gameId);
    if (lease === null) throw new Error('no job waits');
    return (await runBalanceJob(game, testEnv.config, lease, options)).ended;
  }

  async function find(balanceJobId: number): Promise<BalanceJob> {
    const { db, gameId } = await testEnv.game();
    const job = await findBalanceJob(db, gameId, balanceJobId);
    if (job === null) throw new Error('no such job');
    return job;
  }

  async function read(wanted: BalanceRequest, options: BalanceRunOptions = {}): Promise<BalanceJob> {
    const balanceJobId = await request(wanted);
    await work(options);
    return await find(balanceJobId);
  }

  async function fileOf({ balanceJobId }: BalanceJob): Promise<{ name: string; rows: string[]; manifest: BalanceManifest }> {
    const file = await openBalanceFile({ db: testEnv.db, files: testEnv.db }, await testEnv.game(), { balanceJobId, format: 'csv' });
    if (!file.ok) throw new Error(file.reason);
    const pieces: Uint8Array[] = [];
    for await (const piece of file.bytes) pieces.push(piece);
    const bytes = Buffer.concat(pieces);
    if (file.manifest().sha256 !== sha256Of(bytes).toString('hex')) throw new Error('the manifest has another digest than its file');
    return { name: file.fileName, rows: bytes.toString().trimEnd().split('\r\n'), manifest: file.manifest() };
  }

  async function batchCalls(): Promise<number> {
    return (await testEnv.calls()).filter(({ path }) => path === '/api/player-balances/batch').length;
  }
}
