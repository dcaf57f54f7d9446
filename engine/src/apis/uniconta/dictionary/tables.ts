/** Descriptions of Uniconta's usual tables, in our words, from its public documentation. */
import type { ColumnReferences, TableTexts } from '../../http/dictionary.ts'

const ofCustomer: ColumnReferences = { account: 'debtor.account' }
const ofVendor: ColumnReferences = { account: 'creditor.account' }
const ofLedger: ColumnReferences = { account: 'gl_account.account' }
const customer = 'Account number of the customer.'
const vendor = 'Account number of the vendor.'
const ledger = 'Number of the account in the chart of accounts.'
const openAmount =
  'Amount that is still open, in the currency of the company: positive is owed by the party, negative is owed to it.'

export const unicontaTables: Readonly<Record<string, TableTexts>> = {
  company: {
    about: 'The companies of the login. Every other table refers to them by company_id.',
    columns: {
      primary_key_id: 'Number of the company at Uniconta; the same as company_id.',
      scan_mail: 'Address to which invoices of vendors are mailed for scanning.',
      currency: 'ISO 4217 code of the currency in which the books are kept.',
      email: 'Email address of the company.',
    },
  },
  gl_account: {
    about: 'The chart of accounts of each company, with headings and totals.',
    columns: {
      account: 'Number of the account, as text; unique in the company.',
      account_type: 'Kind of the account: a heading, a sum, or the part of the books it belongs to.',
      is_blocked: 'True if nothing may be posted to the account.',
      balance: 'Balance in the currency of the company: positive is a debit, negative a credit.',
      vat: 'VAT code that postings on the account suggest.',
    },
  },
  gl_vat: {
    about: 'VAT codes with their rates.',
    columns: {
      vat: 'The VAT code; unique in the company.',
      rate: 'Percentage of the code: 25 is twenty-five per cent.',
    },
  },
  gl_daily_journal_posted: {
    about:
      'Journals that were posted. Their number links the entries of the ledger with those of customers, vendors and stock.',
    columns: {
      journal_posted_id: 'Number of the posted journal; it grows with each posting.',
      journal: 'Name of the journal that was posted.',
      posted: 'When it was posted, in the time of the company, without a zone.',
      number_of_lines: 'How many lines were posted.',
    },
  },
  gl_trans: {
    about: 'The general ledger: one row for each posting on an account.',
    columns: {
      account: ledger,
      account_type: 'Kind of the account.',
      amount: 'Amount in the currency of the company: positive is a debit, negative a credit.',
      amount_cur: 'Amount in the currency of the posting; 0 or empty if that is the currency of the company.',
      qty: 'Quantity that belongs to the posting; mostly 0.',
    },
    references: ofLedger,
  },
  gl_trans_sum: {
    about: 'The ledger added up by day, account and dimensions.',
    columns: {
      account: ledger,
      amount: 'Debit less credit in the currency of the company: positive is a debit.',
      debit: 'Sum of the debits in the currency of the company.',
      credit: 'Sum of the credits in the currency of the company, positive.',
    },
    references: ofLedger,
  },
  gl_budget: { about: 'Budgets of the ledger, one row for each budget.' },
  gl_budget_line: { about: 'Lines of the budgets: amounts by account and period.', references: ofLedger },
  company_finance_year: {
    about: 'Financial years of each company, with their state.',
    columns: { from_date: 'First day of the financial year; identifies it in the company.' },
  },
  payment_term: {
    about: 'Payment terms, from which due dates follow.',
    columns: { payment: 'Code of the payment term; unique in the company.', days: 'Days until payment is due.' },
  },
  debtor_group: {
    about: 'Groups of customers. They decide to which accounts sales are posted.',
    columns: { group: 'Code of the group; unique in the company.' },
  },
  creditor_group: {
    about: 'Groups of vendors. They decide to which accounts purchases are posted.',
    columns: { group: 'Code of the group; unique in the company.' },
  },
  inv_group: {
    about: 'Groups of items. They decide to which accounts sales and stock are posted.',
    columns: { group: 'Code of the group; unique in the company.' },
  },
  debtor: {
    about: 'Customers.',
    columns: {
      account: 'Account number of the customer, as text; unique in the company.',
      group: 'Group of the customer.',
      credit_max: 'Most that the customer may owe, in the currency of the company; 0 means no limit.',
      created: 'When the customer was created, in the time of the company, without a zone.',
    },
    references: { group: 'debtor_group.group' },
  },
  creditor: {
    about: 'Vendors (suppliers).',
    columns: {
      account: 'Account number of the vendor, as text; unique in the company.',
      group: 'Group of the vendor.',
      created: 'When the vendor was created, in the time of the company, without a zone.',
    },
    references: { group: 'creditor_group.group' },
  },
  debtor_trans: {
    about: 'Postings on customers: invoices, credit notes and payments.',
    columns: {
      account: customer,
      amount:
        'Amount in the currency of the company: positive increases what the customer owes, negative is a payment or credit.',
    },
    references: ofCustomer,
  },
  creditor_trans: {
    about: 'Postings on vendors: invoices, credit notes and payments.',
    columns: {
      account: vendor,
      amount:
        'Amount in the currency of the company: negative increases what the company owes, positive is a payment or credit.',
    },
    references: ofVendor,
  },
  debtor_trans_open: {
    about: 'Postings on customers that are not settled: what is owed today.',
    columns: { account: customer, amount_open: openAmount },
    references: ofCustomer,
  },
  creditor_trans_open: {
    about: 'Postings on vendors that are not settled: what the company owes today.',
    references: ofVendor,
  },
  debtor_order: {
    about: 'Sales orders that are not completely invoiced. An invoiced order disappears.',
    columns: {
      account: customer,
      order_number: 'Number of the order; unique in the company.',
      created: 'When the order was created, in the time of the company, without a zone.',
      order_total: 'Amount of the order before VAT, in the currency of the order.',
      our_ref: 'Person at the company who is responsible.',
    },
    references: ofCustomer,
  },
  debtor_order_line: {
    about: 'Lines of sales orders.',
    columns: { total: 'Amount of the line after discount, in the currency of the order.' },
    references: { order_number: 'debtor_order.order_number' },
  },
  debtor_offer: { about: 'Offers to customers.', references: ofCustomer },
  debtor_offer_line: {
    about: 'Lines of offers to customers.',
    references: { order_number: 'debtor_offer.order_number' },
  },
  debtor_invoice: {
    about: 'Posted invoices and credit notes to customers. Amounts of credit notes are negative.',
    columns: {
      account: customer,
      name: 'Name of the customer on the invoice.',
      order_number: 'Number of the order that was invoiced; the order may be gone.',
    },
    references: { ...ofCustomer, order_number: '' },
  },
  debtor_invoice_lines: {
    about: 'Lines of posted invoices to customers.',
    columns: { account: customer },
    references: { ...ofCustomer, invoice_number: 'debtor_invoice.invoice_number' },
  },
  creditor_invoice: {
    about: 'Posted invoices and credit notes from vendors.',
    columns: {
      account: vendor,
      name: 'Name of the vendor on the invoice.',
      invoice_number: 'Number that the vendor has given the invoice, as text; not unique.',
    },
    references: ofVendor,
  },
  creditor_invoice_lines: { about: 'Lines of posted invoices from vendors.', references: ofVendor },
  creditor_order: { about: 'Orders to vendors that are not completely invoiced.', references: ofVendor },
  creditor_order_line: {
    about: 'Lines of orders to vendors.',
    references: { order_number: 'creditor_order.order_number' },
  },
  inv_item: {
    about: 'Items: goods and services that are sold or bought.',
    columns: {
      item: 'Number of the item, as text; unique in the company.',
      group: 'Group of the item.',
      sales_price1: 'First sales price of one unit, without VAT, in the currency of the company.',
      cost_price: 'Cost of one unit in the currency of the company.',
      ean: 'Barcode (EAN), as text.',
      weight: 'Weight of one unit, in the unit that the company uses.',
      unit: 'Unit in which the item is counted.',
      blocked: 'True if the item can no longer be used.',
    },
    references: { group: 'inv_group.group' },
  },
  inv_warehouse: { about: 'Warehouses.', columns: { warehouse: 'Code of the warehouse; unique in the company.' } },
  inv_item_storage: {
    about: 'Stock now: one row for each item, variant, warehouse and location.',
    columns: { qty: 'Units that are on hand.', qty_reserved: 'Units on hand that are reserved for orders.' },
  },
  inv_trans: {
    about: 'Movements of stock, with quantity and cost.',
    columns: {
      qty: 'Units that moved: positive into stock, negative out of it.',
      cost_value: 'Cost of the movement in the currency of the company, with the sign of the quantity.',
      movement_type: 'What caused the movement: a customer, a vendor or an adjustment.',
    },
  },
  inv_bom: { about: 'Bills of materials: the parts of an item.', references: { item_master: 'inv_item.item' } },
  inv_serie_batch: { about: 'Serial numbers and batches of items.' },
  project: { about: 'Projects.' },
  project_trans: { about: 'Postings on projects: time, material and invoices.' },
  employee: {
    about: 'Employees.',
    columns: {
      number: 'Number of the employee, as text; unique in the company.',
      hired: 'When the employee was hired, without a time zone.',
      email: 'Email address of the employee.',
    },
  },
  contact: { about: 'Contact persons of customers, vendors and prospects.' },
  crm_prospect: { about: 'Prospects: possible customers.' },
  production_order: { about: 'Production orders that are not yet reported as finished.' },
  production_order_line: {
    about: 'Parts of production orders.',
    references: { production_number: 'production_order.production_number' },
  },
  production_posted: { about: 'Production orders that were reported as finished.' },
  user_notes: {
    about: 'Notes that users have written on other records.',
    columns: {
      key_str: 'Identifies the record that the note is about.',
      created: 'When the note was written, in the time of the company, without a zone.',
    },
  },
}
