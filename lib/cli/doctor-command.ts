import { listPendingMigrations, withConnection } from '#db/kit/administer.ts';
import { findServerVersion, isSupportedServer, MIGRATIONS_FOLDER, SERVER_MAJOR_MIN } from '#db/kit/migrate.ts';
import { openCompleteReads } from '#db/kit/replica.ts';
import { canChangeEvidence } from '#db/kit/rights.ts';
import { findServers } from '#lib/games/find-servers.ts';
import { formatReplica } from '#lib/observability/text.ts';
import { listOtherKeys } from '#lib/payees/reads/detail-keys.ts';
import { nameKey } from '#lib/payees/seal.ts';
import { listPayoutPauses } from '#lib/payouts/reads/payout-pause.ts';
import { openRestoreGuard } from '#lib/refunds/check-restore.ts';
import { listGamesToCheck, listRestorePauses } from '#lib/refunds/reads/refund-preconditions.ts';
import { FOLDER_UNKNOWN } from '#lib/refunds/text.ts';
import { countFactors, listRequiredRoles } from '#lib/two-factor/reads.ts';
import { clockOf, type GameConfig } from '../config.ts';
import { formatZoneChange } from '../core/game.ts';
import { fromMicroseconds, toMicroseconds } from '../core/instant.ts';
import { formatRoles } from '../core/roles.ts';
import { messageOf } from '../core/strings.ts';
import { settledUntil } from '../core/window.ts';
import { connectInvo } from '../games/game-context.ts';
import { openGame } from '../games/open-game.ts';
import { listStoredGames } from '../games/reads/stored-games.ts';
import { InvoError } from '../invo/invo-error.ts';
import { readAttributionReport } from '../invo/routes/attribution-report.ts';
import { formatInvoError } from '../invo/text.ts';
import { openMailer } from '../notices/open-mailer.ts';
import { webhookAddress } from '../webhooks/text.ts';
import { type CommandContext, EXIT } from './command-context.ts';

interface Finding {
  subject: string;
  ok: boolean;
  /** It works, and could be safer. */
  isWarning?: true;
  message: string;
}

/** Prints what is configured, reachable and missing: the database, its schema, and each game at Invo by one small call. */
export async function doctorCommand(context: CommandContext, command: { isJson: boolean }): Promise<number> {
  const findings: Finding[] = [
    ...(await checkDatabase(context)),
    ...(await checkLogins(context)),
    ...(await checkServers(context)),
    ...(await checkReplica(context)),
    await checkMail(context),
    ...(await checkSecondFactors(context)),
    ...(await checkPayeeKey(context)),
  ];
  if (context.config.games.length === 0)
    findings.push(missing('games', 'none configured: set INVO_GAME, INVO_BASE_URL and INVO_GAME_SECRET, or SHAREBOOK_GAMES_FILE'));
  findings.push(...(await checkRestore(context)));
  for (const game of context.config.games) findings.push(await checkGame(context, game), checkWebhooks(context, game));
  findings.push(...(await checkStoredGames(context)));
  if (command.isJson) context.print(JSON.stringify({ findings }));
  else for (const finding of findings) context.print(`${labelOf(finding)} ${finding.subject}: ${finding.message}`);
  return findings.every((finding) => finding.ok) ? EXIT.done : EXIT.failed;
}

const good = (subject: string, message: string): Finding => ({ subject, ok: true, message });
const warning = (subject: string, message: string): Finding => ({ subject, ok: true, isWarning: true, message });
const missing = (subject: string, message: string): Finding => ({ subject, ok: false, message });

function labelOf({ ok, isWarning }: Finding): string {
  return !ok ? 'missing' : isWarning ? 'warning' : 'ok     ';
}

async function checkDatabase({ open }: CommandContext): Promise<Finding[]> {
  try {
    const version = await findServerVersion(open.db);
    if (!isSupportedServer(version)) return [missing('database', `PostgreSQL ${version} is too old: use ${SERVER_MAJOR_MIN} or newer`)];
    const pending = await listPendingMigrations(open.db, MIGRATIONS_FOLDER);
    return [
      good('database', `PostgreSQL ${version} is reachable`),
      pending.length === 0 ? good('schema', 'up to date') : missing('schema', `migrations to apply: ${pending.join(', ')}. Run migrate.`),
    ];
  } catch (error) {
    return [missing('database', messageOf(error))];
  }
}

