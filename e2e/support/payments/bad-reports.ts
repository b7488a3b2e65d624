import { gzipSync } from 'node:zlib';
import { zipParts } from '#e2e/support/packs/change-pack.ts';

/** A report that is refused whole: what is wrong, its bytes, and the sentence that names the row or the reason. */
export type BadReport = readonly [what: string, bytes: Buffer, sentence: RegExp];

const GENERIC = 'reference,status,amount,currency,provider_id,date\n';
const NO_LAYOUT = /^This isn’t a report that Sharebook reads: .* Download it in English\.$/;
const NO_ROWS = /^The report has no rows about payments\./;
const NO_TEXT = /^The report isn’t in UTF-8 or UTF-16\./;

/** Reports that are refused whole, about a payment of this reference. */
export async function badReports(reference: string): Promise<BadReport[]> {
  const row = (date: string, amount = '4.00'): string => `${reference},Completed,${amount},USD,T-${date},${date}\n`;
  const camt = `<Document><BkToCstmrStmt><Stmt><Ntry><Amt Ccy="USD">4.00</Amt><NtryDtls><TxDtls><Refs><EndToEndId>${reference}</EndToEndId></Refs></TxDtls></NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>`;
  const doctype = `<?xml version="1.0"?><!DOCTYPE Document [<!ENTITY a SYSTEM "file:///etc/passwd">]>${camt}`;
  const returns = `101 061000010 1234567890\n5220STARFALL\n6210610000512345678          0000000400${reference}\n`;
  const item = { transaction_status: 'SUCCESS', payout_item: { sender_item_id: reference, amount: { currency: 'USD', value: '4.00' } } };
  const batch = JSON.stringify({ batch_header: { payout_batch_id: 'PB' }, items: [item], total_items: 2, total_pages: 1 });
  const text: [string, string, RegExp][] = [
    ['nothing', '\ufeff \r\n', /^The report is empty\./],
    ['the file of another provider', 'id,Type,Source,Amount,Fee,Net\ntxn_1,payout,po_1,-4.00,0.00,-4.00\n', NO_LAYOUT],
    [
      'a payment file in place of a report',
      '<Document><CstmrCdtTrfInitn><GrpHdr><MsgId>SB1</MsgId></GrpHdr></CstmrCdtTrfInitn></Document>',
      NO_LAYOUT,
    ],
    ['a statement in German', 'Datum;Beschreibung;Währung;Betrag\n05.11.2026;Massenzahlung;USD;-4,00\n', NO_LAYOUT],
    ['a statement in Japanese', '日付,内容,通貨,金額\n2026/11/05,振込,USD,-4.00\n', NO_LAYOUT],
    ['lines without a status', `${reference} sent 4.00 USD\n`, NO_LAYOUT],
    ['a PayPal file of ours', `mira@mail.example,4.00,USD,${reference},Revenue share,PAYPAL\r\n`, NO_LAYOUT],
    ['an ACH file of ours', `${returns}9000001000001000000010061000010000000000400\n`, NO_LAYOUT],
    [
      'rows in Dutch that name payments',
      `Rekening;Munt;Naam\n\nDatum;Status;Valuta;Bedrag;Kenmerk;\n05-11-2026;Paid;USD;-4,00;${reference};\n`,
      NO_LAYOUT,
    ],
    ['rows of another provider that name payments', `Payment ID,Outcome,Total\n${reference},Paid,4.00 USD\n`, NO_LAYOUT],
    ['a header alone', GENERIC, NO_ROWS],
    ['a header of PayPal alone', 'Date,Status,Currency,Gross,Transaction ID,Custom Number\n', NO_ROWS],
    ['a batch without payments', JSON.stringify({ batch_header: {}, items: [] }), NO_ROWS],
    ['a statement without entries', '<Document><BkToCstmrStmt><Stmt><Id>1</Id></Stmt></BkToCstmrStmt></Document>', NO_ROWS],
    ['fees alone', 'TransferWise ID,Date,Amount,Currency\nFEE-TRANSFER-1,25-11-2026,-0.41,USD\n', NO_ROWS],
    ['a DOCTYPE', doctype, /^The XML contains a DOCTYPE, which no bank sends\./],
    ['a DOCTYPE in small letters', doctype.replace('DOCTYPE', 'doctype'), /^The XML contains a DOCTYPE/],
    ['a thousand elements in one another', '<a>'.repeat(1_000) + '</a>'.repeat(1_000), /^The XML isn’t complete\./],
    [
      'dates in three orders',
      GENERIC + row('25/11/2026') + row('11/26/2026') + row('2026-11-27'),
      /^The dates are written in different orders\./,
    ],
    ['dates that can be read in two ways', GENERIC + row('05/11/2026'), /^Row 2: The date “05\/11\/2026” can be read in two ways\./],
    ['a missing column', `reference,status,amount\n${reference},Completed,4.00\n`, /^The column “currency” is missing\./],
    [
      'activity of PayPal without the column that has our reference',
      `Date,Status,Currency,Gross,Transaction ID,Subject\n2026-11-05,Completed,USD,-4.00,5TX,${reference}\n`,
      /^The column “custom number” is missing\. Download the report in English with this column\.$/,
    ],
    [
      'a statement of Wise in German',
      `TransferWise ID,Datum,Betrag,Währung\nTRANSFER-1,05-11-2026,-4.00,USD\n`,
      /^The column “date” is missing\. Download the report in English /,
    ],
    ['a column twice', `${GENERIC.trimEnd()},Amount\n${row('2026-11-05').trimEnd()},40.00\n`, /^The column “amount” is there twice\./],
    [
      'an end within a row',
      (GENERIC + row('2026-11-05') + row('2026-11-06')).slice(0, -25),
      /^Row 3: The row has \d of 6 cells, so the report may be cut off\./,
    ],
    [
      'an end within a date',
      (GENERIC + row('2026-11-15')).slice(0, -2),
      /^Row 2: The date “2026-11-1” isn’t complete, so the report may be cut off\./,
    ],
    ['an end within quotes', `${GENERIC}${row('2026-11-05')}${reference},"Complet`, /^Row 3: A quoted cell isn’t closed/],
    ['an end within XML', camt.slice(0, -30), /^The XML isn’t complete\./],
    ['an end within JSON', batch.slice(0, -20), /^The JSON isn’t complete\./],
    ['fewer payments than it states', batch, /^The report states another number of entries than it has: 1 of 2\./],
    ['ACH returns without their last records', returns, /^(?:Row \d+: )?The report is damaged or ends too early\./],
  ];
  const wide = (content: string): Buffer => Buffer.from(`\ufeff${content}`, 'utf16le');
  return [
    ...text.map(([what, content, sentence]): BadReport => [what, Buffer.from(content), sentence]),
    ['Windows-1252', Buffer.from(`${GENERIC}${reference},Payé,4.00,USD,T1,2026-11-05\n`, 'latin1'), NO_TEXT],
    ['a DOCTYPE in UTF-16', wide(doctype), /^The XML contains a DOCTYPE/],
    ['UTF-16 without its mark', wide(GENERIC + row('2026-11-05')).subarray(2), NO_TEXT],
    ['an end within a letter of UTF-16', wide(GENERIC + row('2026-11-05')).subarray(0, -1), NO_TEXT],
    ['a gzip bomb', gzipSync(Buffer.alloc(64 * 1024 * 1024)), /^This is a compressed file\./],
    [
      'a ZIP',
      await zipParts([['report.csv', Buffer.from(GENERIC + row('2026-11-05'))]], { compress: true }),
      /^This is a workbook or a ZIP archive\./,
    ],
    ['more than 32 MB', Buffer.alloc(33 * 1024 * 1024, 'x'), /^The report is larger than 32 MB\./],
  ];
}
