import type { Invo } from './invo.ts';
import { type InvoSettings, openEndpoint } from './settings.ts';
import { openReads } from './transport/read.ts';
import { openStreams } from './transport/stream.ts';
import { openWrites } from './transport/write.ts';

/** Opens one game at Invo for the functions of `routes/`. Throws an Error when the base URL or a secret can't be used; it repeats neither. */
export function openInvo(settings: InvoSettings): Invo {
  const endpoint = openEndpoint(settings);
  const gameId = settings.access.gameId ?? null;
  return {
    ask: openReads(settings, endpoint),
    stream: openStreams(settings, endpoint),
    write: openWrites(settings, endpoint),
    gameId,
    key: `${endpoint.base.href} ${settings.access.environment} ${gameId ?? ''}`,
  };
}
