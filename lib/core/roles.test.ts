import { describe, expect, test } from 'vitest';
import { maskEmail } from './mask-email.ts';
import {
  CAPABILITIES,
  formatAbilities,
  formatRoles,
  may,
  orderRoles,
  parseRole,
  ROLE_LABELS,
  ROLE_SENTENCES,
  ROLES,
  rolesWith,
} from './roles.ts';

const MATRIX = `
               figures.read desk.read emails.read files.export evidence.read pulls.start refunds.request refunds.approve subscriptions.change actions.request actions.approve deliveries.read deliveries.settle balances.export balances.read payouts.prepare payouts.approve payees.read payees.show people.manage audit.read notices.read
      viewer   yes          -         -           -            -             -           -               -               -                    -               -               -               -                 -               -             -               -               -           -           -             -          yes
      auditor  yes          yes       yes         yes          yes           -           -               -               -                    -               -               yes             -                 -               yes           -               -               yes         -           -             yes        yes
      support  yes          yes       yes         -            -             -           yes             -               yes                  yes             -               yes             yes               -               -             -               -               -           -           -             -          yes
      finance  yes          yes       yes         yes          yes           yes         yes             yes             yes                  yes             yes             yes             yes               yes             yes           yes             yes             yes         yes         -             yes        yes
      admin    yes          yes       yes         yes          yes           yes         -               -               -                    -               -               yes             yes               -               -             -               -               -           -           yes           yes        yes`;

const [head = [], ...lines] = MATRIX.trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/));

describe('what a role may do', () => {
  test('the table names every role and every capability once', () => {
    expect(head).toEqual([...CAPABILITIES]);
    expect(lines.map(([role]) => role)).toEqual([...ROLES]);
  });

  const cells = lines.flatMap(([role = '', ...words]) =>
    head.map((capability, index) => ({ role, capability, answer: words[index] === 'yes' })),
  );
  test.each(cells)('$role, $capability: $answer', ({ role, capability, answer }) => {
    const [known, requested] = [parseRole(role), CAPABILITIES.find((each) => each === capability)];
    expect(known && requested && may([known], requested)).toBe(answer);
  });

  test('every role has a label and a description', () => {
    for (const words of [ROLE_LABELS, ROLE_SENTENCES]) expect(Object.keys(words).toSorted()).toEqual([...ROLES].toSorted());
  });
});

test('the sentence of a role says that it reads everything, or balance files, only where it may', () => {
  for (const role of ROLES) {
    const sentence = ROLE_SENTENCES[role];
    if (/everything/.test(sentence))
      expect([role, may([role], 'balances.read'), may([role], 'balances.export')]).toEqual([role, true, true]);
    if (/balance files/.test(sentence)) expect([role, may([role], 'balances.read')]).toEqual([role, true]);
  }
});

test('what a person can do is stated once, for one role and for finance with admin', () => {
  expect(formatAbilities(['viewer'])).toBe(ROLE_SENTENCES.viewer);
  expect(formatAbilities(['finance', 'admin'])).toBe(`${ROLE_SENTENCES.finance} Manages people and settings.`);
});

test('roles combined allow what any of them allows, and none allows nothing', () => {
  expect(may(['admin', 'finance'], 'refunds.approve')).toBe(true);
  expect(may(['admin', 'finance'], 'people.manage')).toBe(true);
  expect(may(['admin', 'support'], 'refunds.approve')).toBe(false);
  expect(CAPABILITIES.filter((capability) => may([], capability))).toEqual([]);
});

test('only finance approves, and only finance and support ask for refunds', () => {
  expect(rolesWith('refunds.approve')).toEqual(['finance']);
  expect(rolesWith('refunds.request')).toEqual(['support', 'finance']);
});

test('a set of roles has one order and no repeats, whatever was given', () => {
  expect(orderRoles(['admin', 'finance', 'admin'])).toEqual(['finance', 'admin']);
  expect(formatRoles(['admin', 'finance'])).toBe('Finance, Admin');
});

test.each([undefined, null, '', 'Admin', 'root', 'admin ', '__proto__', 'constructor', 7])('%s is no role', (text) => {
  expect(parseRole(text)).toBeNull();
});

test.each([
  ['aurora@guild.example', 'a•••@g•••.example'],
  ['  bo@mail.co.uk ', 'b•••@m•••.uk'],
  ['x@localhost', 'x•••@l•••'],
  ['🦊fox@🦊.example', '🦊•••@🦊•••.example'],
  ['Jürgen.Öz+tag@münchen.example', 'J•••@m•••.example'],
  ['a@b@c.example', '•••'],
  ['@guild.example', '•••'],
  ['aurora', '•••'],
  ['', '•••'],
])('%j is shown as %j', (text, masked) => {
  expect(maskEmail(text)).toBe(masked);
});
