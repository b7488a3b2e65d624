import 'server-only';
import { config } from './wiring.ts';

/** The instant it is, UTC, ending in Z; fixed where the configuration fixes it. */
export function now(): string {
  return config().fixedNow ?? new Date().toISOString();
}
