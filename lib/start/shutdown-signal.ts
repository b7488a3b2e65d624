const NUMBERS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

export type Shutdown = {
  /** Aborted by the first INT, TERM or HUP, with its name as the reason. */
  signal: AbortSignal;
  /** Resolves with the exit code a shell expects after that signal: 128 and its number. */
  requested: Promise<number>;
};

/** Watches for a request to shut down. Later signals change nothing, so that a second Ctrl-C leaves no process behind. */
export function watchShutdown(): Shutdown {
  const requested = Promise.withResolvers<number>();
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      controller.abort(name);
      requested.resolve(128 + NUMBERS[name]);
    });
  }
  return { signal: controller.signal, requested: requested.promise };
}
