/** A connector from the hostile OData service, by a description, to a target. */
import { parseDescription } from '@tributary/engine/apis/described/description/parse'
import { describedSource } from '@tributary/engine/apis/described/source'
import type { OpenSource } from '@tributary/engine/ports/source'
import type { HostileDocument } from '@tributary/sims/hostile/documents'
import { type HostileOData, type HostileODataOptions, startHostileOData } from '@tributary/sims/hostile/odata/server'
import { type ApiConnector, connectApi } from '../apis/api-connector.ts'
import { type SharedClock, sharedClock } from '../apis/shared-clock.ts'
import { differencesOf } from '../databases/differences.ts'
import { openNetwork } from '../sync/source-context.ts'
import { plainNumber } from './hostile-connector.ts'
import { hostileHead } from './hostile-head.ts'

export interface DescribedOData extends Omit<HostileODataOptions, 'clock' | 'links'> {
  readonly paging: 'nextLink' | 'offset' | 'keyset'
  /** Absent: every run reads the whole set. */
  readonly changes?: 'cursor' | 'windows' | 'feed'
  readonly select?: boolean
  /** Rows of another set are read with the documents. */
  readonly expands?: boolean
  /** More parts of the description of the set, and more of the description. */
  readonly more?: { readonly set?: string; readonly source?: string }
}

const pagings: Readonly<Record<DescribedOData['paging'], string>> = {
  nextLink: '{ kind: nextLink }',
  offset: '{ kind: offset, rows: 30, count: true }',
  keyset: '{ kind: keyset, rows: 30 }',
}

const changesOf: Readonly<Record<NonNullable<DescribedOData['changes']>, string>> = {
  cursor: '{ kind: cursor, property: Modified }',
  windows: '{ kind: windows, property: Modified, againDays: 7 }',
  feed: '{ kind: feed }',
}

export function odataDescription({
  paging,
  changes,
  keepsDeleted = false,
  companies,
  select = false,
  expands = false,
  more = {},
}: Omit<DescribedOData, 'seed' | 'documents' | 'pageSize'>): string {
  const parts = [
    ...(changes === undefined ? [] : [`changes: ${changesOf[changes]}`]),
    ...(keepsDeleted ? ['deletes: { kind: status, property: IsDeleted, equals: [true] }'] : []),
    ...(select ? ['select: true'] : []),
    ...(expands ? ['expand: [Parts]'] : []),
    'table: document',
    ...(more.set === undefined ? [] : [more.set]),
  ]
  return `${hostileHead({ engine: 'odata', title: 'Hostile service', path: 'odata' })}paging: ${pagings[paging]}
${companies === undefined ? '' : `companies: { set: Companies, id: Id, name: Name, path: 'companies({company})', type: bigint }\n`}${more.source ?? ''}sets:
  Documents: { ${parts.join(', ')} }
`
}

export interface ODataConnector extends ApiConnector {
  readonly api: HostileOData
  readonly clock: SharedClock
  open(): Promise<OpenSource>
  /** Differences between target and service; empty if every row is equal. */
  differences(): Promise<readonly string[]>
  /**
   * Documents that were the same before and after a run, and that the target lacks or has otherwise: a run that completed may have missed
   * none of them.
   */
  missedBy(run: () => Promise<unknown>): Promise<readonly string[]>
}

/** @param yaml the description; absent: one that the options choose */
export async function connectHostileOData(
  options: DescribedOData,
  yaml = odataDescription(options),
): Promise<ODataConnector> {
  const clock = sharedClock()
  const api = await startHostileOData({ ...options, clock, links: options.paging === 'nextLink' ? 'byKey' : 'none' })
  const { description, problems } = parseDescription(yaml)
  if (description === null) throw new Error(JSON.stringify(problems))
  const source = describedSource(description)
  const open = (signal: AbortSignal): Promise<OpenSource> =>
    source.open(source.parse({ [`${source.type}.token`]: api.token, [`${source.type}.address`]: api.url }), {
      network: openNetwork,
      clock,
      signal,
    })
  const there = { clock, open, [Symbol.asyncDispose]: () => api[Symbol.asyncDispose]() }
  const connector = await connectApi(there, 'postgres')
  const hasCompanies = options.companies !== undefined
  return {
    ...connector,
    api,
    clock,
    open: () => open(new AbortController().signal),
    differences: () => differencesOf(connector.target, expectedRows(api, options)),
    async missedBy(run) {
      const before = statesOf(api)
      await run()
      const after = statesOf(api)
      const same = new Set([...before].filter((state) => after.has(state)))
      const { columns, rows } = await connector.target.read('document')
      const at = (name: string): number => columns.indexOf(name)
      for (const row of rows) {
        const company = hasCompanies ? Number(row[at('company_id')]) : 0
        same.delete(
          stateOf(company, Number(row[at('id')]), String(row[at('name')]), Date.parse(String(row[at('modified')]))),
        )
      }
      return [...same]
    },
  }
}

function present(documents: ReadonlyMap<number, HostileDocument>): readonly HostileDocument[] {
  return [...documents.values()].filter(({ isDeleted }) => !isDeleted)
}

function statesOf({ companies }: HostileOData): ReadonlySet<string> {
  return new Set(
    [...companies].flatMap(([company, documents]) =>
      present(documents).map(({ id, name, changedAt }) => stateOf(company, id, name, changedAt)),
    ),
  )
}

function stateOf(company: number, id: number, name: string, changedAt: number): string {
  return JSON.stringify([company, id, name, changedAt])
}

type ExpectedRow = Readonly<Record<string, unknown>>

function expectedRows(
  { companies }: HostileOData,
  { companies: ids, expands = false }: DescribedOData,
): ReadonlyMap<string, readonly ExpectedRow[]> {
  const hasCompanies = ids !== undefined
  const all = [...companies].flatMap(([company, documents]) =>
    present(documents).map((document) => ({ document, of: hasCompanies ? { company_id: company } : {} })),
  )
  const documentRows = all.map(({ of, document: { id, name, amount, changedAt, isDeleted } }) => ({
    ...of,
    id,
    name,
    amount: plainNumber(amount),
    modified: new Date(changedAt).toISOString(),
    is_deleted: isDeleted,
  }))
  const lineRows = all.flatMap(({ of, document: { id, lines } }) =>
    lines.map(({ sku, quantity }, index) => ({
      ...of,
      id,
      ordinal: index + 1,
      sku,
      quantity: plainNumber(quantity),
    })),
  )
  const partRows = all.flatMap(({ of, document: { id, lines } }) =>
    lines.map(({ sku }, index) => ({ ...of, id, number: index + 1, sku })),
  )
  return new Map<string, readonly ExpectedRow[]>([
    ['document', documentRows],
    ['document_lines', lineRows],
    ...(expands ? [['document_parts', partRows] as const] : []),
  ])
}
