/** The user's choices. The workbook stores them, so that next month's load starts with the same ones. */
import { readSetting, writeSetting } from '../host/office.ts'
import type { SheetSource } from '../host/sheet.ts'
import { type RowDimension } from '@tributary/contract/sheet-preview'
import { sliceHeadings } from '@tributary/contract/sheet-headings'

export interface LoadDraft {
  readonly organisationId: string
  readonly tableId: string
  readonly source: SheetSource
  /** Null: the likely one. */
  readonly headingRow: number | null
  /** The id of the sheet for which the heading row was chosen. */
  readonly headingSheet: string
  readonly names: Partial<Record<RowDimension, string>>
}

const settingName = 'tributary.choices'
const emptyDraft: LoadDraft = {
  organisationId: '',
  tableId: '',
  source: 'sheet',
  headingRow: null,
  headingSheet: '',
  names: {},
}

export function storeDraft(draft: LoadDraft): Promise<void> {
  return writeSetting(settingName, draft)
}

/** A workbook can hold any setting, so every field is validated. */
export function readDraft(): LoadDraft {
  const stored = readSetting(settingName)
  if (typeof stored !== 'object' || stored === null) return emptyDraft
  const { organisationId, tableId, source, headingRow, headingSheet, names } = stored as Partial<
    Record<keyof LoadDraft, unknown>
  >
  return {
    organisationId: textOrEmpty(organisationId),
    tableId: textOrEmpty(tableId),
    source: source === 'selection' ? 'selection' : 'sheet',
    headingRow: Number.isInteger(headingRow) && Number(headingRow) >= 0 ? Number(headingRow) : null,
    headingSheet: textOrEmpty(headingSheet),
    names: Object.fromEntries(
      sliceHeadings.map((dimension) => [
        dimension,
        textOrEmpty((names as Partial<Record<RowDimension, unknown>> | undefined)?.[dimension]),
      ]),
    ),
  }
}

function textOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
