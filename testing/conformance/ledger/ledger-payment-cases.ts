/** How payments, bank transactions, transfers and allocated credits post. */
import type { LedgerCase } from './ledger-bench.ts'
import {
  allocation,
  bankTransaction,
  creditNote,
  documentId,
  invoice,
  payment,
  priced,
  transfer,
} from './ledger-documents.ts'

const ofInvoice = (number: number) => ({ Invoice: { InvoiceID: documentId(number) } })
const ofCredit = (number: number) => ({ CreditNote: { CreditNoteID: documentId(number) } })

export const paymentCases: readonly LedgerCase[] = [
  {
    title:
      'a payment clears debtors or creditors at the rate of the invoice; the difference is a currency gain or loss',
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
    title: 'a refund of a credit, an overpayment or a prepayment reverses it at its rate',
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
    title: 'an overpayment or prepayment credits the contact, including tax; the legs of a transfer post nothing',
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
    title: 'a credit that is allocated to an invoice posts only the difference of the two rates',
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
