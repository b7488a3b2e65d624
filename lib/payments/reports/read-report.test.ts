import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { formatPaymentReference } from '../rules/payment-reference.ts';
import type { ParsedReport, ReportRow } from '../rules/report-row.ts';
import { readReport } from './read-report.ts';

const A = formatPaymentReference({ gameId: 2, runNo: 7, itemNo: 1 });
const B = formatPaymentReference({ gameId: 2, runNo: 7, itemNo: 2 });

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function read(text: string, options = {}): ParsedReport {
  const reading = readReport(bytesOf(text), options);
  if (!reading.ok) throw new Error(JSON.stringify(reading.refusal));
  return reading.report;
}

function refusal(content: string | Uint8Array): unknown {
  const reading = readReport(typeof content === 'string' ? bytesOf(content) : content);
  return reading.ok ? 'was read' : [reading.refusal.reason, reading.refusal.rowNo, reading.refusal.detail];
}

/** What a row says, as one line. */
const line = ({ state, references, amounts, providerId, occurredOn }: ReportRow): string =>
  [state, references.join('+'), amounts.map(({ amount, currency }) => `${amount} ${currency}`).join('|'), providerId, occurredOn].join(' ');

const PAYPAL = `"Date","Time","TimeZone","Name","Type","Status","Currency","Gross","Fee","Net","Transaction ID","Reference Txn ID","Custom Number"
"25/11/2026","10:00:00","CET","Sable Quill","Mass payment","Completed","USD","-1,120.35","-0.25","-1,120.60","5TX","","${A}"
"26/11/2026","10:00:00","CET","Wren","Mass payment","Unclaimed","USD","-15.00","0.00","-15.00","6TX","","${B.toLowerCase()}"
"27/11/2026","10:00:00","CET","Wren","Reversal","Completed","USD","15.00","0.00","15.00","7TX","6TX",""
`;

test('PayPal’s activity: the sign decides before the status, and a return names its payment', () => {
  const { kind, rows } = read(PAYPAL);
  expect(kind).toBe('paypal_activity');
  expect(rows.map(line)).toEqual([
    `paid ${A} 1120.35 USD 5TX 2026-11-25`,
    `pending ${B} 15.00 USD 6TX 2026-11-26`,
    'returned  15.00 USD 7TX 2026-11-27',
  ]);
  expect(rows.map(({ relatedId }) => relatedId)).toEqual([null, null, '6TX']);
  expect(rows.map(({ rowNo }) => rowNo)).toEqual([2, 3, 4]);
});

test('money that comes in and isn’t there yet is no return, and contradicting words are listed', () => {
  const pending = PAYPAL.replace('"Reversal","Completed"', '"Reversal","Pending"');
  expect(read(pending).rows.map(({ state }) => state)).toEqual(['paid', 'pending', null]);
  const pasted = [`Return ${A} 120.35 USD Completed`, `Refund of ${A} 120.35 USD`, `${A} 120.35 USD booked`].join('\n');
  expect(read(pasted).rows.map(({ state }) => state)).toEqual([null, 'returned', 'paid']);
});

test('PayPal’s batch details carry our reference', () => {
  const batch = {
    batch_header: { payout_batch_id: 'PB' },
    items: [
      {
        transaction_id: '5TX',
        transaction_status: 'SUCCESS',
        time_processed: '2026-11-05T10:00:00Z',
        payout_item: { sender_item_id: A, amount: { currency: 'USD', value: '120.35' } },
      },
      {
        payout_item_id: '9',
        transaction_status: 'RETURNED',
        errors: { name: 'RECEIVER_UNREGISTERED' },
        payout_item: { sender_item_id: B, amount: { currency: 'USD', value: '15.00' } },
      },
    ],
    total_items: 2,
    total_pages: 1,
  };
  const { kind, rows } = read(JSON.stringify(batch));
  expect([kind, rows.map(line)]).toEqual(['paypal_batch', [`paid ${A} 120.35 USD 5TX 2026-11-05`, `returned ${B} 15.00 USD 9 `]]);
  expect(rows[1]?.reasonCode).toBe('RECEIVER_UNREGISTERED');
  expect(refusal(JSON.stringify({ ...batch, total_items: 3 }))).toEqual(['count_differs', null, '2 of 3']);
  expect(refusal(JSON.stringify(batch).slice(0, -9))).toEqual(['broken_json', null, '']);
});

