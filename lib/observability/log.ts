import { format, stripVTControlCharacters } from 'node:util';
import { maskEmailsIn } from '#lib/core/typed-input.ts';
import { currentRequest } from './request-context.ts';

type Field = string | number | boolean | null | undefined;

const TEXT_LENGTH_MAX = 4_000;

/** Writes one event as a JSON line on stderr. */
export function logEvent(processName: 'web' | 'worker', event: string, fields: Record<string, Field>): void {
  process.stderr.write(`${formatLogLine(new Date().toISOString(), processName, event, fields)}\n`);
}

/** One event as a JSON line. Texts are cut at 4,000 characters; what looks like a password in an address, a token or an email is masked. */
export function formatLogLine(time: string, processName: string, event: string, fields: Record<string, Field>): string {
  const safe = Object.entries(fields).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return [[name, typeof value === 'string' ? mask(value).slice(0, TEXT_LENGTH_MAX) : value]];
  });
  return JSON.stringify({ time, process: processName, event, ...Object.fromEntries(safe) });
}

function mask(text: string): string {
  const withoutSecrets = text
    .replace(/\/\/[^/\s@]+@/g, '//***@')
    .replace(/((?:bearer|token|secret|password|key)["']?\s*[=:\s]\s*["']?)[\w+/=.-]{16,}/gi, '$1***');
  return maskEmailsIn(withoutSecrets);
}

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
