/** What the simulated QuickBooks Online replies: results of queries, changes, and faults. */
import { entities, type QuickBooksCompany, stampOf } from './company.ts'
import { QueryRefused, rowsMax, runQuery } from './query.ts'

export interface QuickBooksReply {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export function faultReply(status: number, code: string, message: string, type = 'ValidationFault'): QuickBooksReply {
  return { status, body: { Fault: { Error: [{ Message: message, Detail: message, code }], type }, time: '' } }
}

export function queryReply(company: QuickBooksCompany, parameters: URLSearchParams): QuickBooksReply {
  const text = parameters.get('query') ?? ''
  const time = stampOf(company.clock.now())
  if (/^select \* from CompanyInfo$/u.test(text))
    return { status: 200, body: { QueryResponse: { CompanyInfo: [companyInfo(company)], maxResults: 1 }, time } }
  try {
    const { entity, records, start } = runQuery(company, text)
    // Without records, QuickBooks leaves the list out.
    const found = records.length === 0 ? {} : { [entity]: records, startPosition: start, maxResults: records.length }
    return { status: 200, body: { QueryResponse: found, time } }
  } catch (error) {
    if (error instanceof QueryRefused) return faultReply(400, '4000', error.message)
    throw error
  }
}

/** Entities whose changes QuickBooks does not capture. */
const withoutChanges: readonly string[] = ['TaxCode', 'TaxRate']
const changesMs = 30 * 86_400_000

/** Changed records in the order of their changes, then the deleted ones: at most 1,000 in all. */
export function changesReply(company: QuickBooksCompany, parameters: URLSearchParams): QuickBooksReply {
  const since = Date.parse(parameters.get('changedSince') ?? '')
  if (Number.isNaN(since)) return faultReply(400, '2010', 'changedSince is not a moment')
  if (since < company.clock.now() - changesMs) return faultReply(400, '4001', 'changedSince is older than 30 days')
  let left = rowsMax
  const lists: unknown[] = []
  for (const name of (parameters.get('entities') ?? '').split(',')) {
    const entity = entities.find((known) => known === name && !withoutChanges.includes(known))
    if (entity === undefined) return faultReply(400, '2010', `changes of ${name} are not captured`)
    const changed = company
      .all(entity)
      .filter(({ MetaData }) => Date.parse(MetaData.LastUpdatedTime) >= Math.floor(since / 1_000) * 1_000)
      .toSorted((a, b) => Date.parse(a.MetaData.LastUpdatedTime) - Date.parse(b.MetaData.LastUpdatedTime))
    const gone = company.deleted
      .filter((record) => record.entity === entity && record.at >= since)
      .map(({ id, at }) => ({ domain: 'QBO', status: 'Deleted', Id: id, MetaData: { LastUpdatedTime: stampOf(at) } }))
    const records = [...changed, ...gone].slice(0, left)
    left -= records.length
    lists.push(records.length === 0 ? {} : { [entity]: records, startPosition: 1, maxResults: records.length })
  }
  return { status: 200, body: { CDCResponse: [{ QueryResponse: lists }], time: stampOf(company.clock.now()) } }
}

export function companyInfo({ name, country, clock }: QuickBooksCompany): Readonly<Record<string, unknown>> {
  const made = stampOf(Date.UTC(2024, 0, 15, 18))
  return {
    CompanyName: name,
    LegalName: `${name} Inc.`,
    Country: country,
    CompanyStartDate: '2024-01-15',
    FiscalYearStartMonth: 'January',
    SupportedLanguages: 'en',
    LegalAddr: { Id: '1', Line1: '2500 Garcia Ave', City: 'Mountain View', PostalCode: '94043', Country: country },
    Email: { Address: 'books@example.com' },
    PrimaryPhone: { FreeFormNumber: '(650) 555-0100' },
    NameValue: [{ Name: 'OfferingSku', Value: 'QuickBooks Online Plus' }],
    domain: 'QBO',
    sparse: false,
    Id: '1',
    SyncToken: String(new Date(clock.now()).getUTCFullYear() - 2_024),
    MetaData: { CreateTime: made, LastUpdatedTime: made },
  }
}
