export type ToldToStop = { signal: AbortSignal; whenTold: Promise<void> };

/** Notices the first INT, TERM or HUP; later ones change nothing, so that a second ctrl-C does not leave children behind. */
export function onceToldToStop(): ToldToStop {
  const told = Promise.withResolvers<void>();
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      controller.abort();
      told.resolve();
    });
  }
  return { signal: controller.signal, whenTold: told.promise };
}
