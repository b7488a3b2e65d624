import { gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { isUniqueViolation } from '#db/kit/errors.ts';
import { claimNext, lockGame } from '#db/kit/lease.ts';
import { countChanges, type Db, firstInstant, inTransaction } from '#db/kit/open.ts';
import { wakeWorker } from '#db/kit/wake.ts';
import { isNotPaused } from '#lib/approvals/reads.ts';
import { sha256Of } from '#lib/core/canonical-digest.ts';
import { decidingCode } from '#lib/invo/rules/error-codes.ts';
import { answeredAction, REFUND_ACTIONS, type RefundAct } from '../rules/audit-actions.ts';
import type { NotBegun, RefundChange, RefundJob, RefundStore } from '../rules/ports.ts';
import { isEnded, NOT_CARRIED_OUT_STATES, SENDABLE_STATES } from '../rules/state.ts';
import { storeReading } from './refund-decisions.ts';
import { applyChange, digestAnswer, type JobRow, jobColumns, readJob, recordRefundAudit, type StoredAnswer } from './refund-rows.ts';

/** A sender silent for longer counts as dead; a call to Invo never takes this long. */
const SENDER_SILENT_SECONDS = 120;
/** A claimed refund is invisible to other workers for this long. */
const CHECK_SECONDS = 60;

const RECEIPT_OF_ANOTHER = { state: 'attention', checkAt: null, attention_reason: 'receipt_of_another', proposal: null } as const;

/** The store of a game's refunds in Postgres, for one process. `owner` names the process. */
export function openRefundStore(db: Db, owner: string, gameId: number): RefundStore {
  return {
    now: () => databaseNow(db),
    takeDue: () => takeDue(db, gameId),
    begin: (job) => begin(db, owner, job),
    finish: (job, attempt_no, attempt, change) => finish(db, owner, job, attempt_no, attempt, change),
    move: async (job, act, change) => {
      try {
        return await move(db, job, act, change);
      } catch (error) {
        if (!isUniqueViolation(error, 'refund_landed')) throw error;
        // Another refund of ours holds this transaction and total: the reading belongs to that one and is not applied here.
        if (!isEnded(job.state)) return move(db, job, REFUND_ACTIONS.otherReceipt, RECEIPT_OF_ANOTHER);
        await applyChange(db, job, { checkAt: null });
        return false;
      }
    },
    postpone: async (job, checkAt, error) => {
      const seen = error === undefined ? {} : { last_error_code: error.code, last_error_id: error.errorId };
      await applyChange(db, job, { checkAt, ...seen });
    },
    storeReading: (job, purpose, facts) => storeReading(db, job, purpose, facts),
    listClaimed: async (job) => {
      const { rows } = await sql<{
        transaction_id: string;
      }>`select transaction_id from refund where game_id = ${job.gameId} and period_id = ${job.period_id} and refund_id <> ${job.refundId} and transaction_id is not null`.execute(
        db,
      );
      return rows.map((row) => row.transaction_id);
    },
    hasRival: async (job) => {
      const rowCount = (
        await sql`select 1 from refund where game_id = ${job.gameId} and period_id = ${job.period_id} and refund_id > ${job.refundId} and first_sent_at is not null and transaction_id is null
           and state <> all(${NOT_CARRIED_OUT_STATES}) limit 1`.execute(db)
      ).rows.length;
      return rowCount === 1;
    },
  };
}

async function move(db: Db, job: RefundJob, act: RefundAct, change: Parameters<RefundStore['move']>[2]): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const hasMoved = await applyChange(tx, job, change);
    if (hasMoved) await recordRefundAudit(tx, job, 'worker', act, { from: job.state, to: change.state });
    return hasMoved;
  });
}

async function databaseNow(db: Db): Promise<number> {
  const { rows } = await sql<{ ms: string }>`select floor(extract(epoch from clock_now()) * 1000)::text as ms`.execute(db);
  return Number(rows[0]?.ms);
}

// A claim only hides a refund during one step; its version, and the owner of an attempt that is sent, decide what may be written.
// A pause holds back refunds that would be sent, and so does another refund of the subscription being sent. Refunds already sent are still tracked.
async function takeDue(db: Db, gameId: number): Promise<RefundJob | null> {
  const { rows } = await claimNext<JobRow>('refund', {
    gameId,
    key: ['refund_id'],
    where: sql<boolean>`waiting.next_look_at <= clock_now()
      and (waiting.state <> all(${SENDABLE_STATES})
        or ${isNotPaused(gameId, 'refunds')}
          and not exists (select 1 from refund sent where sent.game_id = ${gameId} and sent.subscription_id = waiting.subscription_id and sent.state = 'sending'))`,
    order: sql`waiting.next_look_at`,
    set: { next_look_at: sql`clock_now() + make_interval(secs => ${CHECK_SECONDS})` },
    returning: jobColumns(gameId),
  }).execute(db);
  return rows[0] === undefined ? null : readJob(rows[0]);
}

