import type { NextRequest } from 'next/server';
import { listGames } from '#app/_server/game.ts';
import { refuseRole, sendFile } from '#app/_server/send-file.ts';
import { db, downloads, storedNow } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { exportAudit } from '#lib/audit/export-file.ts';
import { parseAuditFilter } from '#lib/people/rules/audit-filter.ts';

/** The audit log as a file: all of it, or the entries the page shows. */
export async function GET(request: NextRequest): Promise<Response> {
  const person = await requirePerson('audit.read');
  const refused = refuseRole(person);
  if (refused) return refused;
  const filter = parseAuditFilter(Object.fromEntries(request.nextUrl.searchParams), await listGames());
  const { fileName, bytes } = await exportAudit(
    { db: db(), files: downloads().db },
    { filter, exportedAt: await storedNow(), exportedBy: person.email },
  );
  return await sendFile(fileName, bytes);
}
