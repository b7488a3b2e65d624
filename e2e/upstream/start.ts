import { createUpstream } from './server.ts';

const env = process.env;
const upstream = await createUpstream({
  port: Number(env['UPSTREAM_PORT'] ?? '0'),
  now: env['UPSTREAM_NOW'] || undefined,
  stateFolder: env['UPSTREAM_STATE'] || undefined,
  secret: env['UPSTREAM_SECRET'] || undefined,
  previousSecret: env['UPSTREAM_SECRET_PREVIOUS'] || undefined,
  sandboxSecret: env['UPSTREAM_SANDBOX_SECRET'] || undefined,
  emberfallSecret: env['UPSTREAM_EMBERFALL_SECRET'] || undefined,
  world: env['UPSTREAM_WORLD'] || undefined,
  webhook: webhookOf(env['UPSTREAM_WEBHOOK_URL'], env['UPSTREAM_WEBHOOK_SECRET']),
});

function webhookOf(url: string | undefined, secret: string | undefined): { url: string; secret: string } | undefined {
  return url && secret ? { url, secret } : undefined;
}

function stop(): void {
  void upstream.close().then(() => process.exit(0));
}

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
if (env['UPSTREAM_PARENT_STDIN'] === '1') process.stdin.on('end', stop).on('close', stop).resume();
process.stdout.write(`${JSON.stringify({ url: upstream.url })}\n`);
