import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parseCommand } from '#lib/cli/main.ts';

const PAGES = fs.globSync('{README.md,{app,lib,db,e2e,.github}/**/*.md}');
const PATHS = fs.globSync('{app,lib,db,e2e}/**');

test.each(PAGES)('every link of %s leads to a file, and to a heading if it names one', (page) => {
  const links = [...withoutCode(fs.readFileSync(page, 'utf8')).matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '');
  expect(links.filter((link) => !/^https?:/.test(link) && !leadsSomewhere(page, link))).toEqual([]);
});

test.each(PAGES)('every path from the top that %s names exists; <name>, * and … stand for any name', (page) => {
  const spans = [...fs.readFileSync(page, 'utf8').matchAll(/`([^`\n]+)`/g)].flatMap((match) => (match[1] ?? '').split(/\s+/));
  const named = spans.filter((word) => /^(app|db|e2e|lib)\/[^{}]*$/.test(word) && !word.endsWith('/.env'));
  expect(named.filter((word) => !PATHS.some((entry) => patternOf(word).test(entry)))).toEqual([]);
});

test('the page of commands lists every command and no other', () => {
  const parsed = parseCommand([]);
  const commands = parsed.ok ? [] : [...new Set([...parsed.usage.matchAll(/^ {2}(\S+)/gm)].map((match) => match[1]))];
  const rows = fs.readFileSync('.github/docs/commands.md', 'utf8').matchAll(/^\| (`[a-z-]+`(?:, `[a-z-]+`)*) \|/gm);
  const listed = [...rows].flatMap((row) => [...(row[1] ?? '').matchAll(/`([^`]+)`/g)].map((match) => match[1]));
  expect(commands.length).toBeGreaterThan(10);
  expect(listed.toSorted()).toEqual(commands.toSorted());
});

function patternOf(word: string): RegExp {
  const escaped = word.replaceAll(/[.[\]()+?$^|\\{}]/g, String.raw`\$&`);
  const any = escaped
    .replaceAll('**', '…')
    .replaceAll(/<[^>]+>|\*/g, '[^/]*')
    .replaceAll('…', '.*');
  return new RegExp(`^${any.replace(/\/$/, '')}$`);
}

function leadsSomewhere(page: string, link: string): boolean {
  const [file = '', heading] = link.split('#');
  const target = file === '' ? page : path.join(path.dirname(page), file);
  if (!fs.existsSync(target)) return false;
  return heading === undefined || headingsOf(fs.readFileSync(target, 'utf8')).includes(heading);
}

/** The anchors of a page's headings, as GitHub makes them. */
function headingsOf(page: string): string[] {
  return [...page.matchAll(/^#+ (.+)$/gm)].map((match) =>
    (match[1] ?? '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function withoutCode(page: string): string {
  return page.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');
}
