import './exit-with-parent.ts';
import { main } from '../cli/main.ts';
import { parseCommand } from '../cli/parse-command.ts';
import { ConfigError } from '../config.ts';
import { type Environment, prepareEnvironment } from './environment.ts';
import { watchShutdown } from './shutdown-signal.ts';

const show = (line: string): boolean => process.stderr.write(`${line}\n`);

process.exitCode = await runCommand(process.argv.slice(2), process.env);

/** Parses first, so that a wrong command starts nothing; then prepares what the command needs, runs it and stops what was started. */
async function runCommand(argv: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const parsed = parseCommand(argv);
  if (!parsed.ok) {
    show(parsed.usage);
    return 2;
  }
  const shutdown = watchShutdown();
  let environment: Environment | undefined;
  try {
    const isDatabaseLiteral = parsed.command.name === 'migrate';
    if (parsed.needs !== 'nothing') environment = await prepareEnvironment(env, { needs: parsed.needs, show, isDatabaseLiteral });
    if (shutdown.signal.aborted) return await shutdown.requested;
    const ended = main(argv, environment?.env ?? env, { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr });
    return await Promise.race([ended, shutdown.requested]);
  } catch (error) {
    show(error instanceof Error ? error.message : String(error));
    return error instanceof ConfigError ? 2 : 1;
  } finally {
    await environment?.stop();
  }
}
