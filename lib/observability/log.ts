import { maskEmailsIn } from '#lib/core/typed-input.ts';

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
