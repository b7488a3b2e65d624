import 'server-only';
import { cache } from 'react';
import type { Game } from '#app/_server/game.ts';
import { openGameContext } from '#app/_server/open-game-context.ts';
import type { Month } from '#lib/core/month.ts';
import { findClose, type MonthClose } from '#lib/payouts/find-close.ts';

/** The close of a month, once per request: the tab counts what the page lists. */
export const loadClose: (game: Game, month: Month) => Promise<MonthClose> = cache(
  async (game, month) => await findClose(openGameContext(game).game, month),
);