test('a Wise statement: rows of fees are left out, and money that comes back is a return of its transfer', () => {
  const statement = `TransferWise ID,Date,Amount,Currency,Description,Payment Reference,Running Balance,Total fees
TRANSFER-11,05-11-2026,-120.35,USD,Sent money to Sable Quill,${A},900.00,0.39
FEE-TRANSFER-11,05-11-2026,-0.39,USD,Wise Charges for: TRANSFER-11,${A},899.61,
TRANSFER-11,20-11-2026,120.35,USD,Refund,${A},1019.96,
`;
  const { kind, rows, feeRows } = read(statement);
  expect([kind, feeRows, rows.map(line)]).toEqual([
    'wise_statement',
    1,
    [`paid ${A} 120.35 USD TRANSFER-11 2026-11-05`, `returned ${A} 120.35 USD TRANSFER-11 in 2026-11-20`],
  ]);
});

const camt = (entries: string, { version = '08', summary = '' } = {}): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<ns:Document xmlns:ns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}"><ns:BkToCstmrStmt><ns:GrpHdr><ns:MsgId>M</ns:MsgId></ns:GrpHdr>
<ns:Stmt><ns:Id>S</ns:Id><ns:Acct><ns:Id><ns:IBAN>DE89 3704 0044 0532 0130 00</ns:IBAN></ns:Id></ns:Acct>${summary}${entries}</ns:Stmt></ns:BkToCstmrStmt></ns:Document>`.replaceAll(
    /<(\/?)(?!ns:|\?|\/)/g,
    '<$1ns:',
  );
const entry = ({ amount = '120.35', direction = 'DBIT', status = '<Sts><Cd>BOOK</Cd></Sts>', details = '' } = {}): string =>
  `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${direction}</CdtDbtInd>${status}<BookgDt><Dt>2026-11-05</Dt></BookgDt><AcctSvcrRef>BANK1</AcctSvcrRef><NtryDtls>${details}</NtryDtls></Ntry>`;
const payment = (reference: string, more = ''): string => `<TxDtls><Refs><EndToEndId>${reference}</EndToEndId></Refs>${more}</TxDtls>`;

test.each<[string, (day: string) => string]>([
  ['pasted lines', (day) => `${A} paid 120.35 USD ${day}`],
  ['a statement of a bank', (day) => camt(entry({ details: payment(A) }).replace('2026-11-05', day))],
  [
    'a bank’s answer',
    (day) =>
      `<Document><CstmrPmtStsRpt><GrpHdr><CreDtTm>${day}T10:00:00</CreDtTm></GrpHdr><OrgnlGrpInfAndSts><OrgnlMsgId>SB1</OrgnlMsgId><GrpSts>ACSC</GrpSts></OrgnlGrpInfAndSts></CstmrPmtStsRpt></Document>`,
  ],
  [
    'PayPal’s batch details',
    (day) =>
      JSON.stringify({
        batch_header: {},
        items: [
          {
            transaction_status: 'SUCCESS',
            time_processed: `${day}T10:00:00Z`,
            payout_item: { amount: { currency: 'USD', value: '1.00' } },
          },
        ],
      }),
  ],
])('%s with a day that the calendar doesn’t have, or that isn’t written whole, can’t be read', (_, reportOn) => {
  const dated = (day: string) => read(reportOn(day)).rows.map(({ occurredOn, unreadable }) => [occurredOn, unreadable]);
  expect(dated('2026-11-05')).toEqual([['2026-11-05', null]]);
  expect(['2026-13-45', '2026-02-29', '2026-11-5', '2026-1-05'].flatMap(dated)).toEqual(Array(4).fill([null, 'date']));
});

describe('a statement of a bank', () => {
  test('has the account, and each payment with its own amount', () => {
    const details = `${payment(A, '<Amt Ccy="EUR">100.00</Amt>')}${payment(B, '<AmtDtls><TxAmt><Amt Ccy="EUR">20.35</Amt></TxAmt></AmtDtls>')}`;
    const { kind, account, rows } = read(camt(entry({ details })));
    expect([kind, account]).toEqual(['camt_053', 'DE89370400440532013000']);
    expect(rows.map(line)).toEqual([`paid ${A} 100.00 EUR BANK1 2026-11-05`, `paid ${B} 20.35 EUR BANK1 2026-11-05`]);
  });

  test('gives the only payment of an entry the amount of the entry, and none of several', () => {
    expect(read(camt(entry({ details: payment(A) }))).rows.map(line)).toEqual([`paid ${A} 120.35 EUR BANK1 2026-11-05`]);
    expect(read(camt(entry({ details: payment(A) + payment(B) }))).rows.map(({ amounts }) => amounts)).toEqual([[], []]);
  });

  test('of version 02 writes the status as text, and an entry that isn’t booked is pending', () => {
    const rows = ['BOOK', 'PDNG', 'INFO'].map((status) => entry({ status: `<Sts>${status}</Sts>`, details: payment(A) }));
    expect(read(camt(rows.join(''), { version: '02' })).rows.map(({ state }) => state)).toEqual(['paid', 'pending', null]);
  });

  test('has returns: money that comes in, with the bank’s reason', () => {
    const back = payment(A, '<RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf>');
    const { rows } = read(camt(entry({ direction: 'CRDT', details: back })));
    expect(rows.map(({ state, reasonCode }) => [state, reasonCode])).toEqual([['returned', 'AC04']]);
  });

  test('tells a payment from an equal one of another day, and money that leaves as a reversal from a payment', () => {
    const later = entry({ details: payment(A) })
      .replace('BANK1', 'BANK2')
      .replace('2026-11-05', '2026-11-12');
    const [first, second] = read(camt(entry({ details: payment(A) }) + later)).rows;
    expect(first?.digest).not.toBe(second?.digest);
    const reversed = entry({ details: payment(A) }).replace('<Sts>', '<RvslInd>true</RvslInd><Sts>');
    expect(read(camt(reversed)).rows.map(({ state }) => state)).toEqual([null]);
  });

  test('has the instructed amount of a wire beside the booked one', () => {
    const details = payment(A, '<AmtDtls><InstdAmt><Amt Ccy="USD">130.00</Amt></InstdAmt></AmtDtls>');
    expect(read(camt(entry({ details }))).rows.map(line)).toEqual([`paid ${A} 120.35 EUR|130.00 USD BANK1 2026-11-05`]);
  });

  test('has the total of a batch with its ID', () => {
    const details = '<Btch><PmtInfId>SB1-2-9</PmtInfId><NbOfTxs>2</NbOfTxs></Btch>';
    expect(read(camt(entry({ details }))).rows.map(({ batchId, amounts }) => [batchId, amounts])).toEqual([
      ['SB1-2-9', [{ amount: '120.35', currency: 'EUR' }]],
    ]);
  });

  test('is refused when its count differs, when it is cut off, and when it has a DOCTYPE', () => {
    const summary = '<TxsSummry><TtlNtries><NbOfNtries>2</NbOfNtries></TtlNtries></TxsSummry>';
    expect(refusal(camt(entry({ details: payment(A) }), { summary }))).toEqual(['count_differs', null, '1 of 2']);
    expect(refusal(camt(`${entry()}</Stmt><Stmt><Acct><Id><IBAN>FR1420041010050500013M02606</IBAN></Id></Acct>${entry()}`))).toEqual([
      'several_accounts',
      null,
      'DE89370400440532013000, FR1420041010050500013M02606',
    ]);
    expect(refusal(camt(entry()).slice(0, -40))).toContain('broken_xml');
    expect(refusal(`<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>${camt(entry())}`)).toEqual(['doctype', null, '']);
    expect(refusal('<a>'.repeat(50) + '</a>'.repeat(50))).toContain('broken_xml');
    expect(refusal('<Document><pain.001><x/></pain.001></Document>')).toContain('unknown_layout');
  });
});

describe('a bank’s answer to a file', () => {
  const answer = (content: string): string =>
    `<Document><CstmrPmtStsRpt><GrpHdr><CreDtTm>2026-11-05T10:00:00</CreDtTm></GrpHdr><OrgnlGrpInfAndSts><OrgnlMsgId>SB1-2-9</OrgnlMsgId><GrpSts>ACSC</GrpSts></OrgnlGrpInfAndSts>${content}</CstmrPmtStsRpt></Document>`;

  test('says of each payment what happened, with codes that change nothing', () => {
    const status = (reference: string, code: string): string =>
      `<TxInfAndSts><OrgnlEndToEndId>${reference}</OrgnlEndToEndId><TxSts>${code}</TxSts><StsRsnInf><Rsn><Cd>AC04</Cd></Rsn></StsRsnInf></TxInfAndSts>`;
    const { rows } = read(answer(`<OrgnlPmtInfAndSts>${status(A, 'RJCT')}${status(B, 'ACSP')}${status(B, 'MTCH')}</OrgnlPmtInfAndSts>`));
    expect(rows.map(({ state, references, reasonCode, hasAmount }) => [state, ...references, reasonCode, hasAmount])).toEqual([
      ['failed', A, 'AC04', false],
      ['pending', B, 'AC04', false],
      [null, B, 'AC04', false],
    ]);
  });

  test('and a rejection of the whole holds for payments that aren’t named', () => {
    const one = `<TxInfAndSts><OrgnlEndToEndId>${A}</OrgnlEndToEndId><TxSts>RJCT</TxSts></TxInfAndSts>`;
    const batch = (status: string): string =>
      `<OrgnlPmtInfAndSts><OrgnlPmtInfId>SB1-2-9</OrgnlPmtInfId><PmtInfSts>${status}</PmtInfSts>${one}</OrgnlPmtInfAndSts>`;
    const said = (status: string) => read(answer(batch(status))).rows.map(({ state, batchId }) => [state, batchId]);
    expect(said('RJCT')).toEqual([
      ['failed', null],
      ['failed', 'SB1-2-9'],
    ]);
    expect(said('PART')).toEqual([['failed', null]]);
  });

  test('or of the whole message', () => {
    expect(read(answer('')).rows.map(({ state, batchId }) => [state, batchId])).toEqual([['paid', 'SB1-2-9']]);
  });
});

test('a generic report, and lines that a person pasted', () => {
  const generic = `reference;status;amount;currency;provider_id;date\n${A};Paid;120,35;EUR;X1;2026-11-05\n${B};on hold;15,00;EUR;;2026-11-05\n`;
  expect(read(generic).rows.map(line)).toEqual([`paid ${A} 120.35 EUR X1 2026-11-05`, `pending ${B} 15.00 EUR  2026-11-05`]);
  const pasted = `${A} paid 120.35 USD 2026-11-05\n\n${B}\t15.00 USD returned\nno reference`;
  const { kind, rows } = read(pasted);
  expect([kind, rows.map(line)]).toEqual(['pasted', [`paid ${A} 120.35 USD  2026-11-05`, `returned ${B} 15.00 USD  `, '    ']]);
  expect(rows.map(({ rowNo }) => rowNo)).toEqual([1, 3, 4]);
});

test.each([
  ['a negated word', 'not paid'],
  ['words that contradict', 'paid, then returned'],
])('a pasted line with %s says nothing', (_, words) => {
  expect(read(`${A} ${words} 120.35 USD`).rows.map(({ state }) => state)).toEqual([null]);
});

test('equal rows of one report have a digest each, and the same ones in the next report', () => {
  const header = 'reference,status,amount,currency,provider_id,date\n';
  const one = `${A},paid,1.00,USD,,2026-11-05\n`;
  const [first, second] = [read(header + one + one), read(`${header}${B},paid,2.00,USD,,2026-11-05\n${one}${one}`)];
  expect(first.rows[0]?.digest).not.toBe(first.rows[1]?.digest);
  expect(second.rows.slice(1).map(({ digest }) => digest)).toEqual(first.rows.map(({ digest }) => digest));
});

describe('what can’t be read', () => {
  const generic = (rows: string): string => `reference,status,amount,currency,provider_id,date\n${rows}`;

  test.each<[string, string | Uint8Array, unknown[]]>([
    ['an empty file', ' \n', ['empty', null, '']],
    ['Windows-1252', new Uint8Array([...bytesOf('reference,status\n'), 0xe9, 0x2c]), ['encoding', null, '']],
    ['a statement in another language', 'Datum;Brutto;Währung\n05.11.2026;120,35;EUR\n', ['unknown_layout', null, '']],
    ['a workbook', new Uint8Array([0x50, 0x4b, 3, 4, 0xff, 0xfe]), ['packed', null, 'a workbook or a ZIP archive']],
    ['an old workbook', new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1]), ['packed', null, 'an old workbook']],
    ['a compressed report', gzipSync('reference,status\n'), ['packed', null, 'a compressed file']],
    ['a PDF', bytesOf('%PDF-1.7\nreference,status'), ['packed', null, 'a PDF']],
    ['a missing column', 'reference,status,amount,currency,date\n', ['column_missing', null, 'provider_id']],
    ['a row that is cut off', generic(`${A},paid,1.00,USD,,2026-11-05\n${B},paid,2.0`), ['cells_missing', 3, '3 of 6']],
    ['a quote that isn’t closed', generic(`${A},"paid,1.00,USD,,2026-11-05\n`), ['open_quote', 2, '']],
    ['a date that is cut off', generic(`${A},paid,1.00,USD,,2026-11-05\n${B},paid,2.00,USD,,2026-11-1`), ['date_cut', 3, '2026-11-1']],
    ['a date that is cut off before its time', generic(`${A},paid,1.00,USD,,2026-1-05 10:00\n`), ['date_cut', 2, '2026-1-05 10:00']],
    ['dates that can be read in two ways', generic(`${A},paid,1.00,USD,,05/11/2026\n`), ['date_order', 2, '05/11/2026']],
    [
      'dates in several orders',
      generic(`${A},paid,1.00,USD,,25/11/2026\n${B},paid,1.00,USD,,11/25/2026\n`),
      ['date_orders_mixed', null, ''],
    ],
  ])('%s is refused whole', (_, content, expected) => {
    expect(refusal(content)).toEqual(expected);
  });

  test('an order of dates that a person chose is used', () => {
    const text = generic(`${A},paid,1.00,USD,,05/11/2026\n`);
    expect(read(text, { dateOrder: 'mdy' }).rows[0]?.occurredOn).toBe('2026-05-11');
  });

  test('an amount or a day that can’t be read leaves its row without either', () => {
    const { rows } = read(generic(`${A},paid,"1,234",USD,,2026-11-05\n${B},paid,1.00,USD,,2026-02-30\n`));
    expect(rows.map(({ unreadable }) => unreadable)).toEqual(['amount', 'date']);
  });

  test('UTF-16 with its mark is read', () => {
    const text = generic(`${A},paid,1.00,USD,,2026-11-05\n`);
    const bytes = new Uint8Array([0xff, 0xfe, ...[...text].flatMap((letter) => [letter.charCodeAt(0) & 0xff, letter.charCodeAt(0) >> 8])]);
    const reading = readReport(bytes);
    expect(reading.ok && reading.report.rows.map(line)).toEqual([`paid ${A} 1.00 USD  2026-11-05`]);
  });

  test('more than 250,000 rows are refused', { tags: 'proof' }, () => {
    expect(refusal(generic(`${A},paid,1.00,USD,,2026-11-05\n`.repeat(260_000)))).toEqual(['too_many_rows', 250_002, '']);
    expect(refusal(new Uint8Array(33 * 1024 * 1024))).toEqual(['too_large', null, '']);
  });
});
