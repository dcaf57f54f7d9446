/** What is chosen about a file before it is checked: its sheet, its headings, its table, and what all of its rows belong to. */
import type { Use } from '@tributary/contract/assignments'
import { columnTypes } from '@tributary/contract/column-types'
import type { LoadTable } from '@tributary/contract/loads'
import { newColumns, plainName } from '@tributary/contract/sheet-headings'
import type { FieldRule, Rules, Values } from '../../ui/forms/form.ts'
import type { BeginAsk, ReadFile } from './api.ts'
import { likelyHeadingRow, type Plane, type SheetView } from './sheet.ts'
import { whyNot } from './load-wording.ts'

export interface Choice {
  readonly value: string
  readonly label: string
}

const fieldOf = { Entity: 'entity', Area: 'area', Subarea: 'subarea', Milestone: 'milestone' } as const
export const fieldOfPlane = (plane: Plane) => fieldOf[plane]

/** The first visible sheet that holds more than one row, else the first one; its headings are in the row that looks like headings. */
export function firstValues({ Sheets }: ReadFile): Values {
  const visible = Sheets.filter(({ IsHidden }) => !IsHidden)
  const sheet = visible.find(({ Rows }) => Rows > 1) ?? visible[0] ?? Sheets[0]
  const headingRow = String(sheet === undefined ? 1 : likelyHeadingRow(sheet))
  return { sheet: sheet?.Name ?? '', headingRow, tableId: '', entity: '', area: '', subarea: '', milestone: '' }
}

/** The planes to be chosen: those that the sheet does not tell. A helper table has none. */
export function asked(view: SheetView, table: LoadTable | undefined): readonly Plane[] {
  return table?.Kind === 'version' ? view.missing : []
}

/** What was chosen before something else was chosen otherwise may be on offer no more. */
export function rulesFor(planes: readonly Plane[], offered: (plane: Plane) => readonly Choice[]): Rules {
  const rules = Object.entries(fieldOf).map(([name, field]): [string, FieldRule] => {
    const plane = planes.find((one) => one === name)
    if (plane === undefined) return [field, { isOptional: true }]
    return [field, { check: (chosen) => (offered(plane).some(({ value }) => value === chosen) ? null : 'required') }]
  })
  return Object.fromEntries(rules)
}

/** Only what the person may use; the subareas are those of the chosen area, or of any where the sheet tells the area. */
export function choicesOf(plane: Plane, use: Use, table: LoadTable, area: string): readonly Choice[] {
  const names = {
    Entity: () => use.Entities.map(({ Name }) => Name),
    Area: () => use.Pairs.map(({ Area }) => Area),
    Subarea: () => use.Pairs.filter(({ Area }) => area === '' || Area === area).map(({ Subarea }) => Subarea),
    Milestone: () => table.Milestones.filter(({ MayWrite }) => MayWrite).map(({ Name }) => Name),
  }
  const sorted = [...new Set(names[plane]())].toSorted((a, b) => a.localeCompare(b))
  return sorted.map((name) => ({ value: name, label: name }))
}

/** For a list in which what cannot be loaded into is shown, with its reason. */
export function tableGroups(tables: readonly LoadTable[]) {
  const groups = [
    ['Versions', 'version'],
    ['Helper Tables', 'helperTable'],
  ] as const
  const known = groups.map(([group, kind]) => ({
    group,
    items: tables.filter(({ Kind }) => Kind === kind).map((table) => tableItem(table)),
  }))
  return [{ value: '', label: 'Choose a table' }, ...known.filter(({ items }) => items.length > 0)]
}

function tableItem(table: LoadTable) {
  const why = whyNot(table)
  return { value: table.Id, label: why === null ? table.Name : `${table.Name} – ${why}`, disabled: why !== null }
}

/** The field that holds the type chosen for a new column; empty for the one that its cells suggest. */
export function fieldOfType(heading: string): string {
  return `type of ${plainName(heading)}`
}

/** The types that were chosen otherwise than suggested. */
function chosenTypes(view: SheetView, table: LoadTable, values: Values): NonNullable<BeginAsk['types']> {
  return newColumns(view.headings, table).flatMap((at) => {
    const column = view.headings[at] ?? ''
    const type = columnTypes.find((each) => each === values[fieldOfType(column)])
    return type === undefined ? [] : [{ column, type }]
  })
}

interface Chosen {
  readonly file: ReadFile
  readonly view: SheetView
  readonly table: LoadTable
  readonly values: Values
}

export function beginAsk({ file, view, table, values }: Chosen): BeginAsk {
  const planes = asked(view, table).map((plane) => [fieldOf[plane], values[fieldOf[plane]]] as const)
  return {
    ...(table.Kind === 'version' ? { versionId: table.Id } : { helperTableId: table.Id }),
    ...Object.fromEntries(planes),
    fileId: file.Id,
    workbook: file.Name,
    sheet: String(values['sheet']),
    firstRow: Number(values['headingRow']),
    firstColumn: 1,
    columns: [...view.headings],
    types: chosenTypes(view, table, values),
  }
}
