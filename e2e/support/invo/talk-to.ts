import { inspect } from 'node:util';
import type { Invo } from '#lib/invo/invo.ts';
import { InvoError } from '#lib/invo/invo-error.ts';
import { openInvo } from '#lib/invo/open-invo.ts';
import type { InvoSettings, Limits, SecretMemory } from '#lib/invo/settings.ts';
import { type Answering, type CannedServer, startCannedServer } from './canned-server.ts';

/** A client and the only server it talks to. */
export interface Talk {
  invo: Invo;
  server: CannedServer;
  diary: Diary;
}

/** Opens a patient client to a server that answers as the test says; the base URL may have a prefix, and settings may be others. */
export async function talkTo(
  answer: Answering,
  { prefix = '', ...changed }: Partial<InvoSettings> & { prefix?: string } = {},
): Promise<Talk> {
  const server = await startCannedServer(answer);
  const diary = newDiary();
  return { invo: openInvo({ ...patientSettings(server.url + prefix, diary), ...changed }), server, diary };
}

/** What one client did: its sleeps, its calls to the budget, its log. */
export interface Diary {
  sleeps: number[];
  takes: number;
  blocks: number[];
  previousUsed: number;
  /** Which secret was accepted last, as every process knows it. */
  secret: Awaited<ReturnType<SecretMemory['find']>>;
  log: string[];
}

/** Longer than anything a test waits for, however busy the machine. */
const PATIENT_MS = 60_000;
const PATIENT = {
  connectMs: PATIENT_MS,
  firstByteMs: PATIENT_MS,
  idleMs: PATIENT_MS,
  aggregateMs: PATIENT_MS,
  detailMs: PATIENT_MS,
  writeMs: PATIENT_MS,
  pressMs: PATIENT_MS,
};

/** Settings with deadlines far away, a fixed clock at 1,000,000 ms, no jitter, sleeps that only take notes and a budget that never waits. */
export function patientSettings(baseUrl: string, diary: Diary, limits: Partial<Limits> = {}): InvoSettings {
  return {
    access: { baseUrl, secret: 'canary-current-1f9', previousSecret: 'canary-previous-7c2', environment: 'sandbox', gameId: '77' },
    budget: {
      take: async () => void diary.takes++,
      blockUntil: async (_route, untilMs) => void diary.blocks.push(untilMs),
    },
    sleep: async (ms) => void diary.sleeps.push(ms),
    now: () => 1_000_000,
    random: () => 1,
    secretMemory: memoryIn(diary),
    log: (event) => void diary.log.push(JSON.stringify(event)),
    limits: { ...PATIENT, ...limits },
  };
}

/** A memory of the secret that worked last, written to a diary. */
export function memoryIn(diary: Diary): SecretMemory {
  return {
    find: async () => diary.secret,
    record: (accepted) => {
      diary.secret = accepted;
      if (accepted === 'previous') diary.previousUsed++;
    },
  };
}

/** An empty diary. */
export function newDiary(): Diary {
  return { sleeps: [], takes: 0, blocks: [], previousUsed: 0, secret: 'current', log: [] };
}

/** The InvoError a call must end in; an answer, or any other error, fails the test. */
export async function failureOf(call: Promise<unknown>): Promise<InvoError> {
  const outcome = await call.catch((error: unknown) => error);
  if (!(outcome instanceof InvoError)) throw new Error(`expected an InvoError, got ${inspect(outcome)}`);
  return outcome;
}
