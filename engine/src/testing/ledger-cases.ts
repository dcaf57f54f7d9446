/** How each kind of document posts, entry by entry, worked out by hand. A foreign amount is divided by its rate. */
import type { Documents } from './ledger-bench.ts'
import {
  allocation,
  bankTransaction,
  creditNote,
  documentId,
  invoice,
  lineItem,
  manualJournal,
  payment,
  priced,
  transfer,
} from './ledger-documents.ts'

interface Case {
  readonly title: string
  readonly documents: Documents
  /** By the number of the document: account and amount, debit positive. */
  readonly entries: { readonly [number: number]: { readonly [account: string]: string } }
}

const ofInvoice = (number: number) => ({ Invoice: { InvoiceID: documentId(number) } })
const ofCredit = (number: number) => ({ CreditNote: { CreditNoteID: documentId(number) } })

const sales: readonly Case[] = [
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
      'each line of a foreign invoice is rounded by itself, half a cent away from zero, and what is left goes to rounding',
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
    title: 'a customer’s credit note is the reverse of an invoice, a supplier’s that of a bill',
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
    title: 'a line that names its account by code alone finds it',
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

const money: readonly Case[] = [
  {
    title: 'a payment clears debtors or creditors at the rate of the invoice; the difference has been gained or lost',
    documents: {
      Invoices: [
        invoice({ number: 100, type: 'ACCREC', rate: 0.8, lines: [{ code: '200', cents: 100_00 }] }),
        invoice({ number: 101, type: 'ACCPAY', rate: 0.8, lines: [{ code: '310', cents: 100_00 }] }),
      ],
      Payments: [
        payment({ number: 102, type: 'ACCRECPAYMENT', cents: 100_00, rate: 0.5, of: ofInvoice(100) }),
        payment({ number: 103, type: 'ACCPAYPAYMENT', cents: 100_00, rate: 0.5, of: ofInvoice(101) }),
        payment({ number: 104, type: 'ACCRECPAYMENT', cents: 100_00, status: 'DELETED', of: ofInvoice(100) }),
      ],
    },
    entries: {
      102: { '090': '200.00', '610': '-125.00', '499': '-75.00' },
      103: { '090': '-200.00', '800': '125.00', '499': '75.00' },
      104: {},
    },
  },
  {
    title: 'a refund of a credit, an overpayment or a prepayment goes the other way, at the rate of that',
    documents: {
      CreditNotes: [
        creditNote({ number: 110, type: 'ACCRECCREDIT', rate: 0.8, lines: [{ code: '200', cents: 10_00 }] }),
      ],
      Overpayments: [
        { ...priced({ number: 111, type: 'SPEND-OVERPAYMENT', rate: 0.8, lines: [] }), OverpaymentID: documentId(111) },
      ],
      Prepayments: [
        { ...priced({ number: 112, type: 'RECEIVE-PREPAYMENT', lines: [] }), PrepaymentID: documentId(112) },
      ],
      Payments: [
        payment({ number: 113, type: 'ARCREDITPAYMENT', cents: 10_00, rate: 0.5, of: ofCredit(110) }),
        payment({
          number: 114,
          type: 'APOVERPAYMENTPAYMENT',
          cents: 4_00,
          rate: 0.5,
          of: { Overpayment: { OverpaymentID: documentId(111) } },
        }),
        payment({
          number: 115,
          type: 'ARPREPAYMENTPAYMENT',
          cents: 7_00,
          of: { Prepayment: { PrepaymentID: documentId(112) } },
        }),
      ],
    },
    entries: {
      111: {},
      112: {},
      113: { '090': '-20.00', '610': '12.50', '499': '7.50' },
      114: { '090': '8.00', '800': '-5.00', '499': '-3.00' },
      115: { '090': '-7.00', '610': '7.00' },
    },
  },
  {
    title: 'money received and spent posts its lines and tax against the bank account',
    documents: {
      BankTransactions: [
        bankTransaction({
          number: 120,
          type: 'RECEIVE',
          inclusive: true,
          lines: [{ code: '200', cents: 1_15, tax: 15 }],
        }),
        bankTransaction({
          number: 121,
          type: 'SPEND',
          bank: '092',
          rate: 0.5,
          lines: [{ code: '429', cents: 2_00, tax: 30 }],
        }),
        bankTransaction({ number: 122, type: 'SPEND', status: 'DELETED', lines: [{ code: '429', cents: 2_00 }] }),
      ],
    },
    entries: {
      120: { '090': '1.15', '200': '-1.00', '820': '-0.15' },
      121: { '092': '-4.60', '429': '4.00', '820': '0.60' },
      122: {},
    },
  },
  {
    title: 'what came too much or too early is the contact’s credit, tax and all; the legs of a transfer post nothing',
    documents: {
      BankTransactions: [
        bankTransaction({ number: 130, type: 'RECEIVE-OVERPAYMENT', lines: [{ code: '610', cents: 9_00 }] }),
        bankTransaction({ number: 131, type: 'SPEND-OVERPAYMENT', lines: [{ code: '800', cents: 8_00 }] }),
        bankTransaction({ number: 132, type: 'RECEIVE-PREPAYMENT', lines: [{ code: '200', cents: 10_00, tax: 1_50 }] }),
        bankTransaction({
          number: 133,
          type: 'SPEND-PREPAYMENT',
          rate: 0.5,
          lines: [{ code: '310', cents: 10_00, tax: 1_50 }],
        }),
        bankTransaction({ number: 134, type: 'RECEIVE-TRANSFER', lines: [{ code: '091', cents: 5_00 }] }),
        bankTransaction({ number: 135, type: 'SPEND-TRANSFER', lines: [{ code: '091', cents: 5_00 }] }),
      ],
    },
    entries: {
      130: { '090': '9.00', '610': '-9.00' },
      131: { '090': '-8.00', '800': '8.00' },
      132: { '090': '11.50', '610': '-11.50' },
      133: { '090': '-23.00', '800': '23.00' },
      134: {},
      135: {},
    },
  },
  {
    title: 'a credit that is set off against an invoice posts only what the two rates differ by',
    documents: {
      Invoices: [
        invoice({ number: 140, type: 'ACCREC', rate: 0.8, lines: [{ code: '200', cents: 10_00 }] }),
        invoice({ number: 141, type: 'ACCPAY', rate: 0.8, lines: [{ code: '310', cents: 10_00 }] }),
      ],
      Prepayments: [
        {
          ...priced({ number: 142, type: 'RECEIVE-PREPAYMENT', rate: 0.5, lines: [] }),
          PrepaymentID: documentId(142),
          Allocations: [allocation(140, 10_00), { ...allocation(140, 3_00), IsDeleted: true }],
        },
      ],
      Overpayments: [
        {
          ...priced({ number: 143, type: 'SPEND-OVERPAYMENT', rate: 0.5, lines: [] }),
          OverpaymentID: documentId(143),
          Allocations: [allocation(141, 10_00)],
        },
      ],
      CreditNotes: [creditNote({ number: 144, type: 'ACCRECCREDIT', rate: 0.8, lines: [] }, [allocation(140, 5_00)])],
    },
    entries: {
      142: { '499': '-7.50', '610': '7.50' },
      143: { '499': '7.50', '800': '-7.50' },
      144: {},
    },
  },
  {
    title: 'a transfer moves money from bank to bank',
    documents: {
      BankTransfers: [
        transfer(150, 50_00),
        transfer(151, 10_00, { CurrencyRate: 0.5 }),
        transfer(152, 50_00, { Status: 'DELETED' }),
      ],
    },
    entries: { 150: { '090': '-50.00', '091': '50.00' }, 151: { '090': '-20.00', '091': '20.00' }, 152: {} },
  },
]

const byHand: readonly Case[] = [
  {
    title: 'a manual journal posts its lines as they are signed, and their tax',
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
    title: 'an expense claim owes the lines of its receipts until it is paid',
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
    title: 'a document of another month is in that month',
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

export const cases: readonly Case[] = [...sales, ...money, ...byHand]
