/** Control totals: the sum of every amount of the documents that a source has sent, against the sum in the target. */
import type { RowDifference } from '../ports/verification.ts'
import type { ComparedRow } from '../ports/verified-table.ts'
import { arrange, readRows, type SampledTable } from './sampled-documents.ts'

/** The totals that differ. @param sent all rows of the source by table */
export async function compareTotals(
  tables: readonly SampledTable[],
  sent: ReadonlyMap<string, readonly ComparedRow[]>,
  ignored: readonly string[],
): Promise<readonly RowDifference[]> {
  const found: RowDifference[] = []
  for (const table of tables) {
    const amounts = table.copy.columns.flatMap(({ name, type }, at) =>
      type.kind === 'decimal' && !ignored.includes(name) ? [at] : [],
    )
    if (amounts.length === 0) continue
    const source = addUp(
      (sent.get(table.described.name) ?? []).map((row) => arrange(table, row)),
      amounts,
    )
    const copied = addUp(
      (await readRows(table, null)).map(({ values }) => values),
      amounts,
    )
    const columns = amounts.flatMap((at, index) => {
      const [from, to] = [source[index] ?? '0', copied[index] ?? '0']
      return from === to ? [] : [{ name: `total of ${table.copy.columns[at]?.name}`, source: from, target: to }]
    })
    if (columns.length > 0)
      found.push({ table: table.copy.name, key: {}, kind: 'different', columns, cause: 'unknown', isRepaired: false })
  }
  return found
}

function addUp(rows: readonly ComparedRow[], places: readonly number[]): readonly string[] {
  return places.map((at) => sumOf(rows.map((row) => row[at] ?? null)))
}

/** The exact sum of decimals. What is no finite decimal is left out on both sides. */
function sumOf(values: readonly (string | null)[]): string {
  const decimals = values.flatMap((value) => {
    const match = /^(-?)(\d+)(?:\.(\d*))?$/u.exec(value ?? '')
    return match === null ? [] : [{ sign: match[1] === '-' ? -1n : 1n, whole: match[2] ?? '0', part: match[3] ?? '' }]
  })
  const digits = decimals.reduce((most, { part }) => Math.max(most, part.length), 0)
  const sum = decimals.reduce(
    (total, { sign, whole, part }) => total + sign * BigInt(whole + part.padEnd(digits, '0')),
    0n,
  )
  const text = (sum < 0n ? -sum : sum).toString().padStart(digits + 1, '0')
  const whole = text.slice(0, text.length - digits)
  const part = text.slice(text.length - digits).replace(/0+$/u, '')
  return `${sum < 0n ? '-' : ''}${whole}${part === '' ? '' : `.${part}`}`
}
