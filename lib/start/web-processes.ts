import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { AggregatorRegistry } from 'prom-client';
import { z } from 'zod';
import { instruments, sumInstruments } from '#lib/observability/instruments.ts';
import type { Shutdown } from './processes.ts';

const SUM_METRICS = 'sharebook:sum-metrics';
/** The request of a process for the metrics of all, and with a text its answer; null: one of them did not report in time. */
const sumMessage = z.object({ type: z.literal(SUM_METRICS), id: z.number(), text: z.string().nullish() });

/**
 * Runs so many web processes behind one port: this one listens and hands each connection to the next of them. One that ends is restarted, unless it ended before it
 * listened. Resolves once all have ended: true after a shutdown, false where one could not start.
 */
export async function runWebProcesses(count: number, shutdown: Shutdown, log: (message: string) => void): Promise<boolean> {
  const failed = Promise.withResolvers<boolean>();
  const running = new Set<Worker>();
  const sum = new AggregatorRegistry();

  function fork(): void {
    const worker = cluster.fork();
    let hasListened = false;
    running.add(worker);
    worker.on('listening', () => {
      hasListened = true;
    });
    worker.on('message', (message) => void answer(worker, message));
    worker.on('exit', (code, signal) => {
      running.delete(worker);
      if (shutdown.signal.aborted) return;
      if (!hasListened) return failed.resolve(false);
      log(`A web process ended (${signal || `exit code ${code}`}) and is started again.`);
      fork();
    });
  }

  async function answer(worker: Worker, message: unknown): Promise<void> {
    const request = sumMessage.safeParse(message);
    if (!request.success) return;
    const text = await sum.clusterMetrics().catch(() => null);
    if (worker.isConnected()) worker.send({ ...request.data, text });
  }

  for (let started = 0; started < count; started += 1) fork();
  const isStopped = await Promise.race([shutdown.requested.then(() => true), failed.promise]);
  const ends = [...running].map((worker) => once(worker, 'exit'));
  for (const worker of running) worker.process.kill('SIGTERM');
  await Promise.all(ends);
  return isStopped;
}

/** In one of several web processes: its metrics are part of the sum, which any of them answers with. */
export function joinMetrics(): void {
  AggregatorRegistry.setRegistries(instruments().registry);
  new AggregatorRegistry();
  const open = new Map<number, (text: string | null) => void>();
  let lastId = 0;
  process.on('message', (message: unknown) => {
    const { data } = sumMessage.safeParse(message);
    if (data === undefined) return;
    open.get(data.id)?.(data.text ?? null);
    open.delete(data.id);
  });
  sumInstruments(async () => {
    const id = (lastId += 1);
    const answered = Promise.withResolvers<string | null>();
    open.set(id, answered.resolve);
    process.send?.({ type: SUM_METRICS, id });
    const text = await answered.promise;
    if (text === null) throw new Error('A web process did not report its metrics in time.');
    return text;
  });
}
