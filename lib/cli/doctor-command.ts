import { sql } from 'kysely';
import { listPendingMigrations } from '#db/kit/migrate.ts';
import type { GameConfig } from '../config.ts';
import { clockOf } from '../config.ts';
import { fromMicroseconds, toMicroseconds } from '../core/instant.ts';
import { settledUntil } from '../core/window.ts';
import { clientOf, openGame } from '../games/open-game.ts';
import { InvoError } from '../invo/invo-error.ts';
import { formatInvoError } from '../invo/text.ts';
import { type Door, EXIT } from './door.ts';

interface Finding {
  subject: string;
  ok: boolean;
  says: string;
}

/** Says what is configured, what answers and what is missing: the database, its schema, and each game at Invo by one small call. */
export async function doctorCommand(door: Door, command: { isJson: boolean }): Promise<number> {
  const findings: Finding[] = [...(await lookAtDatabase(door))];
  if (door.config.games.length === 0)
    findings.push({
      subject: 'games',
      ok: false,
      says: 'no game is configured: set INVO_GAME, INVO_BASE_URL and INVO_GAME_SECRET, or SHAREBOOK_GAMES_FILE',
    });
  for (const game of door.config.games) findings.push(await lookAtGame(door, game));
  if (command.isJson) door.result(JSON.stringify({ findings }));
  else for (const { ok, subject, says } of findings) door.result(`${ok ? 'ok     ' : 'missing'} ${subject}: ${says}`);
  return findings.every((finding) => finding.ok) ? EXIT.done : EXIT.failed;
}

async function lookAtDatabase({ open }: Door): Promise<Finding[]> {
  try {
    const { rows } = await sql<{ version: string }>`select current_setting('server_version') as version`.execute(open.db);
    const pending = await listPendingMigrations(open.db as never);
    return [
      { subject: 'database', ok: true, says: `PostgreSQL ${rows[0]?.version ?? ''} answers` },
      {
        subject: 'schema',
        ok: pending.length === 0,
        says: pending.length === 0 ? 'newest' : `not applied: ${pending.join(', ')}; run migrate`,
      },
    ];
  } catch (error) {
    return [{ subject: 'database', ok: false, says: error instanceof Error ? error.message : String(error) }];
  }
}

async function lookAtGame(door: Door, config: GameConfig): Promise<Finding> {
  const subject = `game ${config.slug}`;
  const where = `${config.environment} at ${new URL(config.baseUrl).host}, months in ${config.timeZone}`;
  try {
    const now = clockOf(door.config);
    const game = await openGame(door.open.db, door.open.pool, config, { settleLag_minutes: door.config.settleLag_minutes, now });
    const end = settledUntil(now(), door.config.settleLag_minutes);
    const start = fromMicroseconds(toMicroseconds(end) - 60_000_000n);
    const { value } = await clientOf(game, config, { asks: 'person' }).attributionReport({ start, end, limit: 1 });
    return { subject, ok: true, says: `${where}: answers as Invo's game ${value.report.game_id}` };
  } catch (error) {
    return {
      subject,
      ok: false,
      says: `${where}: ${error instanceof InvoError ? formatInvoError(error) : error instanceof Error ? error.message : String(error)}`,
    };
  }
}
