/** Descriptions of bank, journals, budgets and reports of Xero. */
import type { TableTexts } from '../../http/dictionary.ts'

const trackingName = { name: 'Name of the tracking category when the row was read.' }
const monthOf = (report: string): TableTexts => ({
  about: `The months for which the ${report} was read, one row for each.`,
  columns: { updated_date_utc: 'When Xero computed the report, in UTC.' },
})
const statement = (report: string, about: string): TableTexts => ({
  about,
  columns: {
    ordinal: 'Position of the line in the report, from 1.',
    account_id: `Account of the line; empty for totals of the ${report}.`,
    amount: 'Amount in base currency as Xero shows it; empty where the report has no figure.',
  },
})
const endOf = (side: 'from' | 'to', verb: string) => ({
  [`${side}_bank_account_id`]: `Bank account that the money ${verb}.`,
  [`${side}_bank_account_code`]: 'Code of that bank account; often empty.',
  [`${side}_bank_account_name`]: 'Name of that bank account when the row was read.',
  [`${side}_bank_transaction_id`]: 'Bank transaction that Xero created on this side.',
  [`${side}_is_reconciled`]: 'True if this side is matched with a line of its bank statement.',
})

export const bookTables: Readonly<Record<string, TableTexts>> = {
  bank_transaction: {
    about: 'Money received and spent without an invoice, and the bank side of prepayments and overpayments.',
    columns: {
      type: 'RECEIVE or SPEND, with the suffixes -OVERPAYMENT, -PREPAYMENT and -TRANSFER. It gives the direction of the amounts.',
      status: 'AUTHORISED, or DELETED if it was removed.',
      contact_id: 'Who paid or was paid; empty for transfers.',
      prepayment_id: 'Prepayment that was created with it; else empty.',
      overpayment_id: 'Overpayment that was created with it; else empty.',
    },
  },
  bank_transaction_line: { about: 'Lines of a bank transaction: the accounts that the money is posted to.' },
  bank_transaction_line_tracking: {
    about: 'Tracking of the lines of bank transactions: one row for each category that a line carries.',
    columns: trackingName,
  },
  bank_transfer: {
    about: 'Transfers of money between two bank accounts of the company.',
    columns: {
      status: 'AUTHORISED, or DELETED if the transfer was removed.',
      date: 'Day of the transfer.',
      amount: 'Amount in the currency of the account that the money leaves.',
      currency_rate: 'Rate between the two accounts, where their currencies differ.',
      ...endOf('from', 'leaves'),
      ...endOf('to', 'arrives at'),
    },
    references: {
      from_bank_account_id: 'account.account_id',
      to_bank_account_id: 'account.account_id',
      from_bank_transaction_id: 'bank_transaction.bank_transaction_id',
      to_bank_transaction_id: 'bank_transaction.bank_transaction_id',
    },
  },
  bank_transfer_from_tracking: {
    about: 'Tracking of the side of a transfer that the money leaves.',
    columns: trackingName,
  },
  bank_transfer_to_tracking: {
    about: 'Tracking of the side of a transfer where the money arrives.',
    columns: trackingName,
  },
  manual_journal: {
    about: 'Journals that people have entered by hand, such as accruals and corrections.',
    columns: {
      narration: 'Text that explains the journal.',
      status: 'DRAFT, POSTED, VOIDED, DELETED or ARCHIVED. Only POSTED is in the books.',
      date: 'Accounting date of the journal.',
      show_on_cash_basis_reports: 'True if reports on cash basis include the journal.',
    },
  },
  manual_journal_line: {
    about: 'Lines of a manual journal. The lines of a posted journal add up to zero.',
    columns: {
      line_amount: 'Amount in base currency: positive is a debit, negative a credit.',
      tax_amount: 'Tax of the line in base currency, with the sign of the line.',
      is_blank: 'True for a line without account and amount, which Xero keeps for its text.',
      line_no: 'Position of the line in the journal, from 1.',
    },
  },
  manual_journal_line_tracking: {
    about: 'Tracking of the lines of manual journals: one row for each category that a line carries.',
    columns: trackingName,
  },
  report_trial_balance_month: monthOf('trial balance'),
  report_trial_balance: {
    about: 'The trial balance as Xero reports it: one row for each account and month. The rows are compared with it.',
    columns: {
      account_id: 'Account that the figures belong to.',
      code: 'Code of the account when the report was read; empty where it has none.',
      name: 'Name of the account when the report was read.',
      debit: 'Movement of the month on the debit side, in base currency; 0 if there was none.',
      credit: 'Movement of the month on the credit side, in base currency; 0 if there was none.',
      ytd_debit:
        'Balance on the debit side at the end of the month, in base currency; for profit and loss accounts since the start of the financial year.',
      ytd_credit:
        'Balance on the credit side at the end of the month, in base currency; for profit and loss accounts since the start of the financial year.',
    },
  },
  report_profit_and_loss_month: monthOf('profit and loss'),
  report_profit_and_loss: statement(
    'profit and loss',
    'The profit and loss as Xero reports it: one row for each line of the report and month.',
  ),
  report_balance_sheet_month: monthOf('balance sheet'),
  report_balance_sheet: statement(
    'balance sheet',
    'The balance sheet as Xero reports it at the end of each month: one row for each line of the report.',
  ),
  budget: {
    about: 'Budgets that were entered in Xero: the overall budget, and budgets for tracking options.',
    columns: {
      status: 'Not used by Xero at present; mostly empty.',
      type: 'OVERALL for the budget of the whole company, TRACKING for that of tracking options.',
      description: 'Name of the budget.',
    },
  },
  budget_tracking: { about: 'Tracking options that a budget is for.', columns: trackingName },
  budget_line: {
    about: 'Budgeted amounts: one row for each budget, account and month.',
    columns: {
      account_id: 'Account that is budgeted.',
      period: 'First day of the month that is budgeted.',
      amount: 'Budgeted amount of the month in base currency. Income and expenses are both positive.',
      notes: 'Note that a user has added to the figure.',
    },
  },
  journal: {
    about:
      'The general ledger as Xero keeps it: a journal for each posting. Only if Xero lets the application read journals.',
    columns: {
      journal_number:
        'Number that Xero counts up. A gap means that a journal belongs to something else, not that it is missing.',
      journal_date: 'Accounting date of the posting.',
      source_id: 'Document that caused the posting; empty for some postings by Xero itself.',
      source_type: 'Kind of that document, such as ACCREC, ACCPAY, CASHREC, CASHPAID, TRANSFER or MANJOURNAL.',
    },
  },
  journal_line: {
    about: 'Lines of the general ledger. The net amounts of a journal add up to zero.',
    columns: {
      account_id: 'Account that is posted to.',
      account_type: 'Kind of the account when the journal was posted.',
      account_name: 'Name of the account when the journal was read.',
      net_amount: 'Amount before tax in base currency: positive is a debit, negative a credit.',
      gross_amount: 'Amount with tax in base currency; the same sign as the net amount.',
      tax_amount: 'Tax of the line in base currency; the same sign as the net amount.',
      tax_name: 'Name of the tax rate when the journal was read.',
    },
  },
  journal_line_tracking: {
    about: 'Tracking of ledger lines: one row for each category that a line carries.',
    columns: {
      ...trackingName,
      journal_line_id: 'Ledger line that carries the tracking.',
      line_no: 'Position of the line in the journal, from 1.',
    },
  },
}
