/** The query of a table in M: reads it from the warehouse, and gives columns the names and types of the model. */
import { inUtc, mLet, mList, mText } from '../m-language.ts'
import { nameUuid } from '../../../kernel/text/name-uuid.ts'
import type { ReportModel } from '../report-model.ts'
import { dateParameters } from './date-table.ts'
import type { ModelColumn } from './named-table.ts'
import type { ModelTable } from './semantic-model.ts'
import type { TmdlObject } from './tmdl.ts'

const parameters = { server: 'Server', database: 'Database' } as const

export function tableQuery({ source, columns }: ModelTable): string {
  const renamed = columns.filter((column) => column.name !== column.source.name)
  const named = (kind: ModelColumn['source']['kind']) =>
    columns.filter((column) => column.source.kind === kind).map(({ name }) => name)
  const [instants, money] = [named('instant'), named('money')]
  const steps: [string, string][] = [
    [
      'Source',
      `PostgreSQL.Database(${parameters.server}, ${parameters.database}, [CreateNavigationProperties = false])`,
    ],
    ['Rows', `Source{[Schema = ${mText(source.schema)}, Item = ${mText(source.name)}]}[Data]`],
  ]
  const last = () => steps.at(-1)?.[0] ?? ''
  steps.push([
    'Selected',
    `Table.SelectColumns(${last()}, ${mList(columns.map((column) => mText(column.source.name)))})`,
  ])
  if (renamed.length > 0) {
    const pairs = renamed.map((column) => mList([mText(column.source.name), mText(column.name)]))
    steps.push(['Renamed', `Table.RenameColumns(${last()}, ${mList(pairs)})`])
  }
  if (instants.length > 0)
    steps.push([
      'InUtc',
      `Table.TransformColumns(${last()}, ${mList(instants.map((name) => mList([mText(name), inUtc, 'type nullable datetime'])))})`,
    ])
  if (money.length > 0)
    steps.push([
      'Exact',
      `Table.TransformColumnTypes(${last()}, ${mList(money.map((name) => mList([mText(name), 'Currency.Type'])))}, "en-US")`,
    ])
  return mLet(steps)
}

/** The parameters that people change when the server moves, or to show other years. */
export function parameterObjects({ warehouse, years }: ReportModel, namespace: string): readonly TmdlObject[] {
  const { first, last, fiscal } = dateParameters
  const text = (name: string, value: string, description: string) => parameter(name, mText(value), 'Text', description)
  const number = (name: string, value: number, description: string) =>
    parameter(name, String(value), 'Number', description)
  return [
    text(parameters.server, `${warehouse.host}:${warehouse.port}`, 'Host and port of the warehouse.'),
    text(parameters.database, warehouse.database, 'The database of the organisation in the warehouse.'),
    number(first, years.first, 'The first year of the date table.'),
    number(last, years.last, 'The last year of the date table.'),
    number(fiscal, 12, 'The month in which the fiscal year ends: 1 to 12.'),
  ]

  function parameter(name: string, value: string, type: 'Text' | 'Number', description: string): TmdlObject {
    return {
      kind: 'expression',
      name,
      description,
      value: { expression: `${value} meta [IsParameterQuery=true, Type="${type}", IsParameterQueryRequired=true]` },
      properties: [['lineageTag', nameUuid(namespace, `parameter/${name}`)]],
      children: [{ kind: 'annotation', name: 'PBI_ResultType', value: { word: type } }],
    }
  }
}
