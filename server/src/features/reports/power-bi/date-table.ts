/** The date table: one row for each day, computed by Power Query from parameters that people may change. */
import { nameUuid } from '../../../kernel/text/name-uuid.ts'
import { mLet } from '../m-language.ts'
import { type TmdlObject, tmdlName } from './tmdl.ts'

export const dateTableName = 'Date'
export const dateColumnName = 'Date'
export const dateParameters = { first: 'FirstYear', last: 'LastYear', fiscal: 'LastMonthOfFiscalYear' } as const

interface DateColumn {
  readonly name: string
  readonly type: 'dateTime' | 'int64' | 'string'
  /** Of the row's day `d`; undefined for the day itself. */
  readonly expression?: string
  readonly format?: string
  readonly sortBy?: string
  readonly isHidden?: true
  readonly description: string
}

const { first, last, fiscal } = dateParameters
/** The year in which the fiscal year of the day ends. */
const fiscalYear = `Date.Year(d) + (if Date.Month(d) > ${fiscal} then 1 else 0)`
/** 1 for the first month of the fiscal year. */
const fiscalMonth = `Number.Mod(Date.Month(d) - ${fiscal} + 11, 12) + 1`
const twoDigits = (number: string) => `Text.PadStart(Text.From(${number}), 2, "0")`

const columns: readonly DateColumn[] = [
  { name: dateColumnName, type: 'dateTime', format: 'yyyy-mm-dd', description: 'The day.' },
  { name: 'Year', type: 'int64', expression: 'Date.Year(d)', format: '0', description: 'The calendar year.' },
  {
    name: 'Quarter',
    type: 'string',
    expression: '"Q" & Text.From(Date.QuarterOfYear(d))',
    description: 'The calendar quarter: Q1 to Q4.',
  },
  {
    name: 'Month number',
    type: 'int64',
    expression: 'Date.Month(d)',
    format: '0',
    isHidden: true,
    description: 'The month: 1 to 12.',
  },
  {
    name: 'Month',
    type: 'string',
    expression: 'Date.ToText(d, "MMM", "en-US")',
    sortBy: 'Month number',
    description: 'The month without its year: Jan to Dec.',
  },
  {
    name: 'Year and month',
    type: 'string',
    expression: `Text.From(Date.Year(d)) & "-" & ${twoDigits('Date.Month(d)')}`,
    description: 'The month with its year: 2026-01.',
  },
  { name: 'Day', type: 'int64', expression: 'Date.Day(d)', format: '0', description: 'The day of the month.' },
  {
    name: 'Weekday number',
    type: 'int64',
    expression: 'Date.DayOfWeek(d, Day.Monday) + 1',
    format: '0',
    isHidden: true,
    description: 'The day of the week: 1 for Monday to 7.',
  },
  {
    name: 'Weekday',
    type: 'string',
    expression: 'Date.ToText(d, "ddd", "en-US")',
    sortBy: 'Weekday number',
    description: 'The day of the week: Mon to Sun.',
  },
  {
    name: 'Fiscal year',
    type: 'int64',
    expression: fiscalYear,
    format: '0',
    description: 'The calendar year in which the fiscal year ends.',
  },
  {
    name: 'Fiscal quarter',
    type: 'string',
    expression: `"Q" & Text.From(Number.IntegerDivide(${fiscalMonth} - 1, 3) + 1)`,
    description: 'The quarter of the fiscal year.',
  },
  {
    name: 'Fiscal month number',
    type: 'int64',
    expression: fiscalMonth,
    format: '0',
    description: 'The month of the fiscal year: 1 to 12.',
  },
]

const hierarchies = [
  { name: 'Calendar', levels: ['Year', 'Quarter', 'Month', dateColumnName] },
  { name: 'Fiscal calendar', levels: ['Fiscal year', 'Fiscal quarter', 'Year and month', dateColumnName] },
] as const

/** @param namespace of the lineage tags */
export function dateTable(namespace: string): TmdlObject {
  const tag = (path: string) => nameUuid(namespace, `date/${path}`)
  return {
    kind: 'table',
    name: dateTableName,
    description: `One row for each day. Change the parameters ${first}, ${last} and ${fiscal} to move its ends and the fiscal year.`,
    properties: [
      ['lineageTag', tag('')],
      ['dataCategory', 'Time'],
    ],
    children: [
      ...columns.map((column) => columnObject(column, tag)),
      ...hierarchies.map(({ name, levels }) => ({
        kind: 'hierarchy',
        name,
        properties: [['lineageTag', tag(`hierarchy/${name}`)]] as const,
        children: levels.map((level) => ({
          kind: 'level',
          name: level,
          properties: [
            ['lineageTag', tag(`hierarchy/${name}/${level}`)],
            ['column', { reference: tmdlName(level) }],
          ] as const,
        })),
      })),
      {
        kind: 'partition',
        name: dateTableName,
        value: { word: 'm' },
        properties: [
          ['mode', 'import'],
          ['source', { expression: dateQuery() }],
        ],
      },
    ],
  }
}

function columnObject(
  { name, type, format, sortBy, isHidden, description }: DateColumn,
  tag: (path: string) => string,
): TmdlObject {
  const children: TmdlObject[] = [{ kind: 'annotation', name: 'SummarizationSetBy', value: { word: 'User' } }]
  if (name === dateColumnName)
    children.push({ kind: 'annotation', name: 'UnderlyingDateTimeDataType', value: { word: 'Date' } })
  return {
    kind: 'column',
    name,
    description,
    properties: [
      ['dataType', type],
      ['isKey', name === dateColumnName ? true : undefined],
      ['isHidden', isHidden],
      ['formatString', format],
      ['lineageTag', tag(`column/${name}`)],
      ['summarizeBy', 'none'],
      ['sourceColumn', name],
      ['sortByColumn', sortBy === undefined ? undefined : { reference: tmdlName(sortBy) }],
    ],
    children,
  }
}

const mTypes = { dateTime: 'date', int64: 'Int64.Type', string: 'text' } as const

function dateQuery(): string {
  const days = `List.Dates(#date(${first}, 1, 1), Duration.Days(#date(${last} + 1, 1, 1) - #date(${first}, 1, 1)), #duration(1, 0, 0, 0))`
  const rows = columns.flatMap(({ expression }) => (expression === undefined ? [] : [expression]))
  const table = `#table(type table [${columns.map(({ name, type }) => `#"${name}" = ${mTypes[type]}`).join(', ')}], List.Transform(Days, each Row(_)))`
  return mLet([
    ['Days', days],
    ['Row', `(d) => {d, ${rows.join(', ')}}`],
    ['Dates', table],
  ])
}
