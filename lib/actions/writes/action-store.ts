import { sql } from 'kysely';
import { isUniqueViolation } from '#db/kit/errors.ts';
import { claimNext, lockGame } from '#db/kit/lease.ts';
import { countChanges, type Db, firstInstant, inTransaction } from '#db/kit/open.ts';
import { wakeWorker } from '#db/kit/wake.ts';
import { isNotPaused, mayActAloneIn } from '#lib/approvals/reads.ts';
import { sha256Of } from '#lib/core/canonical-digest.ts';
import { isGroupOn } from '../reads/action-controls.ts';
import type { Reading } from '../rules/action-facts.ts';
import type { ActionChange, ActionJob, ActionStore, FinishedAttempt, NotBegun, Presser } from '../rules/action-ports.ts';
import { type ActionState, isEnded, stateOf } from '../rules/action-state.ts';
import { ACTION_ACTS } from '../rules/audit-acts.ts';
import { groupOf, protocolOf } from '../rules/protocols.ts';
import { APPROVAL_VALID_MS, PRESS_SILENT_MS, WORKER_SILENT_MS } from '../rules/settling-times.ts';
import {
  type ActionRef,
  applyChange,
  digestAnswer,
  type JobRow,
  jobColumns,
  readJob,
  recordActionAudit,
  type StoredAnswer,
} from './action-rows.ts';

/** A claimed action is invisible to other workers for this long. */
const CHECK_SECONDS = 60;

/** The store of a game's desk actions in Postgres, for one process. `owner` names the process. */
export function openActionStore(db: Db, owner: string, gameId: number): ActionStore {
  return {
    now: async () => {
      const { rows } = await sql<{ ms: string }>`select floor(extract(epoch from clock_now()) * 1000)::text as ms`.execute(db);
      return Number(rows[0]?.ms);
    },
    takeDue: async () => {
      // A claim only hides an action during one step; its version decides what may be written.
      const { rows } = await claimNext<JobRow>('desk_action', {
        gameId,
        key: ['action_id'],
        where: sql<boolean>`waiting.next_look_at <= clock_now()`,
        order: sql`waiting.next_look_at`,
        set: { next_look_at: sql`clock_now() + make_interval(secs => ${CHECK_SECONDS})` },
        returning: jobColumns(gameId),
      }).execute(db);
      return rows[0] === undefined ? null : readJob(rows[0]);
    },
    find: (actionId) => findJob(db, { gameId, actionId }),
    findStep: async ({ actionId }) => {
      const { rows } = await sql<{ state: string; last_error_code: string | null }>`select state, last_error_code from desk_action
        where game_id = ${gameId} and parent_id = ${actionId} and kind in ('send_approve', 'transfer_approve')
        order by action_id desc limit 1`.execute(db);
      return rows[0] === undefined ? null : { ...rows[0], state: stateOf(rows[0].state) };
    },
    begin: (job, presser) => begin(db, owner, job, presser),
    finish: (job, attempt_no, attempt, change) => finish(db, owner, job, attempt_no, attempt, change),
    move: (job, act, change) =>
      inTransaction(db, async (tx) => {
        const hasMoved = await applyChange(tx, job, change);
        const why = change.attention_reason === undefined ? {} : { reason: change.attention_reason };
        if (hasMoved) await recordActionAudit(tx, job, 'worker', act, { from: job.state, to: change.state, ...why });
        return hasMoved;
      }),
    postpone: async (job, checkAt, error) => {
      const seen = error === undefined ? {} : { last_error_code: error.error, last_error_id: error.errorId };
      await applyChange(db, job, { checkAt, ...seen });
    },
    storeReading: async (job, reading) => inTransaction(db, (tx) => insertReading(tx, job, reading)),
  };
}

async function findJob(db: Db, { gameId, actionId }: ActionRef, locked = false): Promise<(ActionJob & { owner: string | null }) | null> {
  const lock = locked ? sql`for update` : sql``;
  const { rows } = await sql<JobRow>`select ${jobColumns(gameId)} from desk_action
    where game_id = ${gameId} and action_id = ${actionId} ${lock}`.execute(db);
  return rows[0] === undefined ? null : { ...readJob(rows[0]), owner: rows[0].lease_owner };
}

