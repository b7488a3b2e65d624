// Loaded first into every process Sharebook starts (node --import): when its parent is gone, killed without a chance to
// stop its children, the process ends as if it had received SIGTERM.
const CHECK_EVERY_MS = 500;
const GRACE_MS = 15_000;

const parent = process.ppid;

const watch = setInterval(() => {
  if (process.ppid === parent) return;
  clearInterval(watch);
  setTimeout(() => process.exit(1), GRACE_MS).unref();
  process.kill(process.pid, 'SIGTERM');
}, CHECK_EVERY_MS);
watch.unref();

export {};
