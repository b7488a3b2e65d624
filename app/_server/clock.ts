import 'server-only';
import { cache } from 'react';
import { findDatabaseNow } from '#db/kit/open.ts';
import { clockOf } from '#lib/config.ts';
import { config, db } from './wiring.ts';

/** The instant it is, UTC, ending in Z; fixed where the configuration fixes it. */
export function now(): string {
  return clockOf(config())();
}

/** The instant it is by the clock that stored times come from, once per request: the age of something stored is told by it alone. */
export const storedNow: () => Promise<string> = cache(async () => await findDatabaseNow(db()));
