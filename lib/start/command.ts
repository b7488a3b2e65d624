import './exit-with-parent.ts';
import { main } from '../cli/main.ts';
import { parseCommand } from '../cli/parse-command.ts';
import { ConfigError } from '../config.ts';
import { type Ground, prepareGround } from './environment.ts';

const show = (line: string): boolean => process.stderr.write(`${line}\n`);

process.exitCode = await runCommand(process.argv.slice(2), process.env);

/** Parses first, so that a wrong command starts nothing; then lays the ground it needs, runs it and takes the ground away. */
async function runCommand(argv: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const parsed = parseCommand(argv);
  if (!parsed.ok) {
    show(parsed.usage);
    return 2;
  }
  const stopping = stopOnSignal();
  let ground: Ground | undefined;
  try {
    const isDatabaseLiteral = parsed.command.name === 'migrate';
    if (parsed.needs !== 'nothing') ground = await prepareGround(env, { needs: parsed.needs, show, isDatabaseLiteral });
    if (stopping.aborted) return exitCodeOf(stopping);
    const ended = main(argv, ground?.env ?? env, { stdout: process.stdout, stderr: process.stderr });
    return await Promise.race([ended, whenAborted(stopping)]);
  } catch (error) {
    show(error instanceof Error ? error.message : String(error));
    return error instanceof ConfigError ? 2 : 1;
  } finally {
    await ground?.stop();
  }
}

function stopOnSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => controller.abort(name));
  return controller.signal;
}

function whenAborted(signal: AbortSignal): Promise<number> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(exitCodeOf(signal))));
}

/** The shell's convention: 128 and the number of the signal. */
function exitCodeOf(signal: AbortSignal): number {
  return { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }[String(signal.reason)] ?? 1;
}
