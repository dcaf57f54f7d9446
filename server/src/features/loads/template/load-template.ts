/** The template of a table: an empty workbook that this person can fill in and load. */
import type { ColumnType } from '@tributary/contract/column-types'
import { plainName } from '@tributary/contract/sheet-headings'
import type { LedgerAccountServices } from '../sheet/ledger-accounts.ts'
import type { WarehouseTarget } from '../../../connections/databases/warehouse-server.ts'
import type { AllowedValues } from '../sheet/allowed-values.ts'
import { type TableToWrite, writableRecord } from '../begin-load.ts'
import type { OwnColumn } from '../sheet/column-values.ts'
import { readLists } from '../sheet/value-lists.ts'
import { isMeasure } from '../sheet/measure-columns.ts'
import { type LoadRecord, readOwnColumns } from '../queries.ts'
import { readRights } from '../rights/read-load-rights.ts'
import type { SliceChoices } from '../rights/load-rights.ts'
import { partTitles, sliceParts } from '../slices.ts'
import { readColumn } from '../load-table-rows.ts'
import { withTableToRead } from '../load-table.ts'
import { templateWorkbook, type TemplateColumn, type ValueList } from './template-workbook.ts'

export interface TemplateRequest extends TableToWrite {
  readonly organisationId: string
  readonly warehouseTarget: WarehouseTarget
}

export interface BuiltTemplate {
  readonly record: LoadRecord
  readonly bytes: Buffer
}

/** Throws `loadRefused` where a load into the table would be refused, and `settingsWrong` where its lists cannot be read. */
export async function buildTemplate(
  services: LedgerAccountServices,
  { organisationId, userId, table, warehouseTarget }: TemplateRequest,
): Promise<BuiltTemplate> {
  const { record, own, rights } = await services.store.within(organisationId, async (db) => {
    const found = await writableRecord(db, organisationId, { table, userId })
    return {
      record: found,
      own: await readOwnColumns(db, organisationId, found),
      rights: await readRights(db, organisationId, userId),
    }
  })
  const of = { organisationId, record, warehouseTarget }
  const { lists } = await readLists(services, {
    of,
    columns: own.map(({ name }) => name),
    // A list would show the values of a helper table to somebody who may not use it. The check of a load needs them all the same.
    isListed: ({ id }) => rights.helperTable(id) !== undefined,
    readFirstColumn: (helperTable) =>
      withTableToRead(services, { ...of, record: helperTable }, async (open) => {
        const [first] = open.known
        return first === undefined ? undefined : await readColumn(open, first)
      }),
  })
  const parted = record.kind === 'version' ? sliceColumns(rights.sliceChoices(record.id)) : []
  const columns = [...parted, ...own.map((column) => ownColumn(column, lists.get(plainName(column.name))))]
  return { record, bytes: templateWorkbook({ name: record.name, columns }) }
}

function sliceColumns(choices: SliceChoices): readonly TemplateColumn[] {
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

function ownColumn({ name, type }: OwnColumn, allowed: AllowedValues | undefined): TemplateColumn {
  const column = { heading: name, type, isMeasure: type === 'number' && isMeasure(name) }
  if (allowed !== undefined) {
    const error = `This is not in ${allowed.title}. Choose a value from the list.`
    return { ...column, list: listOf(type, [...allowed.values.values()], error) }
  }
  // Cells that hold TRUE and FALSE, because those words are other ones in other languages of Excel.
  return type === 'truth'
    ? { ...column, list: { values: [true, false], error: 'This column holds TRUE or FALSE.' } }
    : column
}

/** Excel shows no more in one list. */
const listMax = 32_767

/** Undefined for what Excel cannot list in full: a list that lacks values would refuse them. */
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
  // A double that has lost digits is another value.
  return String(Number(value)) === value ? Number(value) : undefined
}
