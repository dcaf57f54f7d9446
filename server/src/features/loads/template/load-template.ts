/** Builds the template of a table: an empty workbook that the user can fill in and load. */
import type { ColumnType } from '@tributary/contract/column-types'
import { plainName } from '@tributary/contract/sheet-headings'
import type { AllowedValues } from '../sheet/allowed-values.ts'
import { type TableToWrite, requireWritableRecord } from '../begin-load.ts'
import type { OwnColumn } from '../sheet/column-values.ts'
import { readLists } from '../sheet/value-lists.ts'
import { isMeasure } from '../sheet/measure-columns.ts'
import { readOwnColumns } from '../queries.ts'
import { readRights } from '../rights/read-load-rights.ts'
import type { SliceChoices } from '../rights/load-rights.ts'
import { partTitles, sliceParts } from '../slices.ts'
import { readColumn } from '../load-table-rows.ts'
import { withTableForReading, type LoadTableServices } from '../load-table.ts'
import { templateWorkbook, type TemplateWorkbookColumn, type ValueList } from './template-workbook.ts'

/**
 * Throws `loadRefused` if a load into the table would be refused, and `settingsWrong` if its value lists cannot be
 * read.
 */
export async function buildTemplate(
  services: LoadTableServices,
  organisationId: string,
  { userId, table }: TableToWrite,
) {
  const { record, own, rights } = await services.store.within(organisationId, async (db) => {
    const found = await requireWritableRecord(db, organisationId, { table, userId })
    return {
      record: found,
      own: await readOwnColumns(db, organisationId, found),
      rights: await readRights(db, organisationId, userId),
    }
  })
  const of = { organisationId, record }
  const { lists } = await readLists(services, {
    of,
    columns: own.map(({ name }) => name),
    // A list would reveal the values of a helper table to users without access. The check of a load still uses them.
    isListed: ({ id }) => rights.helperTable(id) !== undefined,
    readFirstColumn: (helperTable) =>
      withTableForReading(services, { ...of, record: helperTable }, async (open) => {
        const [first] = open.known
        return first === undefined ? undefined : await readColumn(open, first)
      }),
  })
  const partColumns = record.kind === 'version' ? sliceColumns(rights.sliceChoices(record.id)) : []
  const columns = [...partColumns, ...own.map((column) => ownColumn(column, lists.get(plainName(column.name))))]
  return { record, bytes: templateWorkbook({ name: record.name, columns }) }
}

function sliceColumns(choices: SliceChoices): readonly TemplateWorkbookColumn[] {
  return sliceParts.map((part) => {
    const error = `This is not one of the names that you may use here. Choose a value from the list.`
    return {
      heading: partTitles[part],
      type: 'text',
      isMeasure: false,
      list: listOf('text', choices[part] ?? [], error),
    }
  })
}

function ownColumn({ name, type }: OwnColumn, allowed: AllowedValues | undefined): TemplateWorkbookColumn {
  const column = { heading: name, type, isMeasure: type === 'number' && isMeasure(name) }
  if (allowed !== undefined) {
    const error = `This is not in ${allowed.title}. Choose a value from the list.`
    return { ...column, list: listOf(type, [...allowed.values.values()], error) }
  }
  // Boolean cells, because the words TRUE and FALSE are translated in other languages of Excel.
  return type === 'truth'
    ? { ...column, list: { values: [true, false], error: 'This column holds TRUE or FALSE.' } }
    : column
}

/** Excel's limit for one list. */
const listMax = 32_767

/** Undefined if Excel cannot hold the complete list: an incomplete list would refuse valid values. */
function listOf(type: ColumnType, values: readonly string[], error: string): ValueList | undefined {
  const cells = values.map((value) => cellOf(type, value))
  const isWhole = cells.every((cell) => cell !== undefined)
  if (!isWhole || cells.length === 0 || cells.length > listMax) return undefined
  const sorted = cells.toSorted((one, other) => order.compare(String(one), String(other)))
  return { values: sorted, error }
}

const order = new Intl.Collator('en', { numeric: true })

function cellOf(type: ColumnType, value: string): string | number | undefined {
  if (type === 'text') return value
  if (type !== 'number') return undefined
  // A number that loses digits as a double would be another value.
  return String(Number(value)) === value ? Number(value) : undefined
}
