import { Gauge, type Registry } from 'prom-client';
import type { OperatingFigures } from '#db/games/reads.ts';
import { instruments } from '#lib/operate/instruments.ts';
import { REFUND_STATES } from '#lib/refunds/rules/state.ts';

const PULL_STATES = ['queued', 'running', 'done', 'failed'];
// One per process: development reloads this module, and a counter can't be registered twice.
const kept = globalThis as typeof globalThis & { sharebookMetrics?: Gauges };

interface Gauges {
  registry: Registry;
  databaseUp: Gauge;
  pulls: Gauge;
  refunds: Gauge;
  calls: Gauge;
}

/** Writes every counter in Prometheus text format. Without a database its counters are left out and it is reported as down. */
export async function measure(read: () => Promise<OperatingFigures>): Promise<{ text: string; contentType: string }> {
  const { registry, databaseUp, pulls, refunds, calls } = (kept.sharebookMetrics ??= makeGauges());
  const figures = await read().catch(() => null);
  databaseUp.set(figures ? 1 : 0);
  pulls.reset();
  refunds.reset();
  calls.reset();
  if (figures) {
    for (const state of PULL_STATES) pulls.set({ state }, figures.pulls.find((row) => row.state === state)?.count ?? 0);
    for (const state of REFUND_STATES) refunds.set({ state }, figures.refunds.find((row) => row.state === state)?.count ?? 0);
    for (const { count, ...labels } of figures.calls) calls.set(labels, count);
  }
  return { text: await registry.metrics(), contentType: registry.contentType };
}

function makeGauges(): Gauges {
  const { registry } = instruments();
  const registers = [registry];
  return {
    registry,
    databaseUp: new Gauge({ name: 'sharebook_database_up', help: '1 when the database answered', registers }),
    pulls: new Gauge({ name: 'sharebook_pulls', help: 'Pulls by state', labelNames: ['state'], registers }),
    refunds: new Gauge({ name: 'sharebook_refunds', help: 'Refunds by state', labelNames: ['state'], registers }),
    calls: new Gauge({
      name: 'sharebook_invo_calls_last_minute',
      help: 'Calls to Invo in the last minute',
      labelNames: ['game', 'environment', 'budget'],
      registers,
    }),
  };
}