/** Whether web or worker could change evidence. Nothing while the database is away, which is a finding already. */
async function checkLogins({ config }: CommandContext): Promise<Finding[]> {
  const subject = 'database logins';
  const logins = { DATABASE_URL: config.databaseUrl, DATABASE_WORKER_URL: config.databaseWorkerUrl };
  const able: string[] = [];
  for (const [name, url] of Object.entries(logins)) {
    if (name !== 'DATABASE_URL' && url === config.databaseUrl) continue;
    try {
      if (await withConnection(url, canChangeEvidence)) able.push(name);
    } catch (error) {
      return [missing(subject, `${name}: ${messageOf(error)}`)];
    }
  }
  if (able.length === 0) return [good(subject, 'neither web nor worker can change or delete evidence')];
  const message = `the login of ${able.join(' and ')} owns the tables, so it could change evidence: use the logins of db/roles.sql (.github/docs/operations.md)`;
  return [warning(subject, message)];
}

/** Where the rows of each game are in a cluster; nothing where the database is on one server, or is away. */
async function checkServers({ open: { db } }: CommandContext): Promise<Finding[]> {
  const subject = 'servers';
  try {
    const servers = await findServers(db, await listStoredGames(db));
    return servers === null ? [] : [{ subject, ok: servers.isRight, message: servers.message }];
  } catch (error) {
    return [missing(subject, messageOf(error))];
  }
}

/** The read replica as it is now; nothing when none is configured. */
async function checkReplica({ config, open }: CommandContext): Promise<Finding[]> {
  const reads = openCompleteReads({ primary: open.db, url: config.databaseReadUrl });
  const status = await reads.check();
  await reads.close();
  return status === null ? [] : [{ subject: 'read replica', ok: status.problem === null, message: formatReplica(status) }];
}

/** Whether notices can be emailed. Without a mail server nothing is missing: they are shown. */
async function checkMail({ config: { mail } }: CommandContext): Promise<Finding> {
  const subject = 'email';
  if (mail === 'outbox') return good(subject, 'simulated data: emails go to the outbox on the Notices page');
  if (mail === null)
    return good(subject, 'not configured: notices are shown in Sharebook only. Set SMTP_URL and SHAREBOOK_MAIL_FROM to send them');
  const where = `the mail server ${new URL(mail.url).host}`;
  const problem = await openMailer(mail).check();
  return problem === null
    ? good(subject, `${where} is reachable`)
    : missing(subject, `${where} can't be used (${problem}): check SMTP_URL. Notices are still shown in Sharebook`);
}

/** Which roles need two-factor authentication, and who lacks it. Nothing while the database can't be read, which is a finding already. */
async function checkSecondFactors({ open }: CommandContext): Promise<Finding[]> {
  const subject = 'two-factor authentication';
  try {
    const [roles, { people, withFactor, missing: count }] = await Promise.all([listRequiredRoles(open.db), countFactors(open.db)]);
    const have = `${withFactor} of ${people} people have it`;
    if (roles.length === 0) return [good(subject, `required for no role; ${have}`)];
    const lacking = count === 0 ? '' : `; ${count} with such a role ${count === 1 ? 'has' : 'have'} to set it up at the next sign-in`;
    return [good(subject, `required for ${formatRoles(roles)}; ${have}${lacking}`)];
  } catch {
    return [];
  }
}

/** Whether payment details can be entered, and opened as they are stored. Nothing while the database can't be read, which is a finding already. */
async function checkPayeeKey({ config: { payeeKey }, open }: CommandContext): Promise<Finding[]> {
  const subject = 'payment details';
  const name = payeeKey === null ? null : nameKey(payeeKey);
  try {
    const others = await listOtherKeys(open.db, name);
    const count = others.reduce((sum, each) => sum + each.count, 0);
    const named = others.map(({ keyName }) => keyName).join(', ');
    if (name === null)
      return [
        {
          subject,
          ok: count === 0,
          ...(count === 0 && { isWarning: true }),
          message:
            count === 0
              ? 'none can be entered: set SHAREBOOK_PAYEE_KEY to 32 bytes in Base64 (.github/docs/payment-details.md)'
              : `${count} can't be opened: set SHAREBOOK_PAYEE_KEY to the key that sealed them (${named}), no other key opens them`,
        },
      ];
    if (count > 0)
      return [{ subject, ok: false, message: `${count} are sealed under another key (${named}): set SHAREBOOK_PAYEE_KEY to that one` }];
    const copy = 'store a copy of the key apart from the database and its backups (.github/docs/payment-details.md)';
    return [good(subject, `sealed under key ${name}: ${copy}`)];
  } catch {
    return [];
  }
}

