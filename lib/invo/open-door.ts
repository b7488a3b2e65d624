import { parseBaseUrl } from './access/access.ts';
import { createSecretSlots, type SecretSlots } from './access/secret-slots.ts';
import type { CallEvent, InvoSettings } from './settings.ts';
import { defaultLimits, type Limits } from './transport/limits.ts';

/** What reads and writes of one game share: where Invo is, which secret works, the bounds, the clock and the log. */
export interface Door {
  base: URL;
  limits: Limits;
  slots: SecretSlots;
  now: () => number;
  log: (event: CallEvent) => void;
}

/** Checks the settings of one game. Throws an Error when the base URL or a secret cannot be used; it repeats neither. */
export function openDoor(settings: InvoSettings): Door {
  return {
    base: parseBaseUrl(settings.access.baseUrl),
    limits: { ...defaultLimits, ...settings.limits },
    slots: createSecretSlots(settings.access, settings.onPreviousSecretUsed ?? (() => {})),
    now: settings.now ?? Date.now,
    log: settings.log ?? (() => {}),
  };
}

/** Path and query below the prefix of the base URL. */
export function requestText(base: URL, path: string): string {
  return `${base.pathname.replace(/\/+$/, '')}${path}`;
}

/** An event of which nothing is known yet. */
export const silentEvent = {
  outcome: 'answered',
  status: null,
  errorId: null,
  errorCode: null,
  receivedBytes: null,
  inflatedBytes: null,
  waitMs: null,
} as const;
