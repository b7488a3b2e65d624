// The health check of the image: whether the web process answers. A worker has no pages; its service switches the check off.
const port = process.env.PORT || '3000';
try {
  const { ok } = await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(4_000) });
  process.exit(ok ? 0 : 1);
} catch {
  process.exit(1);
}
