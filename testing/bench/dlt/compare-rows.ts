/** Compares documents and lines in PostgreSQL with those of the API: by key, then cell by cell. */
import type { ApiDocument } from './document-api.ts'

export interface RowDifferences {
  readonly rows: number
  /** Rows of the API that the target lacks. */
  readonly lost: number
  /** Rows of the target that the API no longer has. */
  readonly surplus: number
  /** Further rows with a key that was there already. */
  readonly doubled: number
  /** Cells that differ. */
  readonly values: number
}

/** Every row as `key`, its key as text, and the columns as text under their names at the API; `changed` in milliseconds. */
export interface TargetQueries {
  readonly document: string
  readonly line: string
}

type TextRow = Readonly<Record<string, string | null>>
type RunQuery = (sql: string) => Promise<readonly TextRow[]>

export async function compareRows(
  query: RunQuery,
  queries: TargetQueries,
  documents: readonly ApiDocument[],
): Promise<RowDifferences> {
  const ofDocuments = compareTable(
    await query(queries.document),
    documents.map((document) => [String(document.id), documentCells(document)]),
  )
  const ofLines = compareTable(
    await query(queries.line),
    documents.flatMap(({ id, lines }) =>
      lines.map(({ sku, name, quantity, amount }, index) => {
        const cells = { sku, name, quantity: String(quantity), amount }
        return [`${id}.${index + 1}`, cells] as const
      }),
    ),
  )
  return {
    rows: ofDocuments.rows + ofLines.rows,
    lost: ofDocuments.lost + ofLines.lost,
    surplus: ofDocuments.surplus + ofLines.surplus,
    doubled: ofDocuments.doubled + ofLines.doubled,
    values: ofDocuments.values + ofLines.values,
  }
}

function documentCells({ number, customer, total, rate, isPaid, note, changedAt }: ApiDocument): TextRow {
  return { number, customer, total, rate, paid: String(isPaid), note, changed: String(changedAt) }
}

function compareTable(found: readonly TextRow[], wanted: readonly (readonly [string, TextRow])[]): RowDifferences {
  const differences = { surplus: 0, doubled: 0, values: 0 }
  const left = new Map(wanted)
  const seen = new Set<string>()
  for (const row of found) {
    const key = row['key'] ?? ''
    const should = left.get(key)
    if (seen.has(key)) differences.doubled += 1
    else if (should === undefined) differences.surplus += 1
    else differences.values += countDifferentCells(row, should)
    seen.add(key)
    left.delete(key)
  }
  return { rows: found.length, lost: left.size, ...differences }
}

function countDifferentCells(row: TextRow, should: TextRow): number {
  return Object.entries(should).filter(([name, value]) => cellText(row[name]) !== cellText(value)).length
}

/** `1.50` equals `1.5`. */
function cellText(value: string | null | undefined): string | null {
  if (value === null || value === undefined) return null
  return /^-?\d+\.\d+$/u.test(value) ? value.replace(/\.?0+$/u, '') : value
}
