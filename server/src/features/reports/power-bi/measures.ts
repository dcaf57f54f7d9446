/** The measures of a table: how many rows it has, and the amounts of a ready question over time. */
import type { ReportAmount } from '../report-model.ts'
import { dateColumnName, dateTableName } from './date-table.ts'
import { daxColumn, daxMeasure, daxTable, humanised, type UniqueNames } from './names.ts'
import type { NamedTable } from './named-table.ts'

export interface ModelMeasure {
  readonly name: string
  readonly expression: string
  readonly format: string
  readonly folder: string
  readonly description: string
  /** The amount that it shows; undefined for a number of rows. */
  readonly amount?: ReportAmount | undefined
  /** True for the amount itself, false for what is computed from it. */
  readonly isBase: boolean
}

interface MeasureContext {
  /** Whether the date table filters the table. */
  readonly hasDate: boolean
  /** Names of measures are unique in the model, and differ from the columns of their table. */
  readonly names: UniqueNames
  readonly columns: UniqueNames
}

export const amountFormat = '#,0.00'
const countFormat = '#,0'

export function measuresOf(table: NamedTable, context: MeasureContext): readonly ModelMeasure[] {
  if (table.source.purpose === 'rights') return []
  const rows: ModelMeasure = {
    name: unique(`Rows of ${table.name}`, context),
    expression: `COUNTROWS(${daxTable(table.name)})`,
    format: countFormat,
    folder: 'Counts',
    description: `The number of rows of ${table.name}.`,
    isBase: true,
  }
  return [rows, ...table.source.amounts.flatMap((amount) => amountMeasures(table, amount, context))]
}

function amountMeasures(table: NamedTable, amount: ReportAmount, context: MeasureContext): readonly ModelMeasure[] {
  const column = table.columns.find(({ source }) => source.name === amount.column)
  if (column === undefined) return []
  const title = humanised(table.name)
  const name = unique(`${title}: ${humanised(column.name).toLowerCase()}`, context)
  const shared = { format: amountFormat, folder: title, amount }
  const base: ModelMeasure = {
    ...shared,
    name,
    expression: withinOneValue(table, amountExpression(table.name, column.name, amount.kind, context.hasDate)),
    description: column.source.description ?? `The sum of ${column.name}.`,
    isBase: true,
  }
  return context.hasDate ? [base, ...comparisons(base, context)] : [base]
}

/** Empty unless the rows that repeat the same amounts are filtered to one value, because their sum would count them twice. */
function withinOneValue({ name, source, columns }: NamedTable, expression: string): string {
  const column = columns.find((each) => each.source.name === source.repeatedBy)
  return column === undefined ? expression : `IF(HASONEVALUE(${daxColumn(name, column.name)}), ${expression})`
}

/** A balance is that of the last day that has rows, because balances of several days do not add up. */
function amountExpression(table: string, column: string, kind: ReportAmount['kind'], hasDate: boolean): string {
  const sum = `SUM(${daxColumn(table, column)})`
  if (kind === 'flow' || !hasDate) return sum
  return `CALCULATE(${sum}, LASTNONBLANK(${dates}, CALCULATE(COUNTROWS(${daxTable(table)}))))`
}

const dates = daxColumn(dateTableName, dateColumnName)

function comparisons(base: ModelMeasure, context: MeasureContext): readonly ModelMeasure[] {
  const measure = daxMeasure(base.name)
  const of = (suffix: string, expression: string, description: string, format = base.format): ModelMeasure => ({
    ...base,
    name: unique(`${base.name}, ${suffix}`, context),
    expression,
    description,
    format,
    isBase: false,
  })
  const previous = of(
    'previous year',
    `CALCULATE(${measure}, SAMEPERIODLASTYEAR(${dates}))`,
    'The same days of the year before.',
  )
  const yearToDate =
    base.amount?.kind === 'flow'
      ? [of('year to date', `TOTALYTD(${measure}, ${dates})`, 'From 1 January to the last day that is shown.')]
      : []
  return [
    ...yearToDate,
    previous,
    of('change', `${measure} - ${daxMeasure(previous.name)}`, 'The difference from the same days of the year before.'),
    of(
      'change in %',
      `DIVIDE(${measure} - ${daxMeasure(previous.name)}, ABS(${daxMeasure(previous.name)}))`,
      'The difference in proportion to the year before. Empty if that was zero.',
      '0.0 %',
    ),
  ]
}

function unique(name: string, { names, columns }: MeasureContext): string {
  for (let candidate = names.take(name); ; candidate = names.take(name)) if (!columns.has(candidate)) return candidate
}
