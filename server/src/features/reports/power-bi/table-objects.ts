/** The tables of a semantic model in TMDL: columns, measures, hierarchies, and the query that loads the rows. */
import { nameUuid } from '../../../kernel/text/name-uuid.ts'
import type { ReportColumnKind, ReportTable } from '../report-model.ts'
import { amountFormat, type ModelMeasure } from './measures.ts'
import { modelType } from './relationships.ts'
import type { ModelColumn } from './named-table.ts'
import type { ModelTable } from './semantic-model.ts'
import { tableQuery } from './table-query.ts'
import { type TmdlObject, tmdlName } from './tmdl.ts'

/** @param namespace of the lineage tags, which are made of names in the database, so that they survive a rename here */
export function tableObject(table: ModelTable, namespace: string): TmdlObject {
  const { source, name } = table
  const isRights = source.purpose === 'rights'
  const tag = (path: string) => nameUuid(namespace, JSON.stringify([source.schema, source.name, path]))
  return {
    kind: 'table',
    name,
    description: describe(source),
    properties: [
      ['isHidden', isRights ? true : undefined],
      ['lineageTag', tag('')],
    ],
    children: [
      ...table.measures.map((measure) => measureObject(measure, tag)),
      ...table.columns.map((column) => columnObject(source, column, tag)),
      ...hierarchies(table, tag),
      {
        kind: 'partition',
        name,
        value: { word: 'm' },
        properties: [
          ['mode', 'import'],
          ['source', { expression: tableQuery(table) }],
        ],
      },
    ],
  }
}

type Tag = (path: string) => string

function describe({ description, omitted }: ReportTable): string | null {
  if (omitted.length === 0) return description
  const left = omitted.map(({ name, type }) => `${name} (${type})`).join(', ')
  return [description, `Without columns whose type Power BI cannot read: ${left}.`].filter(Boolean).join('\n')
}

function measureObject({ name, expression, format, folder, description }: ModelMeasure, tag: Tag): TmdlObject {
  return {
    kind: 'measure',
    name,
    description,
    value: { expression },
    properties: [
      ['formatString', format],
      ['displayFolder', folder.replaceAll('\\', ' ')],
      ['lineageTag', tag(`measure/${name}`)],
    ],
  }
}

const loadColumns = new Set(['LoadedBy', 'LoadedAtUtc', 'LoadId', 'SliceId'])

function columnObject(table: ReportTable, { source, name }: ModelColumn, tag: Tag): TmdlObject {
  const { kind, description } = source
  const isAmount = (kind === 'money' || kind === 'number') && !/rate|ratio|percent|price/iu.test(source.name)
  const isLoadColumn = (table.purpose === 'version' || table.purpose === 'helperTable') && loadColumns.has(source.name)
  // The measures of a question show its amounts; two of the same name would confuse.
  const isHidden = table.amounts.some(({ column }) => column === source.name)
  return {
    kind: 'column',
    name,
    description,
    properties: [
      ['dataType', modelType(kind)],
      ['isHidden', isHidden ? true : undefined],
      ['formatString', formats[kind]],
      ['displayFolder', isLoadColumn ? 'Load' : undefined],
      ['lineageTag', tag(`column/${source.name}`)],
      ['summarizeBy', isAmount ? 'sum' : 'none'],
      ['sourceColumn', name],
    ],
    children: [
      { kind: 'annotation', name: 'SummarizationSetBy', value: { word: 'User' } },
      ...(kind === 'date'
        ? [{ kind: 'annotation', name: 'UnderlyingDateTimeDataType', value: { word: 'Date' } } as const]
        : []),
    ],
  }
}

const formats: Readonly<Partial<Record<ReportColumnKind, string>>> = {
  whole: '0',
  money: amountFormat,
  number: '#,0.00##',
  boolean: '"TRUE";"TRUE";"FALSE"',
  date: 'yyyy-mm-dd',
  dateTime: 'yyyy-mm-dd hh:nn:ss',
  instant: 'yyyy-mm-dd hh:nn:ss',
  time: 'hh:nn:ss',
}

/** A version table can be drilled from entity to subarea. */
function hierarchies({ source, columns }: ModelTable, tag: Tag): readonly TmdlObject[] {
  if (source.purpose !== 'version') return []
  const levels = ['Entity', 'Area', 'Subarea'].flatMap((name) =>
    columns.filter((column) => column.source.name === name),
  )
  if (levels.length < 2) return []
  const name = 'Entity, area and subarea'
  return [
    {
      kind: 'hierarchy',
      name,
      properties: [['lineageTag', tag(`hierarchy/${name}`)]],
      children: levels.map((level) => ({
        kind: 'level',
        name: level.name,
        properties: [
          ['lineageTag', tag(`hierarchy/${name}/${level.name}`)],
          ['column', { reference: tmdlName(level.name) }],
        ],
      })),
    },
  ]
}
