/** Loads Xero documents into the tables of Xero's source in a target, with the ledger views over them. */
import { encodeRows } from '@tributary/engine/encoding/copy-text'
import type { BudgetTable } from '@tributary/engine/ports/questions'
import { encodeDocuments } from '@tributary/engine/apis/http/documents'
import type { JsonObject } from '@tributary/engine/apis/http/exact-json'
import { xeroTieOut } from '@tributary/engine/apis/xero/ledger/tie-out'
import { xeroStreams } from '@tributary/engine/apis/xero/streams'
import type { Stream } from '@tributary/engine/ports/source'
import type { OpenTarget } from '@tributary/engine/ports/target'
import { mysqlTarget } from '@tributary/engine/databases/mysql/target'
import { postgresTarget } from '@tributary/engine/databases/postgres/target'
import { type EndKind, makeEnd } from '../../engine/databases/database-ends.ts'
import { connectionContext } from '../../engine/sync/source-context.ts'
import { newWriter } from '../target/target-bench.ts'

/** Documents by stream. A document of the report is a month with its lines. */
export type Documents = { readonly [stream: string]: readonly JsonObject[] }

export interface LedgerCase {
  readonly title: string
  readonly documents: Documents
  /** Entries by document number: account and amount, debit positive. */
  readonly entries: { readonly [number: number]: { readonly [account: string]: string } }
}

export interface LedgerBench extends AsyncDisposable {
  readonly target: OpenTarget
  /** Replaces all documents. */
  load(documents: Documents): Promise<void>
  /**
   * Replaces the table of a plan.
   * @param rows entity, area, subarea, milestone, month, amount, account
   */
  plan(name: string, rows: readonly (readonly string[])[], account: 'Account' | null): Promise<BudgetTable>
}

const planText = { kind: 'text', maxLength: 200 } as const
const planColumns = [
  ...['Entity', 'Area', 'Subarea', 'Milestone'].map((name) => ({ name, type: planText, nullable: true })),
  { name: 'Month', type: { kind: 'date' }, nullable: true },
  { name: 'Amount', type: { kind: 'decimal', precision: 30, scale: 10 }, nullable: true },
  { name: 'Account', type: { kind: 'text' }, nullable: true },
] as const

const claims = ['ExpenseClaims', 'Receipts']

/** @param streams streams in addition to those that every ledger requires */
export async function openLedger(kind: EndKind, streams: readonly string[] = claims): Promise<LedgerBench> {
  const end = await makeEnd(kind, 'target')
  const moved = xeroStreams.filter(({ name }) => [...xeroTieOut.requiredStreams, ...streams].includes(name))
  const target = await open(kind, end.properties)
  await target.begin(newWriter())
  for (const { name, shape } of moved) await target.prepare(asStream(name, shape))
  const ledger = xeroTieOut.ledger(new Set(moved.map(({ name }) => name)))
  for (const view of ledger.views) await target.defineView(view.name, (words) => view.select(words))
  return {
    target,
    async load(documents) {
      for (const { name, shape } of moved) {
        await using load = await target.load(asStream(name, shape), { kind: 'replace', resume: false })
        for (const batch of await encodeDocuments(shape, documents[name] ?? [])) await load.write(batch)
        await load.finish({ at: 'end' })
      }
    },
    async plan(name, rows, account) {
      const table = { name, columns: planColumns, key: [] }
      const stream: Stream = { name, table, children: [], reads: 'whole', hasDistinctKeys: true }
      await target.prepare(stream)
      await using load = await target.load(stream, { kind: 'replace', resume: false })
      await load.write({ table: name, bytes: encodeRows(rows), rows: rows.length })
      await load.finish({ at: 'end' })
      let quoted = ''
      await target.select((names) => ((quoted = names.table(name)), 'SELECT 1 AS one'))
      return { version: 'Budget 2026', table: quoted, amount: 'Amount', month: 'Month', account }
    },
    async [Symbol.asyncDispose]() {
      await target[Symbol.asyncDispose]()
      await end[Symbol.asyncDispose]()
    },
  }
}

function open(kind: EndKind, properties: Readonly<Record<string, unknown>>): Promise<OpenTarget> {
  return kind === 'postgres'
    ? postgresTarget.open(postgresTarget.parse(properties), connectionContext())
    : mysqlTarget.open(mysqlTarget.parse(properties), connectionContext())
}

function asStream(name: string, { table, children }: (typeof xeroStreams)[number]['shape']): Stream {
  return { name, table, children: children.map((child) => child.table), reads: 'since', hasDistinctKeys: true }
}
