/** Descriptions of invoices, credit notes, payments, orders and expenses of Xero. */
import type { TableTexts } from '../../http/dictionary.ts'

type Tables = Readonly<Record<string, TableTexts>>

/** The lines of a document and their tracking. */
function linesOf(table: string, noun: string): Tables {
  return {
    [`${table}_line`]: { about: `Lines of ${noun}: what was sold or bought, at which price, on which account.` },
    ...trackingOf(table, noun),
  }
}

function trackingOf(table: string, noun: string): Tables {
  return {
    [`${table}_line_tracking`]: {
      about: `Tracking of the lines of ${noun}: one row for each category that a line carries.`,
      columns: { name: 'Name of the tracking category when the row was read.' },
    },
  }
}

const paymentColumns = {
  payment_id: 'The payment in the table of payments.',
  date: 'Day of the payment.',
  amount: 'Amount of the payment in the currency of the document that it pays.',
}
const paymentsOf = (table: string, noun: string): Tables => ({
  [`${table}_payment`]: {
    about: `Payments of ${noun}, as the document lists them. Sums over all documents belong in the table of payments.`,
    columns: paymentColumns,
  },
})
const allocationsOf = (table: string, noun: string): Tables => ({
  [`${table}_allocation`]: {
    about: `Invoices and bills that ${noun} was used to settle.`,
    columns: {
      amount: 'Part that was allocated to the invoice, in the currency of the document.',
      date: 'Day of the allocation.',
      invoice_id: 'Invoice or bill that was settled.',
    },
  },
})
const settlement = (noun: string, id: string): TableTexts => ({
  about: `Parts of ${noun} that settle an invoice or bill.`,
  columns: {
    [id]: `The document from which the amount comes (${noun}).`,
    applied_amount: 'Amount that settles the invoice, in the currency of the invoice.',
    date: `Date of the ${noun.replace(/^an? /, '')}.`,
    total: 'Full amount of that document, of which only a part may settle this invoice.',
  },
})

const paidAheadTables = (table: string, noun: string, more: TableTexts['columns']): Tables => ({
  [table]: {
    about: `Money that was received or paid before an invoice, or beyond it: ${noun}. Its remaining credit can be allocated or refunded.`,
    columns: {
      type: `RECEIVE-${table.toUpperCase()} from a customer, SPEND-${table.toUpperCase()} to a supplier.`,
      ...more,
    },
  },
  ...linesOf(table, noun),
  ...allocationsOf(table, noun),
  ...paymentsOf(table, noun),
})

