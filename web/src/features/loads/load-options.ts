/** Options of a load before it is checked: sheet, heading row, table, and what all of its rows belong to. */
import type { Use } from '@tributary/contract/assignments'
import { columnTypes } from '@tributary/contract/column-types'
import type { LoadTargetTable } from '@tributary/contract/loads'
import { newColumns, plainName } from '@tributary/contract/sheet-headings'
import type { FieldRule, FieldRules, FormValues } from '../../ui/forms/use-form.ts'
import type { LoadRequest, UploadedFile } from './api.ts'
import type { SheetView } from './sheet.ts'
import { refusalReason } from './load-wording.ts'
import { likelyHeadingRow, type RowDimension } from '@tributary/contract/sheet-preview'
import { compareNames } from '../../ui/formats.ts'

export interface LoadOptionChoice {
  readonly value: string
  readonly label: string
}

const dimensionFields = { Entity: 'entity', Area: 'area', Subarea: 'subarea', Milestone: 'milestone' } as const
export const dimensionField = (dimension: RowDimension) => dimensionFields[dimension]

/**
 * Default options: the first visible sheet with more than one row, otherwise the first sheet; and its likely heading
 * row.
 */
export function defaultOptions({ Sheets }: UploadedFile): FormValues {
  const visible = Sheets.filter(({ IsHidden }) => !IsHidden)
  const sheet = visible.find(({ Rows }) => Rows > 1) ?? visible[0] ?? Sheets[0]
  const headingRow = String(sheet === undefined ? 1 : likelyHeadingRow(sheet.FirstRows) + 1)
  return { sheet: sheet?.Name ?? '', headingRow, tableId: '', entity: '', area: '', subarea: '', milestone: '' }
}

/** Dimensions to choose for the whole sheet, because no column contains them. A helper table has none. */
export function dimensionsToChoose(view: SheetView, table: LoadTargetTable | undefined): readonly RowDimension[] {
  return table?.Kind === 'version' ? view.missing : []
}

/** Requires a value that is still offered: changing one option may invalidate another. */
export function optionRules(
  dimensions: readonly RowDimension[],
  offered: (dimension: RowDimension) => readonly LoadOptionChoice[],
): FieldRules {
  const rules = Object.entries(dimensionFields).map(([name, field]): [string, FieldRule] => {
    const dimension = dimensions.find((one) => one === name)
    if (dimension === undefined) return [field, { isOptional: true }]
    return [
      field,
      { check: (chosen) => (offered(dimension).some(({ value }) => value === chosen) ? null : 'required') },
    ]
  })
  return Object.fromEntries(rules)
}

/**
 * Offers only what the user may use. Subareas are those of the chosen area, or of any area if a column contains it.
 */
export function dimensionChoices(
  dimension: RowDimension,
  use: Use,
  table: LoadTargetTable,
  area: string,
): readonly LoadOptionChoice[] {
  const names = {
    Entity: () => use.Entities.map(({ Name }) => Name),
    Area: () => use.Pairs.map(({ Area }) => Area),
    Subarea: () => use.Pairs.filter(({ Area }) => area === '' || Area === area).map(({ Subarea }) => Subarea),
    Milestone: () => table.Milestones.filter(({ MayWrite }) => MayWrite).map(({ Name }) => Name),
  }
  const sorted = [...new Set(names[dimension]())].toSorted(compareNames)
  return sorted.map((name) => ({ value: name, label: name }))
}

/** Choices grouped by kind of table; tables that cannot be loaded into are disabled and show the reason. */
export function tableGroups(tables: readonly LoadTargetTable[]) {
  const groups = [
    ['Versions', 'version'],
    ['Helper Tables', 'helperTable'],
  ] as const
  const known = groups.map(([group, kind]) => ({
    group,
    items: tables.filter(({ Kind }) => Kind === kind).map((table) => tableChoice(table)),
  }))
  return [{ value: '', label: 'Choose a table' }, ...known.filter(({ items }) => items.length > 0)]
}

function tableChoice(table: LoadTargetTable) {
  const why = refusalReason(table)
  return { value: table.Id, label: why === null ? table.Name : `${table.Name} – ${why}`, disabled: why !== null }
}

/** Name of the form field with the type of a new column; empty for the suggested type. */
export function columnTypeField(heading: string): string {
  return `type of ${plainName(heading)}`
}

/** Types that differ from the suggested ones. */
function chosenTypes(view: SheetView, table: LoadTargetTable, values: FormValues): NonNullable<LoadRequest['types']> {
  return newColumns(view.headings, table).flatMap((at) => {
    const column = view.headings[at] ?? ''
    const type = columnTypes.find((each) => each === values[columnTypeField(column)])
    return type === undefined ? [] : [{ column, type }]
  })
}

interface LoadOptions {
  readonly file: UploadedFile
  readonly view: SheetView
  readonly table: LoadTargetTable
  readonly values: FormValues
}

export function toLoadRequest({ file, view, table, values }: LoadOptions): LoadRequest {
  const dimensionValues = dimensionsToChoose(view, table).map(
    (dimension) => [dimensionFields[dimension], values[dimensionFields[dimension]]] as const,
  )
  return {
    ...(table.Kind === 'version' ? { versionId: table.Id } : { helperTableId: table.Id }),
    ...Object.fromEntries(dimensionValues),
    fileId: file.Id,
    workbook: file.Name,
    sheet: String(values['sheet']),
    firstRow: Number(values['headingRow']),
    firstColumn: 1,
    columns: [...view.headings],
    types: chosenTypes(view, table, values),
  }
}
