import { PAYOUTS_PAUSED } from '#lib/payouts/text.ts';
import { ACCOUNT_IN_TEXT, ACCOUNT_TEXT, APPROVER_TEXT } from '../approvals/text.ts';
import type { SenderSetting } from './rules/payment-blocker.ts';
import { MAY_BE_UPLOADED, SANDBOX_TEXT, SENDER_SETTING_TEXT } from './text.ts';

const COMMON = {
  not_allowed: 'Your role can’t do this. No changes were made.',
  ...APPROVER_TEXT,
  moved_on: 'It has changed since you opened the page. No changes were made. Reload the page.',
  paused: `${PAYOUTS_PAUSED} No changes were made.`,
} as const;

/** Why a payment file can't be opened. */
export const FILE_REFUSALS = {
  no_key: 'SHAREBOOK_PAYEE_KEY isn’t set, so payment files can’t be opened. Set it to the key that sealed them.',
  gone: 'There is no such payment file.',
  cancelled: 'This payment file was cancelled, or its run was voided. It can’t be downloaded. Don’t upload a copy.',
  paused: `${PAYOUTS_PAUSED} Payment files can’t be downloaded meanwhile.`,
  restored: MAY_BE_UPLOADED,
  cancel_requested:
    'Someone requested to cancel this payment file, so it can’t be downloaded. Don’t upload a copy. Discard the request first.',
  void_requested:
    'Someone requested to void the run of this payment file, so it can’t be downloaded. Don’t upload a copy. To download it, keep the run on its page.',
  reported_paid:
    'A bank report may show payments of this file, or ones they replace, as paid. If it was uploaded, record its hand-over. Otherwise decide those rows under Bank reports.',
  unreadable:
    'This payment file doesn’t open: its row was changed, or another key sealed it. Set SHAREBOOK_PAYEE_KEY to the key that sealed it, or run verify.',
} as const;
export type FileRefusal = keyof typeof FILE_REFUSALS;

/** Why no files were made. */
export const FILES_REFUSALS = {
  not_allowed: 'Your role can’t create payment files. No file was created.',
  ...ACCOUNT_TEXT,
  moved_on: 'This run can no longer be paid. No file was created. Reload the page.',
  paused: `${PAYOUTS_PAUSED} No file was created.`,
  void_requested: 'Someone requested to void this run. Keep the run on its page first. No file was created.',
  unknown: 'This format isn’t one of the method. No file was created. Reload the page.',
  changed: 'Other payments are waiting now than the page showed. No file was created. Check what is shown now.',
  lost_files:
    'A restore lost files of this run, which may have been paid. Confirm that they paid none of these payments. No file was created.',
  sender_unreadable:
    'The sender account doesn’t open. No file was created. Set SHAREBOOK_PAYEE_KEY to the key that sealed it, or propose it again under Sender accounts.',
  no_key: 'The key of payment details isn’t set, so no file can be created. Set SHAREBOOK_PAYEE_KEY.',
} as const;

/** Why a file isn't handed over or cancelled. */
export const BATCH_REFUSALS = {
  ...COMMON,
  moved_on: 'The file has changed since you opened the page. No changes were made. Reload the page.',
  same_person: 'You requested this. Someone else must confirm it.',
  missing: 'Enter a reason. No changes were made.',
  too_long: 'This entry is too long. No changes were made.',
  account: `${ACCOUNT_IN_TEXT} No changes were made.`,
  reported_paid:
    'A bank report shows payments of this file as paid. Record its hand-over, or decide those rows first. No changes were made.',
  not_stated: 'Confirm that nobody uploaded this file. No changes were made.',
  cancel_requested: 'Someone requested to cancel this file. Discard the request first. No changes were made.',
  not_as_shown: 'The request has changed since you opened the page. No changes were made. Reload the page.',
} as const;

/** Why payments aren't recorded as paid elsewhere. */
export const ELSEWHERE_REFUSALS = {
  ...COMMON,
  moved_on: 'One of these payments is in a file or proposed already. No changes were made. Reload the page.',
  sandbox: SANDBOX_TEXT,
  same_person: 'You proposed this. Someone else must confirm it.',
  not_a_day: 'Enter a day.',
  in_future: 'Enter today or an earlier day.',
  too_early: 'Enter a day after the month of this run. What was paid before is an adjustment.',
  missing: 'Enter a note.',
  too_long: 'Use at most 500 characters.',
  account: ACCOUNT_IN_TEXT,
} as const;

/** Why payments that were proposed as paid elsewhere aren't confirmed or withdrawn. */
export const ELSEWHERE_DECISION_REFUSALS = {
  ...ELSEWHERE_REFUSALS,
  moved_on: 'It was already decided, or its run has changed. No changes were made. Reload the page.',
} as const;

