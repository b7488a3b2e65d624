import { findSlice, type HeldSlice, listKnownSubscriptions } from '#db/evidence/reads/pulls/find-slices.ts';
import type { Lease } from '#db/evidence/writes/pulls.ts';
import type { KeptResponse } from '#db/evidence/writes/responses.ts';
import { insertSlice } from '#db/evidence/writes/slices.ts';
import type { Window } from '#lib/core/window.ts';
import type { OpenGame } from '#lib/games/open-game.ts';
import { InvoError } from '#lib/invo/invo-error.ts';
import { chooseEnd, type Density, learnCount, startDensity } from '../rules/density.ts';
import { digestSlice } from '../rules/proof/digest.ts';
import { allHold, proveSliceAlone } from '../rules/proof/prove-window.ts';
import type { KeptAnswer, PullSession } from './pull-session.ts';
import { pullSlice } from './pull-slice.ts';
import { PullStopped } from './pull-stopped.ts';

export interface PullAtWork {
  game: OpenGame;
  lease: Lease;
  session: PullSession;
  /** How far time is settled; nothing after it is asked for. */
  horizon: string;
}

/** Tries of one slice whose own checks fail: a lie of the moment heals, one that stays is kept and shown. */
const SLICE_TRIES = 2;

/** Pulls a gap in as few slices as Invo's caps allow and stores each as it is whole. Returns them in order of time. */
export async function pullGap(work: PullAtWork, gap: Window): Promise<HeldSlice[]> {
  const density = startDensity(gap.start);
  const slices: HeldSlice[] = [];
  let start = gap.start;
  let refusedEnd: string | null = null;
  while (start !== gap.end) {
    const end = chooseEnd(density, { start, end: gap.end }, refusedEnd);
    if (end === null) throw tooLarge(start);
    const window = { start, end };
    try {
      const slice = await pullAndStore(work, window);
      learnCount(density, 'renewals', window, slice.totals.renewals_settled);
      slices.push(slice);
      start = end;
      refusedEnd = null;
    } catch (error) {
      if (!(error instanceof InvoError) || error.code !== 'window_too_large') throw error;
      learnRefusal(density, window, error);
      refusedEnd = end;
      work.session.says(`more than Invo reports at once between ${start} and ${end}: cutting it`);
      work.session.expect({ calls: 1 });
    }
  }
  return slices;
}

/** Pulls one window and stores it; a slice that contradicts itself is stored as it came, then pulled once more as a newer version. */
async function pullAndStore(work: PullAtWork, window: Window): Promise<HeldSlice> {
  const { game, lease, session, horizon } = work;
  for (let attempt = 1; ; attempt += 1) {
    session.says(`reading ${window.start.slice(0, 16)} to ${window.end.slice(0, 16)}`);
    const pulled = await pullSlice(session, window, {
      horizon,
      knownSubscriptions: (recipient) => listKnownSubscriptions(game.db, game.gameId, recipient),
    });
    const tiesOut = allHold(proveSliceAlone(pulled.evidence));
    const slice = { evidence: pulled.evidence, digest: digestSlice(pulled.evidence), tiesOut, responses: pulled.answers.map(keepAnswer) };
    const sliceId = await insertSlice(game.pool, lease, slice).catch((error: unknown) => {
      session.giveBack(pulled.answers);
      throw isRefusedByStore(error) ? notStorable(window, error) : error;
    });
    if (tiesOut || attempt === SLICE_TRIES) return findSlice(game.db, game.gameId, sliceId);
    session.says('the answer contradicts itself; asking once more');
  }
}

/** Whether the database refused what was to be stored (classes 22 and 23), as against being away or busy. */
function isRefusedByStore(error: unknown): error is Error & { code: string } {
  return error instanceof Error && /^2[23]/.test(String((error as { code?: unknown }).code));
}

function notStorable(window: Window, error: Error): PullStopped {
  return new PullStopped(
    'not_storable',
    `What Invo answered for ${window.start} to ${window.end} breaks a rule of the book (${error.message.slice(0, 200)}). Every answer is kept and nothing was stored as a statement; report it to Invo.`,
  );
}

/** An answer in the shape it is stored. */
export function keepAnswer({ purpose, evidence }: KeptAnswer): KeptResponse {
  return { purpose, ...evidence };
}

function learnRefusal(density: Density, window: Window, error: InvoError): void {
  const { settled_renewals, reversals } = error.facts;
  if (typeof settled_renewals === 'number' && Number.isSafeInteger(settled_renewals))
    learnCount(density, 'renewals', window, settled_renewals);
  if (typeof reversals === 'number' && Number.isSafeInteger(reversals)) learnCount(density, 'reversals', window, reversals);
}

function tooLarge(start: string): PullStopped {
  return new PullStopped(
    'instant_too_large',
    `More than 20,000 renewals or refunds fall on the single instant ${start}, which Invo never reports and time cannot cut. Nothing was invented for it; ask Invo for that instant.`,
  );
}