/** Whether the refunds or payouts of a game are still paused because the database was restored, and whether the data folder would notice a restore. */
async function checkRestore({ open, owner, dataFolder }: CommandContext): Promise<Finding[]> {
  try {
    const [refunds, payouts] = [await listRestorePauses(open.db), await listPayoutPauses(open.db)];
    const format = (what: string, slug: string): Finding =>
      missing('restore', `the database was restored: ${what} of ${slug} are paused until two approvers resume them`);
    const paused = [...refunds.map(({ slug }) => format('refunds', slug)), ...payouts.map(({ slug }) => format('payouts', slug))];
    if (paused.length > 0) return paused;
    if (dataFolder !== null && !(await openRestoreGuard({ ...open, folder: dataFolder, owner }).knows()))
      return [warning('restore', FOLDER_UNKNOWN)];
    return [good('restore', 'neither refunds nor payouts are paused because of a restored database')];
  } catch (error) {
    return [missing('restore', messageOf(error))];
  }
}

/** Games that share one game of Invo, and games no longer configured whose refunds are open: nothing follows those up. */
async function checkStoredGames({ config, open }: CommandContext): Promise<Finding[]> {
  const stored = await listGamesToCheck(open.db);
  return stored.flatMap(({ slug, environment, openRefunds, twins }) => {
    const isConfigured = config.games.some((game) => game.slug === slug && game.environment === environment);
    const refunds = openRefunds === 1 ? '1 open refund' : `${openRefunds} open refunds`;
    const messages = [
      twins.length > 0 && `shares one game of Invo with ${twins.join(', ')}: request no refunds there, and keep one of them`,
      openRefunds > 0 && !isConfigured && `isn't configured any more and has ${refunds} that nothing follows up: configure it again`,
    ];
    return messages.filter((message) => message !== false).map((message) => missing(`game ${slug}`, message));
  });
}

/** Whether deliveries of Invo can be verified. Without a signing secret nothing else is missing: Sharebook reads what it needs. */
function checkWebhooks({ config: { origin } }: CommandContext, game: GameConfig): Finding {
  const subject = `webhooks of ${game.slug}`;
  const address = webhookAddress(origin, game.slug);
  if (game.webhookSecret === undefined)
    return warning(
      subject,
      `no signing secret is set, so every delivery to ${address} is answered with 503. Set INVO_WEBHOOK_SECRET, or webhookSecret in the games file`,
    );
  const previous = game.webhookSecretPrevious === undefined ? '' : ' and the previous one, for a rotation,';
  return good(subject, `a signing secret${previous} is set; the address is ${address}`);
}

async function checkGame(context: CommandContext, config: GameConfig): Promise<Finding> {
  const subject = `game ${config.slug}`;
  const where = `${config.environment} at ${new URL(config.baseUrl).host}, months in ${config.timeZone}`;
  try {
    const now = clockOf(context.config);
    const game = await openGame(context.open.db, config, { settleLag_minutes: context.config.settleLag_minutes, now });
    const changed = formatZoneChange(game, config);
    if (changed !== null) return missing(subject, changed);
    const end = settledUntil(now(), context.config.settleLag_minutes);
    const start = fromMicroseconds(toMicroseconds(end) - 60_000_000n);
    const { value } = await readAttributionReport(connectInvo(game, config, { caller: 'person' }), { start, end, limit: 1 });
    return good(subject, `${where}: reachable as Invo's game ${value.report.game_id}`);
  } catch (error) {
    return missing(subject, `${where}: ${error instanceof InvoError ? formatInvoError(error) : messageOf(error)}`);
  }
}
