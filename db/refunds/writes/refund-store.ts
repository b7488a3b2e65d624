import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type pg from 'pg';
import { inClientTransaction } from '#db/kit/client.ts';
import { decidingCode } from '#lib/invo/rules/error-codes.ts';
import { answeredAction, REFUND_ACTIONS } from '#lib/refunds/rules/audit-actions.ts';
import type { NotBegun, RefundChange, RefundJob, RefundStore } from '#lib/refunds/rules/ports.ts';
import { isEnded, NOT_CARRIED_OUT_STATES, SENDABLE_STATES } from '#lib/refunds/rules/state.ts';
import { digestAnswer, type StoredAnswer } from '../answer-digest.ts';
import { storeReading } from './refund-decisions.ts';
import { applyChange, JOB_COLUMNS, type JobRow, readJob, recordRefundAudit } from './refund-rows.ts';

/** A sender silent for longer counts as dead; a call to Invo never takes this long. */
const SENDER_SILENT_SECONDS = 120;
/** A claimed refund is invisible to other workers for this long. */
const LOOK_SECONDS = 60;

const RECEIPT_OF_ANOTHER = { state: 'attention', lookAt: null, attention_reason: 'receipt_of_another', proposal: null } as const;

/** The store of these games' refunds in Postgres, for one process. `owner` names the process. */
export function openRefundStore(pool: pg.Pool, owner: string, gameIds: number[]): RefundStore {
  return {
    now: () => databaseNow(pool),
    takeDue: () => takeDue(pool, gameIds),
    begin: (job) => begin(pool, owner, job),
    finish: (job, attempt_no, attempt, change) => finish(pool, owner, job, attempt_no, attempt, change),
    move: async (job, act, change) => {
      try {
        return await move(pool, job, act, change);
      } catch (error) {
        if (!isUniqueViolation(error, 'refund_landed')) throw error;
        // Another refund of ours holds this transaction and total: the reading belongs to that one and is not applied here.
        if (!isEnded(job.state)) return move(pool, job, REFUND_ACTIONS.otherReceipt, RECEIPT_OF_ANOTHER);
        await applyChange(pool, job, { lookAt: null });
        return false;
      }
    },
    postpone: async (job, lookAt, error) => {
      const seen = error === undefined ? {} : { last_error_code: error.code, last_error_id: error.errorId };
      await applyChange(pool, job, { lookAt, ...seen });
    },
    keepRead: (job, purpose, facts) => storeReading(pool, job, purpose, facts),
    listClaimed: async (job) => {
      const { rows } = await pool.query<{ transaction_id: string }>(
        `select transaction_id from refund where game_id = $1 and period_id = $2 and refund_id <> $3 and transaction_id is not null`,
        [job.gameId, job.period_id, job.refundId],
      );
      return rows.map((row) => row.transaction_id);
    },
    hasRival: async (job) => {
      const { rowCount } = await pool.query(
        `select 1 from refund where game_id = $1 and period_id = $2 and refund_id > $3 and first_sent_at is not null and transaction_id is null
           and state <> all($4) limit 1`,
        [job.gameId, job.period_id, job.refundId, NOT_CARRIED_OUT_STATES],
      );
      return rowCount === 1;
    },
  };
}

async function move(pool: pg.Pool, job: RefundJob, act: string, change: Parameters<RefundStore['move']>[2]): Promise<boolean> {
  return inClientTransaction(pool, async (client) => {
    const hasMoved = await applyChange(client, job, change);
    if (hasMoved) await recordRefundAudit(client, job, 'worker', act, { from: job.state, to: change.state });
    return hasMoved;
  });
}

async function databaseNow(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ ms: string }>(`select floor(extract(epoch from clock_now()) * 1000)::text as ms`);
  return Number(rows[0]?.ms);
}

// A pause holds back refunds that would be sent, and so does another refund of the subscription being sent. Refunds already sent are still tracked.
async function takeDue(pool: pg.Pool, gameIds: number[]): Promise<RefundJob | null> {
  const { rows } = await pool.query<JobRow>(
    `update refund set next_look_at = clock_now() + make_interval(secs => $2)
     where (game_id, refund_id) in (
       select due.game_id, due.refund_id from refund due
       where due.next_look_at <= clock_now() and due.game_id = any($1)
         and (due.state <> all($3)
           or not exists (select 1 from refund_pause pause where pause.game_id = due.game_id and pause.resumed_at is null)
             and not exists (select 1 from refund sent where sent.game_id = due.game_id and sent.subscription_id = due.subscription_id and sent.state = 'sending'))
       order by due.next_look_at limit 1 for update skip locked)
     returning ${JOB_COLUMNS}`,
    [gameIds, LOOK_SECONDS, SENDABLE_STATES],
  );
  const [row] = rows;
  return row === undefined ? null : readJob(row);
}

