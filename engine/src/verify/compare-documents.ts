/** Compares documents that a source has sent again with their copies, and the keys that it lists with those of the target. */
import { comparableText } from '../encoding/comparable-text.ts'
import type { VerifyRequest, DifferenceCause, RowDifference } from '../ports/verification.ts'
import { differencesMax } from '../ports/verification.ts'
import type { ComparedRow, VerifiedColumn } from '../ports/verified-table.ts'
import { readableText } from './compared-values.ts'
import {
  arrange,
  type CopiedRow,
  type FoundInSample,
  type SampledStream,
  decodeBatches,
  findUnlisted,
  idOf,
  idOfKey,
  readCopies,
  readRows,
  type SampledTable,
} from './sampled-documents.ts'

export interface ComparedDocuments {
  readonly found: readonly FoundInSample[]
  /** Documents that were compared, and their rows with those of their children. */
  readonly documents: number
  readonly rows: number
  /** Documents that were left out because they changed since the last run. */
  readonly newer: number
}

export async function compareDocuments(request: VerifyRequest, sampled: SampledStream): Promise<ComparedDocuments> {
  const comparison = new DocumentComparison(request, sampled)
  await comparison.compareRead()
  await comparison.compareListed()
  const { found, documents, rows, newer } = comparison
  return { found, documents, rows, newer }
}

interface RowPair {
  readonly sent: ComparedRow | undefined
  readonly copied: CopiedRow | undefined
}

type DifferingRow = Pick<RowDifference, 'kind' | 'columns'> & CopiedRow

class DocumentComparison implements ComparedDocuments {
  readonly found: FoundInSample[] = []
  rows = 0
  readonly #request: VerifyRequest
  readonly #sampled: SampledStream
  readonly #sent: ReadonlyMap<string, readonly ComparedRow[]>
  readonly #changed: ReadonlySet<string>
  /** Documents of which the target has a copy. */
  readonly #copied = new Set<string>()
  readonly #read = new Set<string>()
  readonly #newer = new Set<string>()

  constructor(request: VerifyRequest, sampled: SampledStream) {
    this.#request = request
    this.#sampled = sampled
    this.#sent = decodeBatches(sampled.sample.batches)
    this.#changed = new Set([...(sampled.sample.changed ?? [])].map((key) => idOfKey(sampled.table, key)))
  }

  get documents(): number {
    return this.#read.size - this.#newer.size
  }

  get newer(): number {
    return this.#newer.size
  }

  /** The documents that were read again, with all their rows. */
  async compareRead(): Promise<void> {
    const { table, tables } = this.#sampled
    const documents = this.#rowsOf(table)
    const keys = documents.map((values) => table.document.map((at) => values[at] ?? null))
    for (const each of tables) {
      const copies = each.described.key.length === 0 ? await readRows(each, null) : await readCopies(each, keys)
      const wanted = new Set(documents.map((values) => idOf(table, values, table.document)))
      const copied = groupRows(each, copies, ({ values }) => values)
      const sent = groupRows(each, this.#rowsOf(each), (values) => values)
      for (const id of new Set([...sent.keys(), ...copied.keys()]))
        if (each === table || wanted.has(id)) this.#compareDocument(each, id, sent.get(id), copied.get(id))
    }
  }

  #rowsOf(table: SampledTable): readonly ComparedRow[] {
    return (this.#sent.get(table.described.name) ?? []).map((row) => arrange(table, row))
  }

  #compareDocument(
    table: SampledTable,
    document: string,
    sent: readonly ComparedRow[] = [],
    copied: readonly CopiedRow[] = [],
  ): void {
    const isMain = table === this.#sampled.table
    if (isMain) {
      this.#read.add(document)
      if (copied.length > 0) this.#copied.add(document)
    }
    // The rows of a document that the target does not have are missing with it.
    if (!isMain && !this.#copied.has(document) && table.described.key.length > 0) return
    this.rows += copied.length
    const [from, to] = [numberRows(table, sent), numberCopies(table, copied)]
    for (const id of new Set([...from.keys(), ...to.keys()]))
      this.#compareRow(table, document, { sent: from.get(id), copied: to.get(id) })
  }

  #compareRow(table: SampledTable, document: string, { sent, copied }: RowPair): void {
    const found = this.#compareValues(table, { sent, copied })
    if (found === null) return
    if (this.#changed.has(document) && found.wasWritten !== true) this.#newer.add(document)
    else this.#add(table, found)
  }

  #compareValues(table: SampledTable, { sent, copied }: RowPair): DifferingRow | null {
    if (sent === undefined || copied === undefined) {
      const wasWritten = copied?.wasWritten ?? null
      const values = sent ?? copied?.values ?? []
      return { values, kind: sent === undefined ? 'additional' : 'missing', columns: [], wasWritten }
    }
    const columns = this.#differing(table, sent, copied.values)
    return columns.length === 0 ? null : { values: sent, kind: 'different', columns, wasWritten: copied.wasWritten }
  }

