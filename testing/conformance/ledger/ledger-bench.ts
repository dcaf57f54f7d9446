/** Documents as Xero writes them, in the tables that Xero's source fills, in a target of one kind; and what its ledger makes of them. */
import { encodeDocuments } from '@tributary/engine/apis/http/documents'
import type { JsonObject } from '@tributary/engine/apis/http/exact-json'
import { xeroTieOut } from '@tributary/engine/apis/xero/ledger/tie-out'
import { xeroStreams } from '@tributary/engine/apis/xero/streams'
import type { Stream } from '@tributary/engine/ports/source'
import type { OpenTarget } from '@tributary/engine/ports/target'
import { mysqlTarget } from '@tributary/engine/databases/mysql/target'
import { postgresTarget } from '@tributary/engine/databases/postgres/target'
import { type Kind, makeEnd } from '../../engine/databases/database-ends.ts'
import { surroundings } from '../../engine/sync/source-context.ts'
import { newWriter } from '../target/target-bench.ts'

/** By stream. A document of the report is a month with its lines. */
export type Documents = { readonly [stream: string]: readonly JsonObject[] }

export interface LedgerCase {
  readonly title: string
  readonly documents: Documents
  /** By the number of the document: account and amount, debit positive. */
  readonly entries: { readonly [number: number]: { readonly [account: string]: string } }
}

export interface LedgerBench extends AsyncDisposable {
  readonly target: OpenTarget
  /** In place of all that was there. */
  load(documents: Documents): Promise<void>
}

const claims = ['ExpenseClaims', 'Receipts']

/** @param streams what is moved besides what every ledger needs. */
export async function openLedger(kind: Kind, streams: readonly string[] = claims): Promise<LedgerBench> {
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
    async [Symbol.asyncDispose]() {
      await target[Symbol.asyncDispose]()
      await end[Symbol.asyncDispose]()
    },
  }
}

function open(kind: Kind, properties: Readonly<Record<string, unknown>>): Promise<OpenTarget> {
  return kind === 'postgres'
    ? postgresTarget.open(postgresTarget.parse(properties), surroundings())
    : mysqlTarget.open(mysqlTarget.parse(properties), surroundings())
}

function asStream(name: string, { table, children }: (typeof xeroStreams)[number]['shape']): Stream {
  return { name, table, children: children.map((child) => child.table), reads: 'since', hasDistinctKeys: true }
}