async function begin(pool: pg.Pool, owner: string, job: RefundJob): Promise<{ attempt_no: number } | NotBegun> {
  try {
    return await inClientTransaction(pool, async (client) => {
      // A pause waits for this lock, and this lock for a pause: no attempt is committed after a pause.
      await client.query(`select 1 from game where game_id = $1 for share`, [job.gameId]);
      const { rowCount: pauses } = await client.query(`select 1 from refund_pause where game_id = $1 and resumed_at is null`, [job.gameId]);
      if ((pauses ?? 0) > 0) return 'paused';
      const { rows } = await client.query<{ attempt_count: number }>(
        `update refund set state = 'sending', lease_owner = $4, next_look_at = clock_now() + make_interval(secs => $5),
           attempt_count = attempt_count + 1, extra_call_count = 0, first_sent_at = coalesce(first_sent_at, clock_now()),
           last_sent_at = clock_now()
         where game_id = $1 and refund_id = $2 and version = $3 and state = any($6) and approved_digest = content_digest
         returning attempt_count`,
        [job.gameId, job.refundId, job.version, owner, SENDER_SILENT_SECONDS, SENDABLE_STATES],
      );
      const [row] = rows;
      if (row === undefined) return 'moved_on';
      await client.query(`insert into refund_attempt (game_id, refund_id, attempt_no, owner, request_digest) values ($1, $2, $3, $4, $5)`, [
        job.gameId,
        job.refundId,
        row.attempt_count,
        owner,
        createHash('sha256').update(job.content.request_bytes).digest(),
      ]);
      await recordRefundAudit(client, job, 'worker', REFUND_ACTIONS.startedSending, { attempt_no: row.attempt_count });
      return { attempt_no: row.attempt_count };
    });
  } catch (error) {
    if (isUniqueViolation(error, 'refund_sender')) return 'busy';
    throw error;
  }
}

async function finish(
  pool: pg.Pool,
  owner: string,
  job: RefundJob,
  attempt_no: number,
  attempt: Parameters<RefundStore['finish']>[2],
  change: RefundChange,
): Promise<void> {
  const isSilence = attempt.answer.transportError === 'sender_silent';
  const record = async (settled: RefundChange): Promise<void> =>
    inClientTransaction(pool, async (client) => {
      const { rows } = await client.query<JobRow & { lease_owner: string | null }>(
        `select ${JOB_COLUMNS}, lease_owner from refund where game_id = $1 and refund_id = $2 for update`,
        [job.gameId, job.refundId],
      );
      const [row] = rows;
      if (row === undefined) throw new Error(`refund ${job.refundId} does not exist`);
      const current = readJob(row);
      const isOurs = isSilence
        ? current.version === job.version
        : current.state === 'sending' && row.lease_owner === owner && current.attempt_count === attempt_no;
      if (isSilence && !isOurs) return;
      const answer = await recordAnswer(client, job, attempt_no, attempt);
      // The key belongs to this refund alone: a landing counts, whichever worker has it now and whatever outcome was recorded.
      const counts = isOurs || (settled.state === 'landed' && current.approvedDigest !== null && current.state !== 'landed');
      if (counts) await applyChange(client, current, settled);
      if (counts || answer !== null)
        await recordRefundAudit(client, job, 'worker', answeredAction(attempt_no), {
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
  client: pg.ClientBase,
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
    sha256: body === null ? null : createHash('sha256').update(body).digest(),
  };
  const { rowCount } = await client.query(
    `update refund_attempt set finished_at = clock_now(), class = $4, phase = $5, status = $6, error_code = $7, error_id = $8, answer_facts = $9, body = $10, sha256 = $11, retry_after_ms = $12
     where game_id = $1 and refund_id = $2 and attempt_no = $3 and (class is null or class = 'no_answer')`,
    [
      job.gameId,
      job.refundId,
      attempt_no,
      stored.class,
      stored.phase,
      stored.status,
      stored.error_code,
      stored.error_id,
      stored.answer_facts === null ? null : JSON.stringify(stored.answer_facts),
      body === null ? null : gzipSync(body),
      stored.sha256,
      answer.retryAfterMs,
    ],
  );
  return rowCount === 1 ? digestAnswer(stored) : null;
}

function isUniqueViolation(error: unknown, constraint: string): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505' && 'constraint' in error && error.constraint === constraint;
}
