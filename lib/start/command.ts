import { messageOf } from '../core/strings.ts';
import './exit-with-parent.ts';
import { main, parseCommand, printFailure } from '../cli/main.ts';
import { ConfigError } from '../config.ts';
import { type Environment, prepareEnvironment } from './environment.ts';
import { watchShutdown } from './processes.ts';

const show = (line: string): boolean => process.stderr.write(`${line}\n`);

process.exitCode = await runCommand(process.argv.slice(2), process.env);

/** Parses first, so that a wrong command starts nothing; then prepares what the command needs, runs it and stops what was started. */
async function runCommand(argv: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const parsed = parseCommand(argv);
  if (!parsed.ok) return await main(argv, env, process);
  const shutdown = watchShutdown();
  let environment: Environment | undefined;
  try {
    const isDatabaseLiteral = ['migrate', 'distribute'].includes(parsed.command.name);
    if (parsed.needs !== 'nothing') environment = await prepareEnvironment(env, { needs: parsed.needs, show, isDatabaseLiteral });
    if (shutdown.signal.aborted) return await shutdown.requested;
    const ended = main(argv, environment?.env ?? env, process);
    return await Promise.race([ended, shutdown.requested]);
  } catch (error) {
    const message = messageOf(error);
    const code = error instanceof ConfigError ? 2 : 1;
    show(message);
    printFailure(argv, { code, message }, process);
    return code;
  } finally {
    await environment?.stop();
  }
}
