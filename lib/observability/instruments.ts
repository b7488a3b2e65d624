import { hash, timingSafeEqual } from 'node:crypto';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { currentRequest } from './request-context.ts';

/** The histograms of one process. Durations in seconds, as Prometheus has them. */
type Instruments = ReturnType<typeof makeInstruments>;

// One per process: the server and the built pages are two copies of this file.
const shared = globalThis as typeof globalThis & { sharebookInstruments?: Instruments; sharebookSum?: () => Promise<string> };

const FAST = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const COUNTS = [0, 1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 50];
const WAITS = [0.01, 0.05, 0.1, 0.5, 1, 2, 5, 15, 60, 300, 900];
const SLOW = [0.1, 0.5, 1, 5, 15, 30, 60, 120, 300, 900, 3600];

/** The instruments of this process, with those of Node itself. */
export function instruments(): Instruments {
  return (shared.sharebookInstruments ??= makeInstruments());
}

function makeInstruments() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  function histogram<Label extends string>(name: string, help: string, buckets: number[], ...labelNames: Label[]): Histogram<Label> {
    return new Histogram({ name, help, buckets, labelNames, registers: [registry] });
  }
  return {
    registry,
    /** A request from its first to its last byte; `kind` is page, route, action or other. */
    requestSeconds: histogram('sharebook_request_seconds', 'Duration of requests', FAST, 'kind', 'route', 'method', 'status'),
    requestStatements: histogram('sharebook_request_statements', 'Database statements of one request', COUNTS, 'kind', 'route'),
    statementSeconds: histogram('sharebook_statement_seconds', 'Duration of statements', FAST),
    pullSeconds: histogram('sharebook_pull_seconds', 'Duration of running pulls', SLOW, 'outcome'),
    jobSeconds: histogram('sharebook_job_seconds', 'Duration of jobs', SLOW, 'queue'),
    /** From the moment a job was due until it began. */
    queueWaitSeconds: histogram('sharebook_queue_wait_seconds', 'Wait of jobs that were due', WAITS, 'queue'),
  };
}

/** The instruments in Prometheus text format: of this process, or of all that answer on its port. */
export function writeInstruments(): Promise<string> {
  return shared.sharebookSum?.() ?? instruments().registry.metrics();
}

/** Has `writeInstruments` return those of several processes. */
export function sumInstruments(sum: () => Promise<string>): void {
  shared.sharebookSum = sum;
}

/** What happens around each statement of this process: it is counted with its request and timed. */
export const STATEMENT_RECORD: { started: () => void; ended: (duration_ms: number) => void } = {
  started: () => {
    const request = currentRequest();
    if (request !== null) request.statements += 1;
  },
  ended: (duration_ms) => instruments().statementSeconds.observe(duration_ms / 1_000),
};

/** Whether a request may read the metrics: it must send the configured token as a bearer token; without one, only this machine may read. */
export function mayReadMetrics(authorization: string | null, config: { metricsToken: string | null; isLocal: boolean }): boolean {
  if (config.metricsToken === null) return config.isLocal;
  return timingSafeEqual(hash('sha256', authorization ?? '', 'buffer'), hash('sha256', `Bearer ${config.metricsToken}`, 'buffer'));
}

/** What to do about refused metrics. */
export const METRICS_REFUSED =
  'Send SHAREBOOK_METRICS_TOKEN as a bearer token. Without one, the metrics can be read on the machine itself only.\n';
