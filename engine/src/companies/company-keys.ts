/** Keys of rows of several companies: the company comes first. */
import { decodeRow, decodeRows, encodeRow, encodeRows, joinRows, assertNoCut } from '../encoding/copy-text.ts'
import type { RowBatch } from '../ports/model.ts'
import type { KeysRequest, OpenSource, Stream } from '../ports/source.ts'

interface CompanyPart {
  readonly id: string
  readonly source: OpenSource
  readonly original: Stream
}

/** @param column the column of the company */
export async function* companyKeys(
  { id, source, original }: CompanyPart,
  column: string,
  request?: KeysRequest,
): AsyncGenerator<RowBatch> {
  if (source.keys === undefined) throw new Error(`The source cannot list the keys of ${original.name}.`)
  const { columns = [], conditions = [] } = request ?? {}
  const own = columns.filter((name) => name !== column)
  const inner = { columns: own, conditions: conditions.filter((each) => each.column !== column) }
  const batches = request === undefined ? source.keys(original) : source.keys(original, inner)
  const joiner = joinRows()
  const width = original.table.key.length
  for await (const { bytes, release, rows: _rows, ...rest } of batches) {
    const rows = decodeRows(joiner.push(Buffer.from(bytes))).map((row) => [
      id,
      ...row.slice(0, width),
      ...columns.map((name) => (name === column ? id : (row[width + own.indexOf(name)] ?? null))),
    ])
    release?.()
    yield { ...rest, bytes: encodeRows(rows), rows: rows.length }
  }
  assertNoCut(joiner.waiting)
}

/** Encoded keys by company, without it. */
export function splitKeys(keys: Uint8Array): ReadonlyMap<string, Uint8Array> {
  const byCompany = new Map<string, string[]>()
  for (const line of Buffer.from(keys).toString('utf8').split('\n').slice(0, -1)) {
    const [company, ...key] = decodeRow(line)
    const own = byCompany.get(company ?? '') ?? []
    byCompany.set(company ?? '', own)
    own.push(encodeRow(key))
  }
  return new Map([...byCompany].map(([company, own]) => [company, Buffer.from(own.join(''), 'utf8')]))
}
