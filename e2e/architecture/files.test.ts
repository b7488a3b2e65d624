import { describe, expect, test } from 'vitest';
import { readSources, type SourceFile } from './read-sources.ts';

const LINES_MAX = 300;
// Known breaches, each to be fixed and removed from its list.
const LONG: string[] = [];
const UNTYPED = [
  'lib/people/reads.ts: accountsOf',
  ...['summariesOf', 'pauseOf'].map((name) => `lib/refunds/reads/refund-preconditions.ts: ${name}`),
];

const sources = readSources();
const ours = sources.filter((file) => !file.path.startsWith('e2e/upstream/'));

describe('a file', () => {
  test('has no more than 300 lines; the simulated world and written types are exempt', () => {
    const long = ours.filter((file) => file.path !== 'db/types.ts' && file.text.split('\n').length - 1 > LINES_MAX);
    expect(long.map((file) => file.path)).toEqual(LONG);
  });

  test('is not a barrel that only re-exports', () => {
    const barrels = sources.filter(
      ({ path, text }) => /(^|\/)index\.tsx?$/.test(path) || /^export \* from/m.test(text) || isOnlyPassingOn(text),
    );
    expect(barrels.map((file) => file.path)).toEqual([]);
  });

  test('is named in kebab-case', () => {
    const odd = sources.filter(
      ({ path }) =>
        !/^[a-z0-9]+(-[a-z0-9]+)*((\.int|\.page)?\.test|\.spec|\.config|\.module|\.d)?\.tsx?$/.test(path.split('/').at(-1) ?? ''),
    );
    expect(odd.map((file) => file.path)).toEqual([]);
  });

  test('has a specific name', () => {
    const vague = sources.filter(({ path }) => /(helpers?|utils?|misc|common|stuff)(\.test)?\.tsx?$/.test(path));
    expect(vague.map((file) => file.path)).toEqual([]);
  });

  test('has named exports, except where a framework requires a default export', () => {
    const framework =
      /(^|\/)(page|layout|not-found|error|global-error|forbidden|unauthorized|loading|icon)\.tsx$|\.config\.ts$|e2e\/runner\/(test-database|page-server|vitest-reporter|playwright-reporter)\.ts$|^e2e\/seed\.ts$/;
    const found = sources.filter(({ path, text }) => /^export default /m.test(text) && !framework.test(path));
    expect(found.map((file) => file.path)).toEqual([]);
  });
});

describe('TypeScript', () => {
  test('knows no any, no enum, no namespace, no parameter property and no non-null assertion', () => {
    const found = sources.flatMap(({ path, text }) =>
      [
        ...withoutTexts(text).matchAll(
          /(:|<|\bas|\|)\s*any\b(?!\w)|^\s*(export )?(const )?enum \w|^\s*(export )?namespace \w|constructor\((?:[^)]*\b)?(private|public|readonly) /gm,
        ),
      ].map(([match]) => `${path}: ${match.trim()}`),
    );
    expect(found).toEqual([]);
  });

  test('every relative import has its extension, so that Node runs the files unchanged', () => {
    const found = sources.flatMap(({ path, imports }) =>
      imports
        .filter(({ target }) => /^(app|lib|db|e2e)\//.test(target) && !/\.(ts|tsx|css|mjs|json|sql)$/.test(target))
        .map(({ target }) => `${path} → ${target}`),
    );
    expect(found.filter((each) => !each.startsWith('e2e/architecture/'))).toEqual([]);
  });
});

describe('an exported function of lib or db', () => {
  const shipped = sources.filter((file) => /^(lib|db)\//.test(file.path) && !file.isTest);

  test('has a docstring', () => {
    expect(
      shipped.flatMap((file) =>
        exportedFunctions(file)
          .filter(({ hasWords }) => !hasWords)
          .map(({ name }) => `${file.path}: ${name}`),
      ),
    ).toEqual([]);
  });

  test('has an explicit return type', () => {
    expect(
      shipped.flatMap((file) =>
        exportedFunctions(file)
          .filter(({ hasType }) => !hasType)
          .map(({ name }) => `${file.path}: ${name}`),
      ),
    ).toEqual(UNTYPED);
  });

  test('is found by the rule when either is missing', () => {
    const text = `/** Adds. */\nexport function add(a: (b: string) => void): number {\n}\nexport async function bare() {\n}\n/** Lists. */\nexport async function* list(\n  a: { b: string },\n): AsyncGenerator<string> {\n}\n`;
    expect(exportedFunctions({ text } as SourceFile)).toEqual([
      { name: 'add', hasWords: true, hasType: true },
      { name: 'bare', hasWords: false, hasType: false },
      { name: 'list', hasWords: true, hasType: true },
    ]);
  });
});

function exportedFunctions({ text }: SourceFile): { name: string; hasWords: boolean; hasType: boolean }[] {
  return [...text.matchAll(/(\*\/\n)?^export (?:default )?(?:async )?function\*? ?(\w+)/gm)].map((match) => ({
    name: match[2] ?? '',
    hasWords: match[1] !== undefined,
    hasType: /^\s*:/.test(afterParameters(text.slice(match.index + match[0].length))),
  }));
}

/** The text after the round brackets that close the parameters. */
function afterParameters(text: string): string {
  let depth = 0;
  for (const [index, letter] of [...text].entries()) {
    if (letter === '(') depth += 1;
    if (letter === ')') depth -= 1;
    if (letter === ')' && depth === 0) return text.slice(index + 1);
  }
  return '';
}

function isOnlyPassingOn(text: string): boolean {
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '').trim();
  return code !== '' && code.replace(/export (type )?\{[^}]*\} from '[^']*';?/g, '').trim() === '';
}

/** The code without quoted text and comments. */
function withoutTexts(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g, '');
}