  #differing(table: SampledTable, sent: ComparedRow, copied: ComparedRow): RowDifference['columns'] {
    const { ignoredColumns = [] } = this.#sampled.sample
    return differingValues(table.copy.columns, sent, copied).filter(({ name }) => !ignoredColumns.includes(name))
  }

  /** Keys that only one side has, as far as the source lists them. */
  async compareListed(): Promise<void> {
    const { table, sample } = this.#sampled
    if (table.described.key.length === 0) return
    const listed = new Map(sample.listed.map((key) => [idOfKey(table, key), key]))
    const unread = [...listed.keys()].filter((id) => !this.#read.has(id))
    const keys = unread.map((id) => JSON.parse(id) as (string | null)[])
    const copies = new Set((await readCopies(table, keys)).map(({ values }) => idOf(table, values, table.document)))
    for (const [at, id] of unread.entries())
      if (!copies.has(id) && !this.#changed.has(id)) this.#addKey(keys[at] ?? [], 'missing', null)
    if (!sample.isComplete) return
    for (const { values, wasWritten } of await findUnlisted(table, new Set(listed.keys()), differencesMax))
      if (!this.#isDeletedSince(values, wasWritten)) this.#addKey(values, 'additional', wasWritten)
  }

  /** Sources that report deletions name the record among what changed. @param key in the order of the key of the main table */
  #isDeletedSince(key: ComparedRow, wasWritten: boolean | null): boolean {
    const { table } = this.#sampled
    const id = JSON.stringify(
      table.key.map((at, place) =>
        comparableText(table.copy.columns[at]?.type ?? { kind: 'text' }, key[place] ?? null),
      ),
    )
    return wasWritten !== true && this.#changed.has(id)
  }

  /** @param key in the order of the key of the main table */
  #addKey(key: ComparedRow, kind: 'missing' | 'additional', wasWritten: boolean | null): void {
    const { table } = this.#sampled
    const values = table.copy.columns.map((_, at) => key[table.key.indexOf(at)] ?? null)
    this.#add(table, { values, kind, columns: [], wasWritten })
  }

  #add(table: SampledTable, { values, kind, columns, wasWritten }: DifferingRow): void {
    const key = table.key.map((at) => [table.copy.columns[at]?.name ?? '', values[at] ?? null] as const)
    const cause = this.#causeOf(
      table,
      key.map(([, value]) => value),
      { kind, wasWritten },
    )
    this.found.push({
      difference: { table: table.copy.name, key: Object.fromEntries(key), kind, columns, cause, isRepaired: false },
      isPending: cause !== 'rejected' && cause !== 'writtenAtTarget' && this.#mayHaveChanged(kind),
      encodedKey: table.document.map((at) => values[at] ?? null),
    })
  }

  #causeOf(
    table: SampledTable,
    key: ComparedRow,
    { kind, wasWritten }: Pick<RowDifference, 'kind'> & Pick<CopiedRow, 'wasWritten'>,
  ): DifferenceCause {
    if (wasWritten === true) return 'writtenAtTarget'
    if (kind === 'missing' && this.#request.rejectedKeys?.(table.described.name).has(JSON.stringify(key)) === true)
      return 'rejected'
    return kind === 'different' && wasWritten === false && this.#sampled.sample.changed !== null
      ? 'stampNotMoved'
      : 'unknown'
  }

  /** Without a list of changes any document may have changed. A deleted one is in no such list. */
  #mayHaveChanged(kind: RowDifference['kind']): boolean {
    const { sample, stream } = this.#sampled
    return sample.changed === null || (kind === 'additional' && stream.keyComparison !== 'never')
  }
}

/** Rows by the id of their document. */
function groupRows<Row>(
  table: SampledTable,
  rows: readonly Row[],
  valuesOf: (row: Row) => ComparedRow,
): Map<string, Row[]> {
  // Rows without a key are one document, which is compared as a multiset.
  return Map.groupBy(rows, (row) =>
    table.described.key.length === 0 ? '' : idOf(table, valuesOf(row), table.document),
  )
}

function numberRows(table: SampledTable, rows: readonly ComparedRow[]): Map<string, ComparedRow> {
  return number(table, rows, (values) => values)
}

function numberCopies(table: SampledTable, rows: readonly CopiedRow[]): Map<string, CopiedRow> {
  return number(table, rows, ({ values }) => values)
}

/** Equal keys are numbered, so that a doubled row is seen. */
function number<Row>(table: SampledTable, rows: readonly Row[], valuesOf: (row: Row) => ComparedRow): Map<string, Row> {
  const seen = new Map<string, number>()
  return new Map(
    rows.map((row) => {
      const id = idOf(table, valuesOf(row), table.key)
      const count = (seen.get(id) ?? 0) + 1
      seen.set(id, count)
      return [`${id} ${count}`, row]
    }),
  )
}

function differingValues(
  columns: readonly VerifiedColumn[],
  source: ComparedRow,
  target: ComparedRow,
): RowDifference['columns'] {
  return columns.flatMap(({ name, type }, at) => {
    const [from, to] = [source[at] ?? null, target[at] ?? null]
    if (comparableText(type, from) === comparableText(type, to)) return []
    return [{ name, source: readableText(type, from), target: readableText(type, to) }]
  })
}
