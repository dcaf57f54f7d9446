/**
 * A company of a fake source: documents with lines that report changes and deletions, entries whose deletions only a comparison of keys
 * finds, and two lists that are read whole, one of them without a key. It fails where a test wants it to.
 */
import { encodeRows } from '@tributary/engine/encoding/copy-text'
import type { Fault } from '@tributary/engine/ports/faults'
import type { Checkpoint, RowBatch, Table } from '@tributary/engine/ports/model'
import type { OpenSource, Stream } from '@tributary/engine/ports/source'
import { batch, column, type RowFields, stream, table } from '../sync/fixtures.ts'

interface FakeDocument {
  readonly id: string
  total: string
  lines: number
  version: number
  isDeleted: boolean
}

export interface FakeCompany {
  readonly id: string
  readonly documents: Map<string, FakeDocument>
  readonly entries: Map<string, { text: string; version: number }>
  readonly list: Map<string, string>
  readonly log: string[]
  version: number
  /** Called before every batch; throws to make the company fail there. */
  before: (stream: string) => void
  /** Names and checkpoints of all reads. */
  readonly reads: string[]
}

export function newCompany(id: string): FakeCompany {
  return {
    id,
    documents: new Map(),
    entries: new Map(),
    list: new Map(),
    log: [],
    version: 0,
    before: () => {},
    reads: [],
  }
}

const text = { kind: 'text', maxLength: 40 } as const
const document = table('document', [
  column('id', text, false),
  column('total', { kind: 'decimal', precision: 19, scale: 2 }),
])
const line = {
  ...table(
    'document_line',
    [column('document_id', text, false), column('line', { kind: 'integer', bytes: 4 }, false), column('total', text)],
    ['document_id', 'line'],
  ),
  parentKey: ['document_id'],
}
const entry = table('entry', [column('id', text, false), column('body', text)])
const item = table('item', [column('code', text, false), column('title', text)])
const log = table('log', [column('words', text)], [])

const streams: readonly Stream[] = [
  stream(document, { children: [line], hasDistinctKeys: false, keyComparison: 'never' }),
  stream(entry, { hasDistinctKeys: false }),
  stream(item, { reads: 'whole', keyComparison: 'never' }),
  stream(log, { reads: 'whole' }),
]

/** The rows that a target must have of a company, by table. */
export function rowsOf(company: FakeCompany): ReadonlyMap<string, readonly RowFields[]> {
  const documents = [...company.documents.values()].filter(({ isDeleted }) => !isDeleted)
  return new Map<string, readonly RowFields[]>([
    ['document', documents.map(({ id, total }) => [id, total])],
    ['document_line', documents.flatMap(linesOf)],
    ['entry', [...company.entries].map(([id, { text: body }]) => [id, body])],
    ['item', [...company.list].map(([code, title]) => [code, title])],
    ['log', company.log.map((words) => [words])],
  ])
}

function linesOf({ id, total, lines }: FakeDocument): RowFields[] {
  return Array.from({ length: lines }, (_, at) => [id, String(at + 1), `${total} of ${at + 1}`])
}

/** @throws Fault if `refusal` is set */
export async function openCompany(company: FakeCompany, refusal: Fault | null = null): Promise<OpenSource> {
  if (refusal !== null) throw refusal
  return {
    check: async () => [],
    streams: async () => (company.before(''), streams),
    async *read({ name }, { since, replaces }) {
      company.reads.push(`${name}${since === null ? '' : ` from ${JSON.stringify(since)}`}${replaces ? ' whole' : ''}`)
      for (const each of batchesOf(company, name, since)) {
        company.before(name)
        yield each
      }
      company.before(name)
    },
    async *keys({ name }) {
      company.before(`keys of ${name}`)
      yield batch(keysOf(name), name === 'entry' ? [...company.entries.keys()].map((id) => [id]) : [])
    },
    async *readByKey({ name }, keys) {
      company.before(`keys of ${name}`)
      const wanted = Buffer.from(keys).toString('utf8')
      const rows = [...company.entries].filter(([id]) => wanted.includes(`${id}\n`))
      yield batch(
        entry,
        rows.map(([id, { text: body }]) => [id, body]),
      )
    },
    async [Symbol.asyncDispose]() {},
  }
}

function keysOf(name: string): Table {
  const main = streams.find((each) => each.name === name)?.table ?? entry
  return { ...main, columns: main.columns.slice(0, 1) }
}

/** In pages of two, each in two batches that are cut within a row, the second with the checkpoint. */
function* batchesOf(company: FakeCompany, name: string, since: Checkpoint | null): Generator<RowBatch> {
  const from = typeof since?.['version'] === 'number' ? since['version'] : 0
  if (name === 'document') return yield* documentPages(company, from, since !== null)
  if (name === 'entry') {
    const changed = [...company.entries]
      .filter(([, { version }]) => version > from)
      .toSorted(([, a], [, b]) => a.version - b.version)
    for (const [id, { text: body, version }] of changed) yield batch(entry, [[id, body]], { version })
    return yield batch(entry, [], { version: company.version })
  }
  if (name === 'item') yield batch(item, [...company.list])
  else
    yield batch(
      log,
      company.log.map((words) => [words]),
    )
}

function* documentPages(company: FakeCompany, from: number, deletes: boolean): Generator<RowBatch> {
  const changed = [...company.documents.values()]
    .filter(({ version }) => version > from)
    .toSorted((a, b) => a.version - b.version)
  for (let at = 0; at < changed.length; at += 2) {
    const page = changed.slice(at, at + 2)
    const there = page.filter(({ isDeleted }) => !isDeleted)
    const gone = page.filter(({ isDeleted }) => isDeleted)
    const bytes = encodeRows(there.map(({ id, total }) => [id, total]))
    const half = Math.floor(bytes.length / 2)
    yield { table: 'document', bytes: bytes.subarray(0, half), rows: 0 }
    yield { table: 'document', bytes: bytes.subarray(half), rows: there.length }
    if (deletes && gone.length > 0)
      yield {
        ...batch(
          document,
          gone.map(({ id }) => [id]),
        ),
        deletes: true,
      }
    const lines = there.flatMap(linesOf)
    yield { ...batch(line, lines), checkpoint: { version: page.at(-1)?.version ?? from } }
  }
  yield batch(document, [], { version: company.version })
}

export type Chance = (below: number) => number

/** Changes a few things of a company. */
export function trade(company: FakeCompany, chance: Chance): void {
  for (let left = chance(6); left > 0; left--) {
    const id = String(chance(12))
    company.version += 1
    const { version } = company
    const known = company.documents.get(id)
    const total = `${chance(1_000)}.50`
    if (known === undefined) company.documents.set(id, { id, total, lines: chance(4), version, isDeleted: false })
    else Object.assign(known, { total, lines: chance(4), version, isDeleted: chance(3) === 0 })
    if (chance(3) === 0) company.entries.delete(id)
    else company.entries.set(id, { text: `entry\t${version}\n`, version })
    if (chance(3) === 0) company.list.delete(id)
    else company.list.set(id, `title ${version}`)
    if (chance(2) === 0) company.log.push(`\\N ${version}`)
    else company.log.shift()
  }
}
