/** The workbook of chosen tables: which query reads each, by which names, and what the first sheet explains. */
import { mLet, mList, mText } from '../m-language.ts'
import type { ReportTable } from '../report-model.ts'
import { modelName, UniqueNames } from '../power-bi/names.ts'
import type { WorkbookQuery } from './data-mashup.ts'
import { queryWorkbook } from './workbook.ts'

export interface TableWorkbook {
  readonly organisation: string
  readonly tables: readonly ReportTable[]
  /** The expression in M that reads a table, with its columns as they are called in the warehouse. */
  readonly rowsOf: (table: ReportTable) => string
  /** How to answer when Excel asks for credentials. */
  readonly credentials: readonly string[]
}

export function tableWorkbook({ organisation, tables, rowsOf, credentials }: TableWorkbook): Buffer {
  const [queryNames, tableNames] = [new UniqueNames(), new UniqueNames()]
  const queries = tables.map((table) => {
    const title = `${table.schema} ${table.name}`
    return {
      title: modelName(table.name, 'table'),
      name: queryNames.take(queryName(title)),
      table: tableNames.take(tableName(title)).replaceAll(' ', '_'),
      ...queryOf(table, rowsOf(table)),
    }
  })
  return queryWorkbook({ introduction: introduction(organisation, credentials), queries })
}

function queryOf(table: ReportTable, rows: string): Pick<WorkbookQuery, 'expression' | 'columns'> {
  const taken = new UniqueNames()
  const columns = table.columns.map(({ name }) => ({ from: name, to: taken.take(headingOf(name)) }))
  const renamed = columns.filter(({ from, to }) => from !== to)
  const selected = mList(columns.map(({ from }) => mText(from)))
  const steps: [string, string][] = [
    ['Rows', rows],
    ['Selected', `Table.SelectColumns(Rows, ${selected})`],
  ]
  if (renamed.length > 0)
    steps.push([
      'Renamed',
      `Table.RenameColumns(Selected, ${mList(renamed.map(({ from, to }) => mList([mText(from), mText(to)])))})`,
    ])
  return { expression: mLet(steps), columns: columns.map(({ to }) => to) }
}

const headingMax = 255
const queryNameMax = 80

function headingOf(column: string): string {
  return modelName(column, 'column').slice(0, headingMax).toWellFormed()
}

/** Power Query refuses full stops and quotes in the names of queries. 70 characters leave room for a number. */
function queryName(title: string): string {
  return modelName(title.replaceAll(/[."]/gu, ' '), 'query')
    .slice(0, queryNameMax - 10)
    .toWellFormed()
    .trim()
}

/** Letters, digits and underscores. The prefix keeps it from looking like a cell, such as `A1`. */
function tableName(title: string): string {
  return `T_${title.replaceAll(/[^\p{L}\p{N}_]+/gu, '_')}`.slice(0, 200)
}

function introduction(organisation: string, credentials: readonly string[]): readonly string[] {
  return [
    `${organisation}: live tables from Tributary`,
    'This workbook holds no data yet. Excel reads it when you refresh:',
    '1. If Excel shows a yellow bar, choose Enable Editing, then Enable Content.',
    '2. Choose Data, Refresh All.',
    ...credentials,
    'Refresh All reads the tables again at any time. Excel keeps the data that it read in this file, so share the file only with people who may see it.',
    'A sheet holds at most 1,048,576 rows. For a larger table choose Data, Queries & Connections, and filter its query.',
  ]
}
