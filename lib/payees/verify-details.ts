import type { Db } from '#db/kit/open.ts';
import type { Findings } from '../evidence/rules/findings.ts';
import { type DetailToVerify, listAuditedDetails, streamDetails } from './reads/detail-verification.ts';
import { digestFacts, digestSet, nameKey, openSealed, type PayeeKey } from './seal.ts';

/**
 * Compares payment details with the audit of their proposal: identity, holder, method, country and mask, without a key. With the key that sealed them
 * each is opened, which covers its fingerprint too. Returns how many were compared.
 */
export async function verifyDetails(db: Db, gameId: number, key: PayeeKey | null, findings: Findings): Promise<number> {
  const audited = new Map<string, string>();
  for (const { subject, detailNo, digest } of await listAuditedDetails(db, gameId))
    audited.set(detailNo === null ? subject : `${subject}, details ${detailNo}`, digest);
  const keyName = key === null ? null : nameKey(key);
  const sets = new Map<string, Pick<DetailToVerify, 'recipientId' | 'digest'>[]>();
  let count = 0;
  for await (const row of streamDetails(db, gameId)) {
    count += 1;
    const subject = `recipient ${row.recipientId}, details ${row.detailNo}`;
    const about = findings.about(subject);
    if (row.changeSet === null) about.same('detail_digest', audited.get(subject) ?? 'none', row.digest?.toString('hex') ?? 'none');
    else {
      const set = sets.get(row.changeSet) ?? [];
      set.push({ recipientId: row.recipientId, digest: row.digest });
      sets.set(row.changeSet, set);
    }
    audited.delete(subject);
    if (row.isErased || row.digest === null) continue;
    const facts = row.salt === null ? 'no salt' : digestFacts(row, row.salt).toString('hex');
    about.same('detail_facts', row.digest.toString('hex'), facts);
    if (key !== null && row.keyName === keyName)
      about.must('detail_seal', openSealed(row.sealed, row, key) !== null, 'entries sealed for this row', 'a row that doesn’t open');
  }
  for (const [changeSet, rows] of sets) {
    const subject = `import ${changeSet}`;
    const actual = rows.every(({ digest }) => digest === null) ? 'none' : digestSet(rows);
    findings.about(subject).same('detail_set', audited.get(subject) ?? 'none', actual);
    audited.delete(subject);
  }
  for (const [subject, digest] of audited) findings.about(subject).same('detail_is_stored', digest, 'none');
  return count;
}
