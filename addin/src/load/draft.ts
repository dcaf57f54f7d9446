/** What somebody is choosing. It stays with the workbook, so that next month's load begins where this one ended. */
import { keep, readKept } from '../host/office.ts'
import type { Source } from '../host/sheet.ts'
import { type Plane, planes } from './headings.ts'

export interface Draft {
  readonly organisationId: string
  readonly tableId: string
  readonly source: Source
  /** Null: the likely one. */
  readonly headingRow: number | null
  /** The id of the sheet that it was chosen for. */
  readonly headingSheet: string
  readonly names: Partial<Record<Plane, string>>
}

const name = 'tributary.choices'
const emptyDraft: Draft = {
  organisationId: '',
  tableId: '',
  source: 'sheet',
  headingRow: null,
  headingSheet: '',
  names: {},
}

export function keepDraft(draft: Draft): Promise<void> {
  return keep(name, draft)
}

/** A workbook comes from anywhere, so what it says may be anything. */
export function readDraft(): Draft {
  const kept = readKept(name)
  if (typeof kept !== 'object' || kept === null) return emptyDraft
  const { organisationId, tableId, source, headingRow, headingSheet, names } = kept as Partial<
    Record<keyof Draft, unknown>
  >
  return {
    organisationId: textOr(organisationId),
    tableId: textOr(tableId),
    source: source === 'selection' ? 'selection' : 'sheet',
    headingRow: Number.isInteger(headingRow) && Number(headingRow) >= 0 ? Number(headingRow) : null,
    headingSheet: textOr(headingSheet),
    names: Object.fromEntries(
      planes.map((plane) => [plane, textOr((names as Partial<Record<Plane, unknown>> | undefined)?.[plane])]),
    ),
  }
}

function textOr(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
