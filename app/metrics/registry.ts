import { Gauge, Registry } from 'prom-client';
import type { ReplicaStatus } from '#db/kit/replica.ts';
import type { OperatingFigures } from '#lib/games/reads/stored-games.ts';
import { writeInstruments } from '#lib/observability/instruments.ts';
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
  const { registry, databaseUp, pulls, refunds, actions, actionAge, calls, replicaUsed, replicaLag, ...deliveries } =
    (shared.sharebookMetrics ??= makeGauges());
  const figures = await read().catch(() => null);
  replicaUsed.remove();
  replicaLag.remove();
  if (replica !== null) replicaUsed.set({}, replica.problem === null ? 1 : 0);
  if (replica !== null && replica.lag_seconds !== null) replicaLag.set({}, replica.lag_seconds);
  databaseUp.set(figures ? 1 : 0);
  for (const gauge of [pulls, refunds, actions, actionAge, calls, ...Object.values(deliveries)]) gauge.reset();
  if (figures) {
    for (const state of PULL_STATES) pulls.set({ state }, figures.pulls.find((row) => row.state === state)?.count ?? 0);
    for (const state of REFUND_STATES) refunds.set({ state }, figures.refunds.find((row) => row.state === state)?.count ?? 0);
    for (const { state, count, oldest_seconds } of figures.actions) {
      actions.set({ state }, count);
      actionAge.set({ state }, oldest_seconds);
    }
    for (const { count, ...labels } of figures.calls) calls.set(labels, count);
    for (const { game, environment, lastAge_seconds, backlog, conflicts, refused } of figures.intakes) {
      const labels = { game, environment };
      if (lastAge_seconds !== null) deliveries.deliveryAge.set(labels, lastAge_seconds);
      deliveries.deliveryBacklog.set(labels, backlog);
      deliveries.deliveryConflicts.set(labels, conflicts);
      for (const [reason, count] of Object.entries(refused)) deliveries.deliveriesRefused.set({ ...labels, reason }, count);
    }
  }
  return { text: `${await writeInstruments()}\n${await registry.metrics()}`, contentType: registry.contentType };
}

function makeGauges() {
  // Apart from the instruments: several processes add those up, and each reads these from the database.
  const registry = new Registry();
  const gauge = (name: string, help: string, ...labelNames: string[]): Gauge =>
    new Gauge({ name: `sharebook_${name}`, help, labelNames, registers: [registry] });
  const game = ['game', 'environment'];
  return {
    registry,
    databaseUp: gauge('database_up', '1 when the database answered'),
    pulls: gauge('pulls', 'Pulls by state', 'state'),
    refunds: gauge('refunds', 'Refunds by state', 'state'),
    actions: gauge('actions', 'Open desk actions by state', 'state'),
    actionAge: gauge('action_age_seconds', 'Since the oldest open desk action entered its state, by state', 'state'),
    calls: gauge('invo_calls_last_minute', 'Calls to Invo in the last minute', ...game, 'budget'),
    deliveryAge: gauge('webhook_last_delivery_age_seconds', 'Since the last webhook whose signature held', ...game),
    deliveryBacklog: gauge('webhook_reads_due', 'Readings that webhooks opened and that are due', ...game),
    deliveryConflicts: gauge('webhook_conflicts', 'Conflicting webhooks nobody settled', ...game),
    deliveriesRefused: gauge('webhooks_refused_total', 'Webhooks refused, by reason', ...game, 'reason'),
    replicaUsed: gauge('replica_used', '1 when complete months are read from the read replica'),
    replicaLag: gauge('replica_lag_seconds', 'How far the read replica lags behind'),
  };
}
