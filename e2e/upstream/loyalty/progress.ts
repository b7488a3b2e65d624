import type { GameView } from '../game-view.ts';

const LANTERNS_BEFORE = 2;
const LANTERNS = 5;

/** What reported events add to a player's cards. */
interface Progress {
  lanterns: { current: number; target: number };
  /** Who reported the visit that ends Night market; null: nobody did. A reward of value is paid only for the server's report. */
  stallVisit: 'server' | 'client' | null;
}

/** A player's progress: lanterns by `game.custom.recorded` of `lantern_lit`, the stall by the milestone `stall_visited`. */
export function progressOf({ desk }: GameView, playerId: number): Progress {
  const events = [...desk.events.values()].filter((event) => event.playerId === playerId);
  const lit = events.filter(({ name }) => name === 'lantern_lit').length;
  const visits = events.filter(({ name }) => name === 'stall_visited');
  const isByServer = visits.some(({ source }) => source === 'server');
  return {
    lanterns: { current: Math.min(LANTERNS, LANTERNS_BEFORE + lit), target: LANTERNS },
    stallVisit: isByServer ? 'server' : visits.length > 0 ? 'client' : null,
  };
}