export const documentTables: Tables = {
  invoice: {
    about: 'Sales invoices (ACCREC) and bills from suppliers (ACCPAY). Deleted and voided ones stay, with _deleted_at.',
    columns: {
      type: 'ACCREC for a sales invoice, ACCPAY for a bill.',
      invoice_number:
        'Number of the invoice. Unique for sales; bills have the number of the supplier, which can occur twice.',
      status:
        'DRAFT, SUBMITTED, AUTHORISED (posted), PAID, VOIDED or DELETED. Only AUTHORISED and PAID are in the books.',
      contact_id: 'Customer of a sales invoice, supplier of a bill.',
      expected_payment_date: 'Day on which the customer is expected to pay, as a user has noted; only sales.',
      planned_payment_date: 'Day on which the company plans to pay; only bills.',
      amount_credited:
        'Sum of the credit notes, prepayments and overpayments that settle it, in the currency of the document.',
      repeating_invoice_id: 'Template from which the invoice was created; empty if it was not repeated.',
    },
  },
  ...linesOf('invoice', 'an invoice or bill'),
  ...paymentsOf('invoice', 'an invoice or bill'),
  invoice_credit_note: settlement('a credit note', 'credit_note_id'),
  invoice_prepayment: settlement('a prepayment', 'prepayment_id'),
  invoice_overpayment: settlement('an overpayment', 'overpayment_id'),
  credit_note: {
    about: 'Credit notes to customers (ACCRECCREDIT) and from suppliers (ACCPAYCREDIT). Amounts are positive.',
    columns: {
      type: 'ACCRECCREDIT to a customer, ACCPAYCREDIT from a supplier.',
      status: 'DRAFT, SUBMITTED, AUTHORISED (posted), PAID (used up), VOIDED or DELETED.',
      contact_id: 'Customer or supplier of the credit note.',
    },
  },
  ...linesOf('credit_note', 'a credit note'),
  ...allocationsOf('credit_note', 'a credit note'),
  ...paymentsOf('credit_note', 'a credit note'),
  ...paidAheadTables('overpayment', 'an overpayment', {}),
  ...paidAheadTables('prepayment', 'a prepayment', {
    invoice_number: 'Number of the document with which the money was received or paid.',
  }),
  payment: {
    about: 'Payments of invoices and bills, and refunds of credits. One row for each payment of one document.',
    columns: {
      payment_type:
        'What is paid: ACCRECPAYMENT and ACCPAYPAYMENT for invoices and bills; the others are refunds of credit notes, prepayments and overpayments.',
      status: 'AUTHORISED, or DELETED if the payment was removed.',
      date: 'Day on which the money moved.',
      amount: 'Amount in the currency of the document that is paid.',
      bank_amount:
        'Amount in the currency of the bank account. It differs from the amount for payments in another currency.',
      currency_rate:
        'Rate of the day of the payment: units of the currency of the document for one unit of base currency. Its difference to the rate of the document is a realised gain or loss.',
      account_id: 'Bank account that the money went into or came from.',
      account_code: 'Code of that bank account; often empty.',
      invoice_id: 'Invoice or bill that is paid; empty for refunds.',
      invoice_number: 'Number of the invoice that is paid.',
      credit_note_id: 'Credit note that is refunded; else empty.',
      prepayment_id: 'Prepayment that is refunded; else empty.',
      overpayment_id: 'Overpayment that is refunded; else empty.',
      contact_id: 'Contact of the document that is paid.',
      code: 'Code for the bank statement (New Zealand).',
    },
  },
  batch_payment: {
    about: 'Several bills or invoices that were paid with one bank transaction.',
    columns: {
      type: 'PAYBATCH for bills, RECBATCH for sales invoices.',
      status: 'AUTHORISED, or DELETED if the batch was removed.',
      date: 'Day on which the money moved.',
      account_id: 'Bank account of the batch.',
      total_amount: 'Sum of the payments in the currency of the bank account.',
      code: 'Code for the bank statement (New Zealand).',
    },
  },
  batch_payment_payment: {
    about: 'The single payments of a batch, as the batch lists them.',
    columns: {
      payment_id: 'The payment in the table of payments.',
      invoice_id: 'Invoice or bill that is paid.',
      code: 'Code for the bank statement (New Zealand).',
    },
  },
  expense_claim: {
    about: 'Classic expense claims of employees. Xero has replaced them for most companies.',
    columns: {
      status: 'SUBMITTED, AUTHORISED, PAID, VOIDED or DELETED.',
      user_id: 'Person who claims the expenses.',
      reporting_date: 'Accounting date of the claim.',
      payment_due_date: 'Day by which the person should be paid.',
      total: 'Sum of the receipts with tax, in base currency.',
    },
  },
  expense_claim_receipt: {
    about: 'Receipts of an expense claim, as the claim lists them.',
    columns: {
      receipt_id: 'The receipt in the table of receipts.',
      receipt_number: 'Number of the receipt in Xero.',
      date: 'Date of the receipt.',
    },
  },
  expense_claim_payment: {
    about: 'Payments of an expense claim.',
    columns: {
      ...paymentColumns,
      account_id: 'Bank account that the money came from.',
      status: 'AUTHORISED, or DELETED if the payment was removed.',
    },
  },
  receipt: {
    about: 'Receipts of employees, to be claimed with a classic expense claim.',
    columns: {
      receipt_number: 'Number that Xero counts up within the company.',
      status: 'DRAFT, SUBMITTED, AUTHORISED, DECLINED or VOIDED.',
      user_id: 'Person who paid.',
      contact_id: 'Shop or supplier that was paid.',
    },
  },
  ...linesOf('receipt', 'a receipt'),
  purchase_order: {
    about: 'Orders to suppliers. They post nothing until a bill is entered.',
    columns: {
      purchase_order_number: 'Number of the order, unique in the company.',
      type: 'PURCHASEORDER; present for the sake of documents that share the layout.',
      status: 'DRAFT, SUBMITTED, AUTHORISED, BILLED or DELETED.',
      contact_id: 'Supplier that the goods are ordered from.',
      delivery_date: 'Day on which the company wants the goods.',
      expected_arrival_date: 'Day on which the supplier is expected to deliver.',
      delivery_address: 'Where to deliver, as one text with line breaks.',
      telephone: 'Telephone number for the delivery.',
      delivery_instructions: 'Notes for the person who delivers.',
    },
  },
  ...linesOf('purchase_order', 'a purchase order'),
  quote: {
    about: 'Offers to customers. They post nothing until an invoice is created.',
    columns: {
      quote_number: 'Number of the quote.',
      status: 'DRAFT, SENT, ACCEPTED, DECLINED, INVOICED or DELETED.',
      contact_id: 'Customer who gets the offer.',
      expiry_date: 'Last day on which the offer is valid; empty without a limit.',
      title: 'Title that is printed on the quote.',
      summary: 'Introduction that is printed above the lines.',
      terms: 'Terms that are printed below the lines.',
    },
  },
  ...linesOf('quote', 'a quote'),
  repeating_invoice: {
    about: 'Templates from which Xero creates invoices or bills on a schedule.',
    columns: {
      type: 'ACCREC for sales invoices, ACCPAY for bills.',
      status: 'DRAFT: creates drafts; AUTHORISED: creates approved documents; DELETED.',
      contact_id: 'Customer or supplier of the documents.',
      schedule_period: 'How many units lie between two documents, such as 2 for every second month.',
      schedule_unit: 'WEEKLY or MONTHLY.',
      schedule_due_date: 'Number that belongs to the kind of due date: days, or the day of the month.',
      schedule_due_date_type: 'How the due date follows, such as DAYSAFTERBILLDATE or OFFOLLOWINGMONTH.',
      schedule_start_date: 'Date of the first document.',
      schedule_next_scheduled_date: 'Date of the next document that Xero will create.',
      schedule_end_date: 'Date after which no document is created; empty without an end.',
      approved_for_sending: 'True if created invoices are mailed to the customer.',
      send_copy: 'True if the sender gets a copy of the mail.',
      mark_as_sent: 'True if created invoices are marked as sent.',
      include_pdf: 'True if the mail has the invoice as a PDF.',
    },
  },
  repeating_invoice_line: { about: 'Lines that each document of a repeating invoice gets.' },
  linked_transaction: {
    about: 'Billable expenses: a line of a bill that is charged to a customer, and the invoice that charged it.',
    columns: {
      type: 'BILLABLEEXPENSE; Xero has no other kind.',
      status: 'DRAFT, APPROVED, ONDRAFT, BILLED or VOIDED.',
      source_transaction_id: 'The bill, or the money spent, that caused the expense.',
      source_line_item_id: 'Id of the line of that document.',
      source_transaction_type_code: 'Kind of the source: ACCPAY for a bill, SPEND for money spent.',
      contact_id: 'Customer who is charged; empty until chosen.',
      target_transaction_id: 'Sales invoice that charged it; empty until billed.',
      target_line_item_id: 'Id of the line of that invoice; empty until billed.',
    },
    references: { target_transaction_id: 'invoice.invoice_id' },
  },
}
