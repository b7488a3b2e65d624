import { expect, test } from 'vitest';
import { instruments } from '#lib/operate/instruments.ts';
import { measure } from './registry.ts';

test('counters are written as text, and states without a pull as zero', async () => {
  const { text, contentType } = await measure(async () => ({
    pulls: [{ state: 'done', count: 14 }],
    refunds: [{ state: 'unknown', count: 2 }],
    calls: [{ game: 'demo', environment: 'sandbox', budget: 'aggregate', count: 58 }],
  }));
  expect(contentType).toContain('text/plain');
  expect(text).toContain('sharebook_database_up 1\n');
  expect(text).toContain('sharebook_pulls{state="done"} 14\n');
  expect(text).toContain('sharebook_pulls{state="failed"} 0\n');
  expect(text).toContain('sharebook_refunds{state="unknown"} 2\n');
  expect(text).toContain('sharebook_refunds{state="landed"} 0\n');
  expect(text).toContain('sharebook_invo_calls_last_minute{game="demo",environment="sandbox",budget="aggregate"} 58\n');
  expect(text).toContain('process_resident_memory_bytes');
});

test('what requests, statements, jobs and pulls took is written as histograms', async () => {
  instruments().requestSeconds.observe({ kind: 'page', route: '/[game]/months', method: 'GET', status: '200' }, 0.02);
  instruments().queueWaitSeconds.observe({ queue: 'pull' }, 3);
  const { text } = await measure(() => Promise.reject(new Error('gone')));
  expect(text).toContain('sharebook_request_seconds_bucket{le="0.025",kind="page",route="/[game]/months",method="GET",status="200"} 1\n');
  expect(text).toContain('sharebook_queue_wait_seconds_count{queue="pull"} 1\n');
  for (const name of ['request_statements', 'statement_seconds', 'pull_seconds', 'job_seconds'])
    expect(text).toContain(`# TYPE sharebook_${name} histogram`);
});

test('without the database the process metrics are still written, and nothing stale is repeated', async () => {
  const { text } = await measure(() => Promise.reject(new Error('gone')));
  expect(text).toContain('sharebook_database_up 0\n');
  expect(text).not.toMatch(/sharebook_(pulls|refunds)\{|calls_last_minute\{/);
  expect(text).toContain('process_resident_memory_bytes');
});
