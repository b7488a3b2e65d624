import { expect, test } from 'vitest';
import { instruments } from '#lib/observability/instruments.ts';
import { measure } from './registry.ts';

test('counters are written as text, and states without a pull as zero', async () => {
  const read = async () => ({
    pulls: [{ state: 'done', count: 14 }],
    refunds: [{ state: 'unknown', count: 2 }],
    actions: [{ state: 'checking', count: 1, oldest_seconds: 95 }],
    calls: [{ game: 'demo', environment: 'sandbox', budget: 'aggregate', count: 58 }],
    intakes: [
      { game: 'demo', environment: 'sandbox', lastAge_seconds: 61, backlog: 3, conflicts: 1, refused: { signature: 7 } },
      { game: 'quiet', environment: 'sandbox', lastAge_seconds: null, backlog: 0, conflicts: 0, refused: {} },
    ],
  });
  const { text, contentType } = await measure(read, null);
  expect(contentType).toContain('text/plain');
  expect(text).toContain('sharebook_database_up 1\n');
  expect(text).toContain('sharebook_pulls{state="done"} 14\n');
  expect(text).toContain('sharebook_pulls{state="failed"} 0\n');
  expect(text).toContain('sharebook_refunds{state="unknown"} 2\n');
  expect(text).toContain('sharebook_refunds{state="landed"} 0\n');
  expect(text).toContain('sharebook_actions{state="checking"} 1\n');
  expect(text).toContain('sharebook_action_age_seconds{state="checking"} 95\n');
  expect(text).toContain('sharebook_invo_calls_last_minute{game="demo",environment="sandbox",budget="aggregate"} 58\n');
  expect(text).toContain('sharebook_webhook_last_delivery_age_seconds{game="demo",environment="sandbox"} 61\n');
  expect(text).toContain('sharebook_webhook_reads_due{game="demo",environment="sandbox"} 3\n');
  expect(text).toContain('sharebook_webhook_conflicts{game="quiet",environment="sandbox"} 0\n');
  expect(text).toContain('sharebook_webhooks_refused_total{game="demo",environment="sandbox",reason="signature"} 7\n');
  expect(text).not.toMatch(/last_delivery_age_seconds\{game="quiet"/);
  expect(text).toContain('process_resident_memory_bytes');
});

test('what requests, statements, jobs and pulls took is written as histograms', async () => {
  instruments().requestSeconds.observe({ kind: 'page', route: '/[game]/months', method: 'GET', status: '200' }, 0.02);
  instruments().queueWaitSeconds.observe({ queue: 'pull' }, 3);
  const { text } = await measure(() => Promise.reject(new Error('gone')), null);
  expect(text).toContain('sharebook_request_seconds_bucket{le="0.025",kind="page",route="/[game]/months",method="GET",status="200"} 1\n');
  expect(text).toContain('sharebook_queue_wait_seconds_count{queue="pull"} 1\n');
  for (const name of ['request_statements', 'statement_seconds', 'pull_seconds', 'job_seconds'])
    expect(text).toContain(`# TYPE sharebook_${name} histogram`);
});

test('without the database the process metrics are still written, and nothing stale is repeated', async () => {
  const { text } = await measure(() => Promise.reject(new Error('gone')), null);
  expect(text).toContain('sharebook_database_up 0\n');
  expect(text).not.toMatch(/sharebook_(pulls|refunds)\{|calls_last_minute\{/);
  expect(text).toContain('process_resident_memory_bytes');
});

test('the read replica is reported with its lag while there is one', async () => {
  const read = (): Promise<never> => Promise.reject(new Error('gone'));
  const { text } = await measure(read, { problem: 'lagging', lag_seconds: 45 });
  expect(text).toContain('sharebook_replica_used 0\n');
  expect(text).toContain('sharebook_replica_lag_seconds 45\n');
  const used = await measure(read, { problem: null, lag_seconds: 0 });
  expect(used.text).toContain('sharebook_replica_used 1\n');
  const away = await measure(read, { problem: 'unreachable', lag_seconds: null });
  expect(away.text).toContain('sharebook_replica_used 0\n');
  expect(away.text).not.toMatch(/^sharebook_replica_lag_seconds /m);
  expect((await measure(read, null)).text).not.toMatch(/^sharebook_replica_(used|lag_seconds) /m);
});
