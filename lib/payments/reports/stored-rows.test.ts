import { expect, test } from 'vitest';
import { nameInClear } from '../report-text.ts';
import { formatPaymentReference } from '../rules/payment-reference.ts';
import { REPORT_KINDS, type ReportKind } from '../rules/report-row.ts';
import { stateOfIsoCode, stateOfWord } from '../rules/report-words.ts';
import { type ReportReading, readReport } from './read-report.ts';

const A = formatPaymentReference({ gameId: 2, runNo: 7, itemNo: 1 });
const read = (text: string): ReportReading => readReport(new TextEncoder().encode(text));

const camt = (root: string): string =>
  `<Document><${root}><Stmt><Ntry><Amt Ccy="EUR">120.35</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-11-05</Dt></BookgDt><AcctSvcrRef>BANK1</AcctSvcrRef><NtryDtls><TxDtls><Refs><EndToEndId>${A}</EndToEndId></Refs></TxDtls></NtryDtls></Ntry></Stmt></${root}></Document>`;

/** A report of each layout, and the digest of its first row. */
const SAMPLES: Readonly<Record<ReportKind, readonly [text: string, digest: string]>> = {
  paypal_activity: [
    `Date,Time,TimeZone,Name,Type,Status,Currency,Gross,Fee,Net,Transaction ID,Reference Txn ID,Custom Number\n25/11/2026,10:00:00,CET,Sable Quill,Mass payment,Completed,USD,-120.35,-0.25,-120.60,5TX,,${A}\n`,
    'ebddc01e7b646c94b9d6f6ba31d454bdfa266920019195101064fae200850309',
  ],
  paypal_batch: [
    JSON.stringify({
      batch_header: { payout_batch_id: 'PB' },
      items: [
        {
          transaction_id: '5TX',
          transaction_status: 'SUCCESS',
          time_processed: '2026-11-05T10:00:00Z',
          payout_item: { sender_item_id: A, amount: { currency: 'USD', value: '120.35' } },
        },
      ],
    }),
    'd9ce4b133e0250e66e0ffffa4dac9688f76837901116c5459598d1cc45431910',
  ],
  wise_statement: [
    `TransferWise ID,Date,Amount,Currency,Description,Payment Reference,Running Balance,Total fees\nTRANSFER-11,25-11-2026,-120.35,USD,Sent money to Sable Quill,${A},900.00,0.39\n`,
    'fa5de37c1b686d0a45c415a4d6b6ba9af331903ae48c330005419e42b72ea570',
  ],
  camt_053: [camt('BkToCstmrStmt'), 'c5a30cf1a08e1319c2af2e06f0e66c65e5e79deb5b2a794a808aec0cc991b1bc'],
  camt_054: [
    camt('BkToCstmrDbtCdtNtfctn').replaceAll('Stmt>', 'Ntfctn>'),
    'c5a30cf1a08e1319c2af2e06f0e66c65e5e79deb5b2a794a808aec0cc991b1bc',
  ],
  pain_002: [
    `<Document><CstmrPmtStsRpt><GrpHdr><CreDtTm>2026-11-05T10:00:00</CreDtTm></GrpHdr><OrgnlGrpInfAndSts><OrgnlMsgId>SB1-2-9</OrgnlMsgId><GrpSts>ACSC</GrpSts></OrgnlGrpInfAndSts></CstmrPmtStsRpt></Document>`,
    '794771968e763c9b5364ebbece8e3138a7f5d8e83616c67c89a1e39e1535eabc',
  ],
  nacha_returns: [
    [
      '101 061000010 1234567890',
      `5220STARFALL${''.padEnd(57)}261105`,
      `6210610000512345678          0000012035${A.padEnd(15)}SABLE QUILL           0 1061000050000001`,
      `${'799R01061000010000007      06100001REASON'.padEnd(79)}061000050000001`,
      '900000100000100000002',
    ].join('\n'),
    '1c6a25616bbf74dbd2406d49edd5fd35ffe7cb266c14d48f6ff51ea1fc8b3003',
  ],
  generic: [
    `reference,status,amount,currency,provider_id,date\n${A},paid,120.35,USD,T1,2026-11-05\n`,
    'db81415a2cf03473dca2c36bf4659d7abd476e805e4162419a47dd3c86aed557',
  ],
  pasted: [`${A} paid 120.35 USD 2026-11-05`, 'c258f6a995fa55fe2b29932e71b277612cb1634f89f63dc69efd631a06ef86e8'],
};

// The digests of rows are stored, and `verify` reads each report again. A reader that gives others makes every stored report look tampered with: it needs a version that is
// stored with the report, by which `verify` knows what it can compare.
test.each(REPORT_KINDS)('the digest of a stored row of %s doesn’t change with its reader', (kind) => {
  const [text, digest] = SAMPLES[kind];
  const reading = read(text);
  expect(reading.ok ? [reading.report.kind, reading.report.rows[0]?.digest] : reading.refusal).toEqual([kind, digest]);
});

test('a word that every object has is no status', () => {
  for (const word of ['constructor', 'toString', '__proto__', 'hasOwnProperty'])
    expect([stateOfWord(word), stateOfIsoCode(word)], word).toEqual([null, null]);
});

test('a bank’s file of more entries than a report may have is refused before it is parsed', () => {
  const entries = (count: number): ReportReading => read(`<Document>${'<Ntry/>'.repeat(count)}`);
  expect(entries(250_001)).toEqual({ ok: false, refusal: { reason: 'too_many_rows', rowNo: null, detail: '' } });
  expect(entries(1)).toMatchObject({ refusal: { reason: 'broken_xml' } });
});

test.each([
  ['report.csv', 'report.csv'],
  ['Kontoauszug 2026-11-05.xml', 'Kontoauszug 2026-11-05.xml'],
  ['camt053_DE89370400440532013000_2026-11-05.xml', '…_2026-11-05.xml'],
  ['DE89 3704 0044 0532 0130 00', '…'],
  ['BE68-5390-0754-7034.940', '….940'],
  ['umsatz.20260011', 'umsatz.…'],
  ['2026-11-05-123-456-789 (2).csv', '2026-11-05-… (…).csv'],
  ['payouts of mira@creators.example.csv', 'payouts of ….csv'],
  ['٤٤٠٥٣٢.csv', '….csv'],
])('a report that a bank names %s is stored as %s, without its account', (given, stored) => {
  expect(nameInClear(given)).toBe(stored);
});
