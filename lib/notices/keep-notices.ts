import type { Db } from '#db/kit/open.ts';
import { markSeen, storeReaches } from '#db/notices/writes.ts';
import type { NoticeKind, Reach } from './rules/notice-kinds.ts';

/** Marks one notice of a person as read, or all up to the newest they were shown. Doing it twice changes nothing. */
export async function markRead(db: Db, personId: string, read: { gameId: number; noticeId: number } | { until: string }): Promise<void> {
  await markSeen(db, personId, read);
}

/** Stores how far kinds of notices reach a person, from then on. */
export async function setReaches(db: Db, personId: string, reaches: Partial<Record<NoticeKind, Reach>>): Promise<void> {
  await storeReaches(db, personId, reaches);
}
