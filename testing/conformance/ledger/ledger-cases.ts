/** How each kind of document posts, entry by entry, calculated by hand. A foreign amount is divided by its rate. */
import type { LedgerCase } from './ledger-bench.ts'
import { creditNote, documentId, invoice, lineItem, manualJournal, priced } from './ledger-documents.ts'
import { paymentCases } from './ledger-payment-cases.ts'

const sales: readonly LedgerCase[] = [
  {
    title: 'an invoice debits debtors and credits its lines and the tax',
    documents: {
      Invoices: [
        invoice({
          number: 1,
          type: 'ACCREC',
          lines: [
            { code: '200', cents: 20_000, tax: 3_000 },
            { code: '310', cents: -500 },
          ],
        }),
      ],
    },
    entries: { 1: { '610': '225.00', '200': '-200.00', '310': '5.00', '820': '-30.00' } },
  },
  {
    title: 'a bill credits creditors; tax that is included is taken out of the lines',
    documents: {
      Invoices: [
        invoice({ number: 2, type: 'ACCPAY', inclusive: true, lines: [{ code: '429', cents: 5_750, tax: 750 }] }),
      ],
    },
    entries: { 2: { '800': '-57.50', '429': '50.00', '820': '7.50' } },
  },
  {
    title: 'drafts, submitted, voided and deleted invoices post nothing; a paid one does',
    documents: {
      Invoices: ['DRAFT', 'SUBMITTED', 'VOIDED', 'DELETED', 'PAID'].map((status, at) =>
        invoice({ number: 10 + at, type: 'ACCREC', status, lines: [{ code: '200', cents: 1_00 }] }),
      ),
    },
    entries: { 10: {}, 11: {}, 12: {}, 13: {}, 14: { '610': '1.00', '200': '-1.00' } },
  },
  {
    title:
      'each line of a foreign invoice is rounded separately, half a cent away from zero, and the difference is posted to rounding',
    documents: {
      Invoices: [
        invoice({
          number: 20,
          type: 'ACCREC',
          rate: 0.8,
          lines: [
            { code: '200', cents: 10_02 },
            { code: '200', cents: 10_02 },
          ],
        }),
      ],
    },
    entries: { 20: { '610': '25.05', '200': '-25.06', '860': '0.01' } },
  },
  {
    title: 'a customer’s credit note reverses an invoice, a supplier’s credit note reverses a bill',
    documents: {
      CreditNotes: [
        creditNote({ number: 30, type: 'ACCRECCREDIT', lines: [{ code: '200', cents: 10_00, tax: 1_50 }] }),
        creditNote({
          number: 31,
          type: 'ACCPAYCREDIT',
          status: 'PAID',
          lines: [{ code: '310', cents: 8_00, tax: 1_20 }],
        }),
        creditNote({ number: 32, type: 'ACCPAYCREDIT', status: 'VOIDED', lines: [{ code: '310', cents: 8_00 }] }),
      ],
    },
    entries: {
      30: { '610': '-11.50', '200': '10.00', '820': '1.50' },
      31: { '800': '9.20', '310': '-8.00', '820': '-1.20' },
      32: {},
    },
  },
  {
    title: 'a line that names its account only by code is posted to it',
    documents: {
      Invoices: [
        {
          ...invoice({ number: 40, type: 'ACCREC', lines: [{ code: '200', cents: 3_00 }] }),
          LineItems: [{ LineAmount: '3.00', AccountCode: '200' }, { Description: 'words alone' }],
        },
      ],
    },
    entries: { 40: { '610': '3.00', '200': '-3.00' } },
  },
]

const byHand: readonly LedgerCase[] = [
  {
    title: 'a manual journal posts its lines with their signs, and their tax',
    documents: {
      ManualJournals: [
        manualJournal({
          number: 200,
          inclusive: true,
          lines: [
            { code: '429', cents: 11_50, tax: 1_50 },
            { code: '090', cents: -11_50 },
          ],
        }),
        manualJournal({ number: 201, status: 'DRAFT', lines: [{ code: '429', cents: 1_00 }] }),
      ],
    },
    entries: { 200: { '429': '10.00', '820': '1.50', '090': '-11.50' }, 201: {} },
  },
  {
    title: 'an expense claim posts the lines of its receipts as owed until it is paid',
    documents: {
      Receipts: [
        {
          ...priced({ number: 210, type: '', lines: [{ code: '429', cents: 20_00, tax: 3_00 }] }),
          ReceiptID: documentId(210),
        },
      ],
      ExpenseClaims: [
        {
          ExpenseClaimID: documentId(211),
          Status: 'PAID',
          ReportingDate: '2026-03-31',
          Receipts: [{ ReceiptID: documentId(210) }],
          Payments: [
            {
              PaymentID: documentId(212),
              Date: '2026-03-31',
              Amount: '5.00',
              Account: { AccountID: '00000000-0000-4000-8000-000000000090' },
            },
          ],
        },
      ],
    },
    entries: { 211: { '429': '20.00', '820': '3.00', '801': '-18.00', '090': '-5.00' } },
  },
  {
    title: 'a document of another month posts to that month',
    documents: {
      Invoices: [
        {
          ...invoice({ number: 220, type: 'ACCREC', date: '2026-02-28', lines: [] }),
          Total: '1.00',
          LineItems: [lineItem({ code: '200', cents: 1_00 })],
        },
      ],
    },
    entries: { 220: { '610': '1.00', '200': '-1.00' } },
  },
]

export const cases: readonly LedgerCase[] = [...sales, ...paymentCases, ...byHand]