async function begin(db: Db, owner: string, job: ActionJob, presser: Presser | null): Promise<{ attempt_no: number } | NotBegun> {
  const { gameId, actionId, version, content } = job;
  const { repeats, isForRequester } = protocolOf(content.kind);
  try {
    return await inTransaction(db, async (tx): Promise<{ attempt_no: number } | NotBegun> => {
      // A pause and a switch wait for this lock, and this lock for them: no attempt is committed after either.
      await lockGame(tx, gameId, ['sends'], 'shared');
      const isOn = isGroupOn(gameId, groupOf(content.kind, content.facts.request));
      const person =
        presser === null
          ? sql<boolean>`${repeats === 'worker'}::boolean`
          : sql<boolean>`exists (select from person where person.id = ${presser.id} and ${mayActAloneIn('person', 'actions.request', gameId)})`;
      const allowed = await tx
        .selectNoFrom([isNotPaused(gameId, 'desk actions').as('isSending'), isOn.as('isOn'), person.as('mayPress')])
        .executeTakeFirstOrThrow();
      if (!allowed.isSending) return 'paused';
      if (!allowed.isOn) return 'switched_off';
      if (!allowed.mayPress || (isForRequester && presser?.id !== job.requestedBy)) return 'not_allowed';
      // What was sent and isn't settled is sent as the same bytes: by people, or by the worker, whichever repeats the kind.
      const silent_ms = presser === null ? WORKER_SILENT_MS : PRESS_SILENT_MS;
      const isValid = sql`approved_at > clock_now() - make_interval(secs => ${APPROVAL_VALID_MS / 1_000})`;
      const isSendable =
        presser === null
          ? sql`repeats = 'worker' and (state in ('approved', 'waiting') and ${isValid} or state = 'unknown')`
          : sql`repeats <> 'worker' and (state = 'approved' and ${isValid} or state = 'checking' and repeats = 'person' and settle_until > clock_now())`;
      const { rows } = await sql<{ attempt_count: number }>`update desk_action set state = 'sending', lease_owner = ${owner},
          next_look_at = clock_now() + make_interval(secs => ${silent_ms / 1_000}), attempt_count = attempt_count + 1,
          first_sent_at = ${firstInstant('first_sent_at')}, last_sent_at = clock_now()
        where game_id = ${gameId} and action_id = ${actionId} and version = ${version} and approved_digest = content_digest
          and ${isSendable}
        returning attempt_count`.execute(tx);
      const [row] = rows;
      if (row === undefined) return 'moved_on';
      const attempt = { game_id: gameId, action_id: actionId, repeats, attempt_no: row.attempt_count, owner, sent_by: presser?.id ?? null };
      await tx
        .insertInto('desk_action_attempt')
        .values({ ...attempt, request_digest: content.request_digest })
        .execute();
      await recordActionAudit(tx, job, presser?.email ?? 'worker', ACTION_ACTS.startedSending, { attempt_no: row.attempt_count });
      const dueAt = sql`clock_now() + make_interval(secs => ${silent_ms / 1_000})`;
      await wakeWorker(tx, { queue: 'actions', gameId, id: actionId, dueAt });
      return { attempt_no: row.attempt_count };
    });
  } catch (error) {
    if (isUniqueViolation(error, 'desk_action_sender')) return 'busy';
    throw error;
  }
}

async function finish(
  db: Db,
  owner: string,
  job: ActionJob,
  attempt_no: number,
  attempt: FinishedAttempt,
  change: ActionChange,
): Promise<ActionState> {
  const isSilence = attempt.answer.transportError === 'sender_silent';
  return await inTransaction(db, async (tx) => {
    const current = await findJob(tx, job, true);
    if (current === null) throw new Error(`desk action ${job.actionId} does not exist`);
    const isOurs = isSilence
      ? current.version === job.version
      : current.state === 'sending' && current.owner === owner && current.attempt_count === attempt_no;
    if (isSilence && !isOurs) return current.state;
    const answer = await updateAttempt(tx, job, attempt_no, attempt);
    // An answer after the lease was lost is recorded, and counts where it states the end, or what a start made, and nothing newer is being sent.
    const isLate = !isOurs && answer !== null && current.state !== 'sending' && current.attempt_count === attempt_no;
    const isNews = change.state === 'checking' ? !isEnded(current.state) : change.state === 'with_player' && current.state === 'checking';
    const counts = isOurs || (isLate && (change.state === 'done' || isNews));
    if (counts) await applyChange(tx, current, change);
    if (counts || answer !== null) {
      const late = counts ? {} : { counts };
      const detail = { class: attempt.class, to: counts ? change.state : current.state, attempt_no, answer, ...late };
      await recordActionAudit(tx, job, 'worker', ACTION_ACTS.answered, detail);
    }
    return counts ? (change.state ?? current.state) : current.state;
  });
}

/** Stores the answer of an attempt; returns the digest of what is stored as hex, null when the attempt has another answer already. */
async function updateAttempt(
  tx: Db,
  { gameId, actionId }: ActionRef,
  attempt_no: number,
  attempt: FinishedAttempt,
): Promise<string | null> {
  const { class: meaning, answer, result } = attempt;
  const stored: StoredAnswer = {
    class: meaning,
    phase: answer.phase,
    status: answer.status,
    error_code: answer.codes[0] ?? answer.transportError,
    error_id: answer.errorId,
    answer_facts: result,
    sha256: answer.body === null ? null : sha256Of(answer.body),
  };
  const changed = await countChanges(
    tx,
    sql`update desk_action_attempt set finished_at = clock_now(), class = ${stored.class}, phase = ${stored.phase}, status = ${stored.status},
      error_code = ${stored.error_code}, error_id = ${stored.error_id}, answer_facts = ${result === null ? null : JSON.stringify(result)},
      body = ${answer.body}, sha256 = ${stored.sha256}, retry_after_ms = ${answer.retryAfterMs === null ? null : Math.round(answer.retryAfterMs)}
      where game_id = ${gameId} and action_id = ${actionId} and attempt_no = ${attempt_no} and (class is null or class = 'no_answer')`,
  );
  return changed === 1 ? digestAnswer(stored) : null;
}

/** Adds the next reading of an action; locks it until the transaction ends. */
export async function insertReading(tx: Db, { gameId, actionId }: ActionRef, reading: Reading): Promise<void> {
  // A statement of its own: the count after it sees the reading of the previous lock holder.
  await sql`select 1 from desk_action where game_id = ${gameId} and action_id = ${actionId} for update`.execute(tx);
  await sql`insert into desk_action_read (game_id, action_id, read_no, kind, facts)
    select ${gameId}, ${actionId}, coalesce(max(read_no), 0) + 1, ${reading.kind}, ${JSON.stringify(reading)} from desk_action_read
    where game_id = ${gameId} and action_id = ${actionId}`.execute(tx);
}
