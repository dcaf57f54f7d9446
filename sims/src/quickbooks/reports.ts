/** Reports of the simulated QuickBooks Online: the general ledger by account, and the journal by document. */
import { type Members, type QuickBooksCompany, stampOf } from './company.ts'
import { type PostedDocument, type Posting, postedDocuments } from './ledger.ts'
import { faultReply, type QuickBooksReply } from './replies.ts'

interface Cell {
  readonly value: string
  readonly id?: string
}

/** The columns that a report can have, in its order. */
const columnsOf: Readonly<Record<string, readonly string[] | undefined>> = {
  GeneralLedger: ['tx_date', 'txn_type', 'doc_num', 'name', 'memo', 'account_name', 'debt_amt', 'credit_amt'],
  JournalReport: ['tx_date', 'txn_type', 'doc_num', 'name', 'memo', 'account_name', 'debt_amt', 'credit_amt'],
}
export const reportParameters = ['start_date', 'end_date', 'columns', 'accounting_method'] as const
const day = /^\d{4}-\d\d-\d\d$/u

export function reportReply(company: QuickBooksCompany, name: string, parameters: URLSearchParams): QuickBooksReply {
  const known = columnsOf[name]
  if (known === undefined) return faultReply(400, '5020', `There is no report ${name}.`)
  const [from, to] = [parameters.get('start_date') ?? '', parameters.get('end_date') ?? '']
  if (!day.test(from) || !day.test(to) || from > to) return faultReply(400, '2010', 'The dates are wrong.')
  const asked = (parameters.get('columns') ?? '').split(',')
  const columns = known.filter((column) => asked.includes(column))
  if (columns.length !== asked.length) return faultReply(400, '2010', `Unknown columns in ${asked.join()}`)
  const documents = postedDocuments(company, from, to)
  const rows =
    name === 'GeneralLedger' ? ledgerRows(company, documents, columns) : journalRows(company, documents, columns)
  const options = [{ Name: 'NoReportData', Value: String(rows.length === 0) }]
  return {
    status: 200,
    body: {
      Header: {
        Time: stampOf(company.clock.now()),
        ReportName: name,
        ReportBasis: 'Accrual',
        StartPeriod: from,
        EndPeriod: to,
        Currency: 'USD',
        Option: options,
      },
      Columns: { Column: columns.map((column) => ({ ColTitle: column.replaceAll('_', ' '), ColType: column })) },
      // Without rows, QuickBooks leaves the list out.
      Rows: rows.length === 0 ? {} : { Row: rows },
    },
  }
}

/** A section for each account: what was carried forward, the postings, and their sum. */
function ledgerRows(
  company: QuickBooksCompany,
  documents: readonly PostedDocument[],
  columns: readonly string[],
): readonly Members[] {
  return company.all('Account').flatMap((account) => {
    const lines = documents.flatMap((document) =>
      document.postings.filter(({ accountId }) => accountId === account.Id).map((posting) => ({ document, posting })),
    )
    if (lines.length === 0) return []
    const name = String(account['Name'])
    const carried = columns.map((_, at) => ({ value: at === 0 ? 'Beginning Balance' : '' }))
    const rows = lines.map((line) => dataRow(company, columns, { ...line, isBelow: false }))
    const total = lines.reduce((sum, { posting }) => sum + posting.cents, 0)
    return [
      {
        Header: { ColData: [{ value: name, id: account.Id }, ...columns.slice(1).map(() => ({ value: '' }))] },
        Rows: { Row: [{ ColData: carried, type: 'Data' }, ...rows] },
        Summary: { ColData: columns.map((_, at) => ({ value: at === 0 ? `Total for ${name}` : amountText(total) })) },
        type: 'Section',
      },
    ]
  })
}

/** Only the first row of a document has its date, kind and number; its last one has its sums. */
function journalRows(
  company: QuickBooksCompany,
  documents: readonly PostedDocument[],
  columns: readonly string[],
): readonly Members[] {
  return documents.flatMap((document) => {
    const debits = document.postings.reduce((sum, { cents }) => sum + Math.max(cents, 0), 0)
    const sums = columns.map((column) => ({ value: column.endsWith('_amt') ? amountText(debits) : '' }))
    const rows = document.postings.map((posting, at) =>
      dataRow(company, columns, { document, posting, isBelow: at > 0 }),
    )
    return [...rows, { Summary: { ColData: sums }, type: 'Section' }]
  })
}

interface ReportLine {
  readonly document: PostedDocument
  readonly posting: Posting
  /** The document is named in a row above. */
  readonly isBelow: boolean
}

function dataRow(
  company: QuickBooksCompany,
  columns: readonly string[],
  { document: { kind, document, date }, posting: { accountId, cents, memo }, isBelow }: ReportLine,
): Members {
  const account = company.find('Account', accountId)
  const cells: Readonly<Record<string, Cell>> = {
    tx_date: { value: isBelow ? '0-00-00' : date },
    txn_type: isBelow ? { value: '' } : { value: kindTitles[kind] ?? kind, id: document.Id },
    doc_num: { value: isBelow ? '' : String(document['DocNumber'] ?? '') },
    name: { value: '' },
    memo: { value: memo },
    account_name: { value: String(account?.['FullyQualifiedName']), id: accountId },
    debt_amt: { value: cents > 0 ? amountText(cents) : '' },
    credit_amt: { value: cents < 0 ? amountText(-cents) : '' },
  }
  return { ColData: columns.map((column) => cells[column]), type: 'Data' }
}

/** What reports call kinds of documents. */
const kindTitles: Readonly<Record<string, string | undefined>> = {
  CreditMemo: 'Credit Memo',
  SalesReceipt: 'Sales Receipt',
  RefundReceipt: 'Refund',
  VendorCredit: 'Vendor Credit',
  BillPayment: 'Bill Payment (Check)',
  Purchase: 'Credit Card Expense',
  JournalEntry: 'Journal Entry',
}

function amountText(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}
