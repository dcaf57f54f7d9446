/** Compares the tables of any target with the expected rows, cell by cell. */
import { ExactNumber } from '@tributary/sims/uniconta/rows'
import type { DatabaseEnd } from './database-ends.ts'

type ComparedRow = Readonly<Record<string, unknown>>
/** Whether a value need not have a column. */
type IsUncompared = (name: string, value: unknown, columns: readonly string[]) => boolean

/** Returns an empty list if the tables hold exactly these rows, duplicates included. */
export async function differencesOf(
  target: Pick<DatabaseEnd, 'read'>,
  expected: ReadonlyMap<string, readonly ComparedRow[]>,
  isLeftOut: IsUncompared = () => false,
): Promise<readonly string[]> {
  const found: string[] = []
  for (const [table, wanted] of expected) {
    const { columns, rows } = await target.read(table)
    if (columns.length === 0) found.push(`${table} does not exist`)
    const compared = columns.filter((name) => wanted.some((row) => name in row)).toSorted()
    const is = rows.map((row) => JSON.stringify(compared.map((name) => cellText(row[columns.indexOf(name)]))))
    const should = wanted.map((row) => JSON.stringify(compared.map((name) => cellText(row[name]))))
    if (is.length !== should.length) found.push(`${table}: ${is.length} rows for ${should.length}`)
    const [more, less] = [withoutMatch(is, should), withoutMatch(should, is)]
    if (more.length + less.length > 0)
      found.push(`${table} has ${more[0]} and lacks ${less[0]} under ${compared.join()}`)
    const missing = wanted.flatMap((row) =>
      Object.keys(row).filter((name) => !columns.includes(name) && !isLeftOut(name, row[name], columns)),
    )
    found.push(...[...new Set(missing)].map((name) => `${table} has no column ${name}`))
  }
  return found
}

function withoutMatch(rows: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>()
  for (const row of others) left.set(row, (left.get(row) ?? 0) + 1)
  return rows.filter((row) => {
    const count = left.get(row) ?? 0
    left.set(row, count - 1)
    return count <= 0
  })
}

/**
 * Canonicalises values that APIs and databases write in different ways; keeps all digits of decimals and timestamps.
 */
function cellText(value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null
  if (value instanceof ExactNumber) return cellText(value.text)
  if (typeof value === 'boolean') return value ? '1' : '0'
  if (typeof value === 'object') return JSON.stringify(plain(value))
  const text = String(value)
  if (/^\d{4}-\d\d-\d\d([T ]|$)/.test(text)) return momentText(text)
  if (/^-?\d+\.\d+$/.test(text)) return text.replace(/\.?0+$/, '')
  return /^[[{]/.test(text) ? JSON.stringify(plain(JSON.parse(text))) : text
}

function momentText(text: string): string {
  const local = text.replace('T', ' ').replace(/(Z|\+00(:00)?)$/, '')
  const short = local.includes('.') ? local.replace(/\.?0+$/, '') : local
  return short.replace(/ 00:00:00$/, '')
}

/** Sorts the keys of JSON objects. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return cellText(value)
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, plain(inner)]))
}
