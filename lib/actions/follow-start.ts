import type { ActionJob, ActionPorts } from './rules/action-ports.ts';
import { ACTION_ACTS } from './rules/audit-acts.ts';
import { endsStart } from './rules/phone-approvals.ts';
import { followAt, STATUS_AGAIN_MS } from './rules/settling-times.ts';
import { movedBy } from './rules/starts.ts';

/** How soon a start is read again while Invo settles its approval, as a person who watches it expects, and while people do. */
const AGAIN_MS = { invo: 10_000, people: 60_000 };

/**
 * Ends a start by what became of its approval. Without one Invo returns the coins when the window is over (document 3): the status says so, and where Invo
 * reports none, as of sends, time does. Sends nothing.
 */
export async function followStart(ports: Pick<ActionPorts, 'store' | 'wire'>, job: ActionJob): Promise<void> {
  const { store } = ports;
  const step = await store.findStep(job);
  // A guardian's refusal says what became of the coins sooner than the status does.
  const isDeclined = step?.state === 'refused' && endsStart(step.last_error_code);
  switch (isDeclined ? 'not_done' : step?.state) {
    case 'done':
      await store.move(job, ACTION_ACTS.settled, { state: 'done', checkAt: null, outcome_source: 'reading' });
      return;
    case 'not_done':
      await store.move(job, ACTION_ACTS.settled, { state: 'not_done', checkAt: null });
      return;
    case undefined:
    case 'refused':
    case 'lapsed':
    case 'rejected':
    case 'withdrawn':
      await followWindow(ports, job);
      return;
    case 'sending':
    case 'unknown':
    case 'checking':
      await store.postpone(job, (await store.now()) + AGAIN_MS.invo);
      return;
    case 'awaiting_approval':
    case 'approved':
    case 'waiting':
    case 'with_player':
    case 'attention':
      await store.postpone(job, (await store.now()) + AGAIN_MS.people);
  }
}

/** Whether a guardian agreed, then until a while after the window whether the phone did; then the status says what became of the coins, or people do a day later. */
async function followWindow(ports: Pick<ActionPorts, 'store' | 'wire'>, job: ActionJob): Promise<void> {
  const { store, wire } = ports;
  const now = await store.now();
  const endsAt = followAt(job);
  // Of a start that waits for a guardian, and of a repeated one, Invo reports no window for the phone: its status is read meanwhile too.
  const isWithoutWindow = job.result?.['waits_for'] === 'guardian' || job.waitsUntil === null;
  if (now < endsAt && !isWithoutWindow) return await store.postpone(job, endsAt);
  if (job.waitsFor === 'guardian' && (await followGuardian(ports, job))) return;
  const read = await wire.read(job, 'status');
  const isLate = now >= endsAt + READS_FOR_MS;
  const againAt = now + (isWithoutWindow ? STATUS_AGAIN_MS : READ_AGAIN_MS);
  if ('error' in read) {
    if (isLate) await store.move(job, ACTION_ACTS.needsAttention, { ...ATTENTION, attention_reason: 'cannot_be_read' });
    else await store.postpone(job, againAt, read);
    return;
  }
  const moved = movedBy(read.reading);
  const isOpen = moved === 'open' || (moved === 'not_reported' && now < endsAt);
  if (isOpen && !isLate) return await store.postpone(job, againAt);
  await store.storeReading(job, read.reading);
  switch (moved) {
    case 'moved':
      await store.move(job, ACTION_ACTS.settled, { state: 'done', checkAt: null, outcome_source: 'reading' });
      return;
    case 'failed':
      await store.move(job, ACTION_ACTS.settled, { state: 'not_done', checkAt: null });
      return;
    case 'expired':
    case 'not_reported':
      await store.move(job, ACTION_ACTS.lapsed, { state: 'lapsed', checkAt: null });
      return;
    case 'open':
      await store.move(job, ACTION_ACTS.needsAttention, { ...ATTENTION, attention_reason: 'not_settled' });
  }
}

/** Takes the step that a guardian's answer allows; false: there is none yet. A factor counts only after they agreed (document 3). */
async function followGuardian({ store, wire }: Pick<ActionPorts, 'store' | 'wire'>, job: ActionJob): Promise<boolean> {
  const read = await wire.read(job, 'guardian');
  const state = 'reading' in read && read.reading.kind === 'guardian' ? read.reading.state : null;
  const isDeclined = state === 'rejected' || state === 'expired';
  if (!('reading' in read) || (state !== 'approved' && !isDeclined)) return false;
  await store.storeReading(job, read.reading);
  if (isDeclined) await store.move(job, ACTION_ACTS.settled, { state: 'not_done', checkAt: null });
  else {
    const checkAt = (await store.now()) + STATUS_AGAIN_MS;
    await store.move(job, ACTION_ACTS.read, { state: 'with_player', waits: { for: 'phone', until: job.waitsUntil }, checkAt });
  }
  return true;
}

/** How soon a status that doesn't say what became of the coins is read again, and for how long. */
const READ_AGAIN_MS = 10 * 60_000;
const READS_FOR_MS = 24 * 60 * 60_000;

const ATTENTION = { state: 'attention', checkAt: null, settleUntil: null } as const;
