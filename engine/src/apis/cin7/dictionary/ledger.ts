/** Descriptions of bank accounts, payments and the ledger of Cin7 Core. */
import type { ColumnTexts, TableTexts } from '../../http/dictionary.ts'
import { entriesOf } from './operations.ts'

const creditColumns: ColumnTexts = {
  account: 'Code of the account that holds the credit.',
  amount: 'Amount in the currency of the row.',
  remaining_amount: 'Part that is not yet used, in the currency of the row.',
}

export const ledgerTables: Readonly<Record<string, TableTexts>> = {
  bank_account: {
    about: 'Bank accounts with their balances now.',
    columns: {
      account_name: 'Name of the bank account.',
      account_number: 'Number of the bank account at the bank.',
      bank: 'Name of the bank.',
      statement_balance: 'Balance of the last statement, in the currency of the account.',
      balance_in_dear:
        'Balance that follows from the entries in Cin7 Core (formerly DEAR), in the currency of the account.',
      initial_balance: 'Balance with which the account was opened in Cin7 Core.',
    },
  },
  fixed_asset_type: {
    about: 'Kinds of fixed assets, with their accounts and depreciation.',
    columns: {
      asset_account_code: 'Code of the account of the assets.',
      asset_account_name: 'Name of the account of the assets.',
      accumulated_depreciation_account_code: 'Code of the account of the accumulated depreciation.',
      accumulated_depreciation_account_name: 'Name of the account of the accumulated depreciation.',
      depreciation_expense_account_code: 'Code of the expense account of the depreciation.',
      depreciation_expense_account_name: 'Name of the expense account of the depreciation.',
      depreciation_method: 'How assets are depreciated, such as straight line.',
      averaging_method: 'Whether the first month counts in full or by days.',
      effective_life: 'Years over which assets are depreciated.',
      rate: 'Rate of depreciation a year, in per cent; used instead of the years.',
    },
    references: {
      asset_account_code: 'account.code',
      accumulated_depreciation_account_code: 'account.code',
      depreciation_expense_account_code: 'account.code',
    },
  },
  customer_credit: { about: 'Credits that customers can still use.', columns: creditColumns },
  supplier_deposit: { about: 'Deposits at suppliers that can still be used.', columns: creditColumns },
  journal: {
    about: 'Journals that people have entered by hand.',
    columns: { journal_number: 'Number of the journal.', narration: 'Text that explains the journal.' },
  },
  journal_line: {
    about: 'Lines of a journal. Each moves an amount from one account to another.',
    columns: {
      amount: 'Amount in the currency of the journal, positive.',
      base_amount: 'Amount in base currency, positive.',
    },
  },
  money_task: {
    about: 'Money received and spent without a sale or purchase, and transfers between bank accounts.',
    columns: {
      task_type: 'Receive Money, Spend Money or Bank Transfer.',
      supplier_customer_name: 'Name of the customer or supplier.',
      total_amount: 'Amount with tax, in the currency of the document.',
      bank_account: 'Code of the bank account.',
      from_account: 'Code of the bank account that the money leaves; only transfers.',
      from_amount: 'Amount that leaves, in the currency of that account.',
      to_account: 'Code of the bank account that the money goes to; only transfers.',
      to_amount: 'Amount that arrives, in the currency of that account.',
    },
    references: { bank_account: 'account.code', from_account: 'account.code', to_account: 'account.code' },
  },
  money_task_line: {
    about: 'Lines of money received or spent.',
    columns: { tax_rule_name: 'Name of the tax rule of the line.' },
    references: { tax_rule_name: 'tax_rule.name' },
  },
  money_task_ledger_entry: entriesOf('a payment or transfer'),
  ledger_month: {
    about: 'Months of the ledger, one row for each.',
    columns: { month: 'The month as year and month, such as 2026-03.', entries: 'How many entries the month has.' },
  },
  ledger_entry: {
    about: 'The ledger: one row for each entry, from one account to another. Cin7 Core gives entries no id.',
    columns: {
      entry_id: 'Identifies the entry. It is computed from its content, because Cin7 Core has no id.',
      twin: 'Number among entries with the same content, from 1.',
      task_id: 'Document that caused the entry; the same id as in the tables of documents.',
      type: 'Kind of that document, such as Sale or Purchase.',
      transaction: 'Text of the entry, such as the contact and the number of the invoice.',
      debit_account_code: 'Code of the account that is debited.',
      credit_account_code: 'Code of the account that is credited.',
      amount: 'Amount in base currency, positive: debited to one account and credited to the other.',
    },
    references: { debit_account_code: 'account.code', credit_account_code: 'account.code' },
  },
}