/** Why a payment file can't be downloaded. */
export const OPEN_REFUSALS = {
  not_allowed: 'Your role can’t download payment files.',
  ...ACCOUNT_TEXT,
  ...FILE_REFUSALS,
  password: 'Enter your password on the Payments tab first, then download the file within five minutes.',
} as const;

/** Why a sender account isn't proposed, confirmed or withdrawn. */
export const SENDER_REFUSALS = {
  ...COMMON,
  moved_on: 'It was already decided. No changes were made. Reload the page.',
  same_person: 'You proposed this. Someone else must confirm it.',
  another_waits: 'Another proposal for this method waits. Confirm or withdraw it first. Nothing was saved.',
  unknown_method: 'Choose a method.',
  no_key: 'The key of payment details isn’t set, so no sender account can be stored or confirmed. Set SHAREBOOK_PAYEE_KEY.',
  unreadable: 'This sender account doesn’t open. Set SHAREBOOK_PAYEE_KEY to the key that sealed it, or withdraw it and propose it again.',
  gone: 'This sender account doesn’t exist.',
  too_late: 'It was already decided. No changes were made. Reload the page.',
} as const;

/** What a sender account needs, as the error of the entry. */
export function formatSettingError(setting: SenderSetting): string {
  return `Enter ${SENDER_SETTING_TEXT[setting]}.`;
}

/** Why a report isn't recorded. */
export const REPORT_REFUSALS = {
  not_allowed: 'Your role can’t record reports. Nothing was stored.',
  ...ACCOUNT_TEXT,
  no_key: 'The key of payment details isn’t set, so reports can’t be stored. Set SHAREBOOK_PAYEE_KEY.',
  paused: `${PAYOUTS_PAUSED} Nothing was stored.`,
} as const;

/** Why a stored report isn't shown or downloaded. */
export const SHOW_REPORT_REFUSALS = {
  not_allowed: 'Your role can’t view whole accounts, so it can’t open bank reports.',
  ...ACCOUNT_TEXT,
  no_key: 'The key of payment details isn’t set, so bank reports can’t be opened. Set SHAREBOOK_PAYEE_KEY to the key that sealed them.',
  gone: 'There is no such bank report.',
  unreadable:
    'This bank report doesn’t open: its row was changed, or another key sealed it. Set SHAREBOOK_PAYEE_KEY to the key that sealed it, or run verify.',
  password: 'Enter your password on the report’s page first, then download it within five minutes.',
} as const;

/** Why a row of a report isn't decided. */
export const ROW_REFUSALS = {
  ...COMMON,
  moved_on: 'This row was already decided. No changes were made. Reload the page.',
  missing: 'Enter a note.',
  too_long: 'Use at most 500 characters.',
  account: ACCOUNT_IN_TEXT,
  state_missing: 'Choose the status that the row reports.',
  no_payment: 'This row names no single payment. Enter its reference.',
  unknown_payment: 'This game has no such payment or file. Check the reference or the number.',
  not_handed_over:
    'The hand-over of that payment’s file isn’t recorded. Record it first. If the file was cancelled or its run voided, set the row aside and propose an adjustment.',
  replaced: 'Another payment replaced that one. If it was paid twice, propose an adjustment.',
  amount_differs:
    'The row has another amount than that payment or file. Choose another one, or set the row aside with a note. No changes were made.',
  not_as_shown: 'Rows of this report were decided since you opened the page. No changes were made. Reload the page.',
  nothing_to_confirm: 'All payments of that file have this state already. Set the row aside with a note.',
} as const;

/** Why a payment isn't re-issued. */
export const REISSUE_REFUSALS = {
  ...COMMON,
  moved_on: 'This payment has changed since you opened the page. No changes were made. Reload the page.',
  closed: 'This run is closed. What failed or was returned is due in the next run.',
  in_balance: 'Another run pays this amount already. No changes were made.',
  no_details: 'The recipient has no payment details in force. Enter and confirm them first.',
  another_waits: 'A re-issue of this payment waits. Confirm or withdraw it first.',
  missing: 'Enter a reason. No changes were made.',
  too_long: 'The reason is longer than 500 characters. No changes were made.',
  account: `${ACCOUNT_IN_TEXT} No changes were made.`,
  same_person: 'You proposed this. Someone else must confirm it.',
  not_as_shown: 'The re-issue or the payment details have changed since you opened the page. No changes were made. Reload the page.',
  too_late: 'It was already decided. No changes were made. Reload the page.',
} as const;

/** Why a run isn't closed. */
export const CLOSE_REFUSALS = {
  not_allowed: 'Your role can’t close a run. No changes were made.',
  ...ACCOUNT_TEXT,
  moved_on: 'This run has changed since you opened the page. No changes were made. Reload the page.',
  paused: `${PAYOUTS_PAUSED} No changes were made.`,
  rows_open:
    'Rows of bank reports about this run, or about a whole file, wait for a decision. Decide them under Bank reports first. No changes were made.',
  not_paid: 'Payments of this run are still open. Close it once each is paid, failed or returned.',
} as const;
