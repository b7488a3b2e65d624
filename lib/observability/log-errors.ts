import { format, stripVTControlCharacters } from 'node:util';
import { logEvent } from './log.ts';
import { currentRequest } from './request-context.ts';

/**
 * Writes what libraries print as errors and warnings to the log instead, as masked lines. Of an error only its message and its stack are
 * logged: the other fields of one from PostgreSQL quote the row.
 */
export function logConsole(processName: 'web' | 'worker'): void {
  const write =
    (event: 'error' | 'warning') =>
    (...printed: unknown[]): void =>
      logEvent(processName, event, { requestId: currentRequest()?.requestId, message: formatPrinted(printed) });
  Object.assign(console, { error: write('error'), warn: write('warning') });
}

/** Logs an error that nothing caught and ends the process, which Node would end with the raw error. Returns what undoes it. */
export function exitOnUncaught(processName: 'web' | 'worker'): () => void {
  const exit = (error: unknown): void => {
    logEvent(processName, 'error', { message: formatError(error) });
    process.exit(1);
  };
  process.on('uncaughtException', exit);
  return () => void process.off('uncaughtException', exit);
}

/** An error with its stack and its causes, and nothing else that it holds. */
export function formatError(error: unknown): string {
  return formatPrinted([error]);
}

function formatPrinted(printed: unknown[]): string {
  return stripVTControlCharacters(format(...printed.map(withoutFields)));
}

function withoutFields(value: unknown): unknown {
  if (value instanceof Error) {
    const cause = value.cause instanceof Error ? `\ncaused by ${String(withoutFields(value.cause))}` : '';
    return `${value.stack ?? value.message}${cause}`;
  }
  return typeof value === 'object' && value !== null ? Object.prototype.toString.call(value) : value;
}
