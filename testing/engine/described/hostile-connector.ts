/** A connector from the hostile API, by a description, to a target. */
import { describedSource } from '@tributary/engine/apis/described/source'
import { parseDescription } from '@tributary/engine/apis/described/description/parse'
import {
  type HostileApi,
  type HostileOptions,
  type HostilePaging,
  startHostileApi,
} from '@tributary/sims/hostile/server'
import { type ApiConnector, connectApi } from '../apis/api-connector.ts'
import { type SharedClock, sharedClock } from '../apis/shared-clock.ts'
import type { EndKind } from '../databases/database-ends.ts'
import { differencesOf } from '../databases/differences.ts'
import { openNetwork } from '../sync/source-context.ts'
import { hostileHead } from './hostile-head.ts'

const pagings: Readonly<Record<HostilePaging, string>> = {
  none: '{ kind: none }',
  nextLink: '{ kind: nextLink, at: /next }',
  linkHeader: '{ kind: linkHeader }',
  pageNumber: '{ kind: pageNumber, parameter: page, size: { parameter: size, rows: 100 }, total: /total }',
  offset: '{ kind: offset, parameter: from, size: { parameter: size, rows: 100 }, total: /total }',
  cursor: '{ kind: cursor, parameter: after, at: /cursor, more: /more }',
  keyset: '{ kind: keyset, parameter: after, at: /id, more: /more, size: { parameter: size, rows: 100 } }',
}

export interface DescribedHostile extends Omit<HostileOptions, 'clock'> {
  /** Absent: every run reads the whole list. */
  readonly changes?: 'cursor' | 'ordered' | 'windows'
  /** Further lines of the description. */
  readonly more?: string
}

export function hostileDescription({
  paging,
  changes,
  keepsDeleted = false,
  hasDetails = false,
  more = '',
}: DescribedHostile): string {
  const moments = 'from: { parameter: changed_since }, to: { parameter: changed_before }'
  const order = changes === 'ordered' ? 'ascending' : 'none'
  const howToRead =
    changes === undefined
      ? ''
      : changes === 'windows'
        ? `    changes: { kind: windows, column: changed, ${moments}, start: 2026-03-01, days: 31, againDays: 7 }\n`
        : `    changes: { kind: cursor, column: changed, from: { parameter: changed_since }, order: ${order} }\n`
  const deletes = keepsDeleted ? '{ kind: status, at: /deleted, equals: [true] }' : '{ kind: keys }'
  const detail = hasDetails ? '    detail: { path: "documents/{id}", record: /document }\n' : ''
  return `${hostileHead({ engine: 'rest', title: 'Hostile API', path: 'v1' })}errors:
  - { status: [404], at: /error, equals: [gone], verdict: skipRecord }
check: { path: documents }
${more}streams:
  document:
    path: documents
    records: /data
    paging: ${pagings[paging]}
    key: [id]
${howToRead}${keepsDeleted || changes !== undefined ? `    deletes: ${deletes}\n` : ''}${detail}    columns:
      id: bigint
      name: text
      amount: decimal
      changed: instant(3)
      created: { type: instant(0), format: unixSeconds }
    children:
      document_line:
        records: /lines
        columns:
          sku: text(40)
          quantity: decimal
`
}

export interface HostileConnector extends ApiConnector {
  readonly api: HostileApi
  readonly clock: SharedClock
  /** Differences between target and API; empty if every row is equal. */
  differences(): Promise<readonly string[]>
  /**
   * Documents that were the same before and after a run, and that the target lacks or has otherwise: a run that completed may have missed
   * none of them.
   */
  missedBy(run: () => Promise<unknown>): Promise<readonly string[]>
}

export async function connectHostile(options: DescribedHostile, to: EndKind = 'postgres'): Promise<HostileConnector> {
  const clock = sharedClock()
  const api = await startHostileApi({ ...options, clock })
  const { description, problems } = parseDescription(hostileDescription(options))
  if (description === null) throw new Error(JSON.stringify(problems))
  const source = describedSource(description)
  const connector = await connectApi(
    {
      clock,
      open: (signal) =>
        source.open(source.parse({ 'hostile.token': api.token, 'hostile.address': api.url }), {
          network: openNetwork,
          clock,
          signal,
        }),
      [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
    },
    to,
  )
  return {
    ...connector,
    api,
    clock,
    differences: () => differencesOf(connector.target, expectedRows(api)),
    async missedBy(run) {
      const before = statesOf(api)
      await run()
      const after = statesOf(api)
      const same = new Set([...before].filter((state) => after.has(state)))
      const { columns, rows } = await connector.target.read('document')
      const at = (name: string): number => columns.indexOf(name)
      const [id, name, changed] = [at('id'), at('name'), at('changed')]
      for (const row of rows) same.delete(stateOf(String(row[id]), String(row[name]), Date.parse(String(row[changed]))))
      return [...same]
    },
  }
}

function statesOf({ documents }: HostileApi): ReadonlySet<string> {
  const present = [...documents.values()].filter(({ isDeleted }) => !isDeleted)
  return new Set(present.map(({ id, name, changedAt }) => stateOf(String(id), name, changedAt)))
}

function stateOf(id: string, name: string, changedAt: number): string {
  return JSON.stringify([id, name, changedAt])
}

function expectedRows({ documents }: HostileApi): ReadonlyMap<string, readonly Readonly<Record<string, unknown>>[]> {
  const present = [...documents.values()].filter(({ isDeleted }) => !isDeleted)
  return new Map<string, readonly Readonly<Record<string, unknown>>[]>([
    [
      'document',
      present.map(({ id, name, amount, changedAt, createdAt }) => ({
        id,
        name,
        amount: plainNumber(amount),
        changed: new Date(changedAt).toISOString(),
        created: new Date(createdAt).toISOString(),
      })),
    ],
    [
      'document_line',
      present.flatMap(({ id, lines }) =>
        lines.map(({ sku, quantity }, index) => ({
          document_id: id,
          ordinal: index + 1,
          sku,
          quantity: plainNumber(quantity),
        })),
      ),
    ],
  ])
}

/** `1.5e3` as `1500`. */
export function plainNumber(text: string): string {
  const [, sign = '', digit = '', exponent = ''] = /^(-?)(\d)\.5e(\d+)$/u.exec(text) ?? []
  return exponent === '' ? text : `${sign}${digit}5${'0'.repeat(Number(exponent) - 1)}`
}
