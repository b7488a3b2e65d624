import { Gauge, type Registry } from 'prom-client';
import type { ReplicaStatus } from '#db/kit/replica.ts';
import type { OperatingFigures } from '#lib/games/reads.ts';
import { instruments } from '#lib/observability/instruments.ts';
import { REFUND_STATES } from '#lib/refunds/rules/state.ts';
import type { IntakeFigures } from '#lib/webhooks/reads/intake-status.ts';

const PULL_STATES = ['queued', 'running', 'done', 'failed'];
// One per process: development reloads this module, and a counter can't be registered twice.
const shared = globalThis as typeof globalThis & { sharebookMetrics?: ReturnType<typeof makeGauges> };

/**
 * Writes every counter in Prometheus text format. Without a database its counters are left out and it is reported as down; so are those of
 * the read replica without one.
 */
export async function measure(
  read: () => Promise<OperatingFigures & { intakes: IntakeFigures[] }>,
  replica: ReplicaStatus | null,
): Promise<{ text: string; contentType: string }> {
  const { registry, databaseUp, pulls, refunds, calls, replicaUsed, replicaLag, ...deliveries } = (shared.sharebookMetrics ??=
    makeGauges());
  const figures = await read().catch(() => null);
  replicaUsed.remove();
  replicaLag.remove();
  if (replica !== null) replicaUsed.set({}, replica.problem === null ? 1 : 0);
  if (replica !== null && replica.lag_seconds !== null) replicaLag.set({}, replica.lag_seconds);
  databaseUp.set(figures ? 1 : 0);
  pulls.reset();
  refunds.reset();
  calls.reset();
  for (const gauge of Object.values(deliveries)) gauge.reset();
  if (figures) {
    for (const state of PULL_STATES) pulls.set({ state }, figures.pulls.find((row) => row.state === state)?.count ?? 0);
    for (const state of REFUND_STATES) refunds.set({ state }, figures.refunds.find((row) => row.state === state)?.count ?? 0);
    for (const { count, ...labels } of figures.calls) calls.set(labels, count);
    for (const { game, environment, lastAge_seconds, backlog, conflicts, refused } of figures.intakes) {
      const labels = { game, environment };
      if (lastAge_seconds !== null) deliveries.deliveryAge.set(labels, lastAge_seconds);
      deliveries.deliveryBacklog.set(labels, backlog);
      deliveries.deliveryConflicts.set(labels, conflicts);
      for (const [reason, count] of Object.entries(refused)) deliveries.deliveriesRefused.set({ ...labels, reason }, count);
    }
  }
  return { text: await registry.metrics(), contentType: registry.contentType };
}

function makeGauges() {
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
    deliveryAge: gameGauge('sharebook_webhook_last_delivery_age_seconds', 'Since the last webhook whose signature held', registers),
    deliveryBacklog: gameGauge('sharebook_webhook_reads_due', 'Readings that webhooks opened and that are due', registers),
    deliveryConflicts: gameGauge('sharebook_webhook_conflicts', 'Conflicting webhooks nobody settled', registers),
    deliveriesRefused: new Gauge({
      name: 'sharebook_webhooks_refused_total',
      help: 'Webhooks refused, by reason',
      labelNames: ['game', 'environment', 'reason'],
      registers,
    }),
    replicaUsed: new Gauge({ name: 'sharebook_replica_used', help: '1 when complete months are read from the read replica', registers }),
    replicaLag: new Gauge({ name: 'sharebook_replica_lag_seconds', help: 'How far the read replica lags behind', registers }),
  };
}

function gameGauge(name: string, help: string, registers: Registry[]): Gauge {
  return new Gauge({ name, help, labelNames: ['game', 'environment'], registers });
}
