import { openDb } from '#db/kit/open.ts';
import { formatRoles } from '../core/roles.ts';
import { confirmAsOperator } from '../people/second-person.ts';
import { CONFIRM_REFUSALS, formatDoubts } from '../people/text.ts';
import { type CommandContext, EXIT, readEmail } from './command-context.ts';

/**
 * Puts the operator behind the account of a person, as one of the two it needs and as the second for the roles it prints. The email is read from stdin, so that it
 * is in no process list. Uses the login of the web processes: only they may change people.
 */
export async function confirmPersonCommand(context: CommandContext, { isJson }: { isJson: boolean }): Promise<number> {
  const email = await readEmail(context);
  if (email === '') {
    context.log('Write the person’s email to stdin, such as: echo name@example.com | npm run --silent sharebook -- confirm-person');
    return EXIT.usage;
  }
  const open = openDb(context.config.databaseUrl);
  try {
    const confirmed = await confirmAsOperator(open.db, email, context.config);
    if (!confirmed.ok) {
      context.log(CONFIRM_REFUSALS[confirmed.reason]);
      return EXIT.failed;
    }
    const { isConfirmed, name, passwordSetAt, doubts, rolesGiven } = confirmed;
    if (isJson) {
      const about = { password_set_at: passwordSetAt, doubts_cleared: doubts };
      context.print(JSON.stringify({ email: confirmed.email, confirmed: isConfirmed, ...about, roles_given: rolesGiven }));
      return EXIT.done;
    }
    context.print(
      isConfirmed
        ? `${name}’s account is confirmed: it counts where two people are needed.`
        : `You stand behind ${name}’s account. One more confirmed person must confirm it in Settings.`,
    );
    context.print(`${formatDoubts(passwordSetAt, doubts)} If ${name} doesn’t know of this, disable the account in Settings.`);
    context.print(rolesGiven.length === 0 ? 'No roles waited for approval.' : `Roles given: ${formatRoles(rolesGiven)}.`);
    return EXIT.done;
  } finally {
    await open.close();
  }
}
