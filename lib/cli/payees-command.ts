import type { OpenGame } from '../games/open-game.ts';
import { formatOtherKey } from '../payees/find-key-refusal.ts';
import { findImportPlan, type ImportPlan, previewOf } from '../payees/import-details.ts';
import { FILE_BYTES_MAX } from '../payees/rules/import-file.ts';
import { CHANGE_TEXT, formatFileError, formatRowError } from '../payees/text.ts';
import { type CommandContext, EXIT, loadFile } from './command-context.ts';

const NO_KEY = 'SHAREBOOK_PAYEE_KEY isn’t set, so stored payment details can’t be compared. Set it to the key of the web processes.';

/** Prints what an import of payment details would change, accounts masked. Nothing is stored. A file that can't be imported exits 1. */
export async function payeesCommand(
  context: CommandContext,
  game: OpenGame,
  { from, isJson }: { from: string; isJson: boolean },
): Promise<number> {
  const bytes = await loadFile(context, from, { bytesMax: FILE_BYTES_MAX });
  if (bytes === null) return EXIT.usage;
  const plan = await findImportPlan(game.db, game.gameId, context.config.payeeKey, bytes);
  if (!plan.ok) {
    const sentences = sentencesOf(plan);
    const count = plan.reason === 'rows' ? plan.count : 0;
    if (isJson) context.print(JSON.stringify({ refused: plan.reason, errors: sentences, error_count: count }));
    for (const sentence of sentences) context.log(sentence);
    if (count > sentences.length) context.log(`${count - sentences.length} more rows can't be imported.`);
    return EXIT.failed;
  }
  const { counts, rows } = previewOf(plan, Number.POSITIVE_INFINITY);
  const changes = rows.map(({ line, recipientId, change, before, after }) => ({
    line,
    recipient_player_id: recipientId,
    change,
    before,
    after,
  }));
  if (isJson) context.print(JSON.stringify({ refused: null, counts, changes }));
  else {
    const summary = Object.entries(counts).map(([change, count]) => `${CHANGE_TEXT[change as keyof typeof CHANGE_TEXT]}: ${count}`);
    const lines = rows.map(({ recipientId, before, after }) => `  player ${recipientId}: ${before ?? 'None'} → ${after}`);
    context.print([summary.join(', '), ...lines].join('\n'));
  }
  return EXIT.done;
}

function sentencesOf(plan: Extract<ImportPlan, { ok: false }>): string[] {
  switch (plan.reason) {
    case 'rows':
      return plan.errors.map(formatRowError);
    case 'file':
      return [formatFileError(plan.error)];
    case 'other_key':
      return [formatOtherKey(plan)];
    case 'no_key':
      return [NO_KEY];
  }
}
