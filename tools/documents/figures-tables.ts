/**
 * Tables of recorded measurements: the figures are in docs/figures/performance.json, with date, commit, machine and
 * command.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { markdownTable } from './markdown-table.ts'

interface Measurement {
  readonly benchmark: string
  /** Repeats the measurement. */
  readonly command: string
  readonly date: string
  /** The commit that was measured, or `recorded in` and the commit that noted the figures. */
  readonly commit: string
  readonly machine: string
  readonly conditions?: string
  readonly tables: Readonly<Record<string, FiguresTable>>
}

interface FiguresTable {
  readonly columns: readonly string[]
  /** Decimal places of the columns with these titles. */
  readonly digits?: Readonly<Record<string, number>>
  readonly rows: readonly (readonly (string | number | null)[])[]
}

const file = join(import.meta.dirname, '../../docs/figures/performance.json')
const measurements = JSON.parse(readFileSync(file, 'utf8')) as readonly Measurement[]

/** One table for each name in the file, followed by how it was measured; and `measurements`, an overview of all. */
export const figuresTables: Readonly<Record<string, () => string>> = Object.fromEntries([
  ['measurements', overview],
  ...measurements.flatMap((measurement) =>
    Object.entries(measurement.tables).map(([name, table]) => [name, () => renderFigures(measurement, table)]),
  ),
])

function renderFigures(measurement: Measurement, { columns, digits = {}, rows }: FiguresTable): string {
  const cells = rows.map((row) => row.map((value, at) => formatFigure(value, digits[columns[at] ?? ''])))
  return `${markdownTable(columns, cells)}\n${describe(measurement)}\n`
}

function describe({ command, date, commit, machine, conditions }: Measurement): string {
  const where = conditions === undefined ? machine : `${machine}; ${conditions}`
  return `Measured ${date} (${commit}) on ${where}. Repeat: \`${command}\`.`
}

function overview(): string {
  const rows = measurements.map(({ command, date, commit, machine }) => [`\`${command}\``, date, commit, machine])
  return markdownTable(['Command', 'Date', 'Commit', 'Machine'], rows)
}

function formatFigure(value: string | number | null, digits: number | undefined): string {
  if (value === null) return ''
  if (typeof value === 'string') return value
  return digits === undefined
    ? value.toLocaleString('en-US', { maximumFractionDigits: 6 })
    : value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}