async function begin(db: Db, owner: string, job: RefundJob): Promise<{ attempt_no: number } | NotBegun> {
  try {
    return await inTransaction(db, async (tx) => {
      // A pause waits for this lock, and this lock for a pause: no attempt is committed after a pause.
      await lockGame(tx, job.gameId, ['sends'], 'shared');
      const allowed = await tx.selectNoFrom(isNotPaused(job.gameId, 'refunds').as('now')).executeTakeFirstOrThrow();
      if (!allowed.now) return 'paused';
      const { rows } = await sql<{
        attempt_count: number;
      }>`update refund set state = 'sending', lease_owner = ${owner}, next_look_at = clock_now() + make_interval(secs => ${SENDER_SILENT_SECONDS}),
           attempt_count = attempt_count + 1, extra_call_count = 0, first_sent_at = ${firstInstant('first_sent_at')},
           last_sent_at = clock_now()
         where game_id = ${job.gameId} and refund_id = ${job.refundId} and version = ${job.version} and state = any(${SENDABLE_STATES}) and approved_digest = content_digest
         returning attempt_count`.execute(tx);
      const [row] = rows;
      if (row === undefined) return 'moved_on';
      await sql`insert into refund_attempt (game_id, refund_id, attempt_no, owner, request_digest) values (${job.gameId}, ${job.refundId}, ${row.attempt_count}, ${owner}, ${sha256Of(job.content.request_bytes)})`.execute(
        tx,
      );
      await recordRefundAudit(tx, job, 'worker', REFUND_ACTIONS.startedSending, { attempt_no: row.attempt_count });
      const dueAt = sql`clock_now() + make_interval(secs => ${SENDER_SILENT_SECONDS})`;
      await wakeWorker(tx, { queue: 'refund', gameId: job.gameId, id: job.refundId, dueAt });
      return { attempt_no: row.attempt_count };
    });
  } catch (error) {
    if (isUniqueViolation(error, 'refund_sender')) return 'busy';
    throw error;
  }
}

async function finish(
  db: Db,
  owner: string,
  job: RefundJob,
  attempt_no: number,
  attempt: Parameters<RefundStore['finish']>[2],
  change: RefundChange,
): Promise<void> {
  const isSilence = attempt.answer.transportError === 'sender_silent';
  const record = async (settled: RefundChange): Promise<void> =>
    inTransaction(db, async (tx) => {
      const { rows } = await sql<
        JobRow & { lease_owner: string | null }
      >`select ${jobColumns(job.gameId)}, lease_owner from refund where game_id = ${job.gameId} and refund_id = ${job.refundId} for update`.execute(
        tx,
      );
      const [row] = rows;
      if (row === undefined) throw new Error(`refund ${job.refundId} does not exist`);
      const current = readJob(row);
      const isOurs = isSilence
        ? current.version === job.version
        : current.state === 'sending' && row.lease_owner === owner && current.attempt_count === attempt_no;
      if (isSilence && !isOurs) return;
      const answer = await recordAnswer(tx, job, attempt_no, attempt);
      // The key belongs to this refund alone: a landing counts, whichever worker has it now and whatever outcome was recorded.
      const counts = isOurs || (settled.state === 'landed' && current.approvedDigest !== null && current.state !== 'landed');
      if (counts) await applyChange(tx, current, settled);
      if (counts || answer !== null)
        await recordRefundAudit(tx, job, 'worker', answeredAction(attempt_no), {
          class: attempt.class,
          to: counts ? settled.state : current.state,
          answer,
        });
    });
  try {
    await record(change);
  } catch (error) {
    if (!isUniqueViolation(error, 'refund_landed')) throw error;
    // Another refund of ours holds this transaction and total: one of the two receipts is wrong, and people must check.
    const { state: _, outcome_source: __, receipt: ___, total_refunded_amount_usd: ____, transaction_id: _____, ...rest } = change;
    await record({ ...rest, ...RECEIPT_OF_ANOTHER });
  }
}

/** Stores the answer of an attempt; returns the digest of what is stored as hex, null when the attempt has another answer already. */
async function recordAnswer(
  tx: Db,
  job: RefundJob,
  attempt_no: number,
  { class: kind, answer }: Parameters<RefundStore['finish']>[2],
): Promise<string | null> {
  const { phase, status, transportError, errorId, facts, body } = answer;
  const stored: StoredAnswer = {
    class: kind,
    phase,
    status,
    error_code: decidingCode(answer) ?? transportError,
    error_id: errorId,
    answer_facts: Object.keys(facts).length === 0 ? null : facts,
    sha256: body === null ? null : sha256Of(body),
  };
  const rowCount = await countChanges(
    tx,
    sql`update refund_attempt set finished_at = clock_now(), class = ${stored.class}, phase = ${stored.phase}, status = ${stored.status}, error_code = ${stored.error_code}, error_id = ${stored.error_id}, answer_facts = ${stored.answer_facts === null ? null : JSON.stringify(stored.answer_facts)}, body = ${body === null ? null : gzipSync(body)}, sha256 = ${stored.sha256}, retry_after_ms = ${answer.retryAfterMs}
     where game_id = ${job.gameId} and refund_id = ${job.refundId} and attempt_no = ${attempt_no} and (class is null or class = 'no_answer')`,
  );
  return rowCount === 1 ? digestAnswer(stored) : null;
}
