/** One game in one environment, as it is handed around: plain data without secrets. */
export interface Game {
  gameId: number;
  slug: string;
  name: string;
  environment: 'production' | 'sandbox';
  /** The time zone its months are cut in. */
  timeZone: string;
  /** Invo's own id, pinned by the first report; null until then. */
  invoGameId: string | null;
}

/** What queries and files need of a game. */
export type GameRef = Pick<Game, 'gameId' | 'slug' | 'environment' | 'timeZone'>;
