/** Highlights cells with errors by a colour and a note, and restores the sheet when the highlights are cleared. */
import { readSetting, supportsNotes, writeSetting } from './office.ts'
import { runInExcel } from './sheet.ts'

export interface CellHighlight {
  readonly cell: string
  readonly message: string
}

interface OriginalFill {
  readonly color: string
  readonly pattern: Excel.RangeFill['pattern']
  readonly patternColor: string
}

interface HighlightedCell {
  readonly cell: string
  readonly fill: OriginalFill
  readonly hasOurNote: boolean
}

/** Stored in the workbook, so that a later pane can clear the highlights of an earlier one. */
interface StoredHighlights {
  readonly worksheetId: string
  readonly cells: readonly HighlightedCell[]
}

const settingName = 'tributary.marks'
/** Dark text on it has a contrast of 12 to 1. */
const colour = '#FFC7CE'
/** Cells per round trip to Excel. */
const batchSize = 200

export function hasHighlights(): boolean {
  return readHighlights() !== undefined
}

/** A workbook can hold any setting: undefined for one that the pane did not write. */
function readHighlights(): StoredHighlights | undefined {
  const stored = readSetting(settingName) as Partial<StoredHighlights> | undefined
  return typeof stored?.worksheetId === 'string' && Array.isArray(stored.cells)
    ? (stored as StoredHighlights)
    : undefined
}

/** Clears earlier highlights first. Several errors of one cell share a note. */
export async function highlightCells(worksheetId: string, highlights: readonly CellHighlight[]): Promise<void> {
  await clearHighlights()
  const messages = new Map<string, string>()
  for (const { cell, message } of highlights)
    messages.set(cell, [messages.get(cell), message].filter(Boolean).join('\n'))
  const cells: HighlightedCell[] = []
  for (const batch of splitIntoBatches([...messages])) {
    cells.push(...(await highlightBatch(worksheetId, batch)))
    await writeSetting(settingName, { worksheetId, cells } satisfies StoredHighlights)
  }
}

function highlightBatch(
  worksheetId: string,
  batch: readonly (readonly [cell: string, message: string])[],
): Promise<readonly HighlightedCell[]> {
  return runInExcel(async (context) => {
    const worksheet = context.workbook.worksheets.getItem(worksheetId)
    const targets = batch.map(([cell, message]) => {
      const { fill } = worksheet.getRange(cell).format
      fill.load('color,pattern,patternColor')
      const note = supportsNotes() ? worksheet.notes.getItemOrNullObject(cell) : undefined
      note?.load('content')
      return { cell, message, fill, note }
    })
    await context.sync()
    const highlighted = targets.map(({ cell, message, fill, note }) => {
      const { color, pattern, patternColor } = fill
      // A user's own note stays; the pane lists the message as well.
      const hasOurNote = note?.isNullObject === true
      if (hasOurNote) worksheet.notes.add(cell, `Tributary: ${message}`)
      fill.color = colour
      return { cell, fill: { color, pattern, patternColor }, hasOurNote }
    })
    await context.sync()
    return highlighted
  })
}

/** A cell that a user has coloured in the meantime keeps that colour. */
export async function clearHighlights(): Promise<void> {
  const stored = readHighlights()
  if (stored === undefined) return
  for (const batch of splitIntoBatches(stored.cells)) await clearBatch(stored.worksheetId, batch)
  await writeSetting(settingName, undefined)
}

function clearBatch(worksheetId: string, batch: readonly HighlightedCell[]): Promise<void> {
  return runInExcel(async (context) => {
    const worksheet = context.workbook.worksheets.getItemOrNullObject(worksheetId)
    worksheet.load('id')
    await context.sync()
    if (worksheet.isNullObject) return
    const targets = batch.map(({ cell, fill: original, hasOurNote }) => {
      const { fill } = worksheet.getRange(cell).format
      fill.load('color')
      const note = hasOurNote ? worksheet.notes.getItemOrNullObject(cell) : undefined
      note?.load('content')
      return { fill, original, note }
    })
    await context.sync()
    for (const { fill, original, note } of targets) {
      if (note?.isNullObject === false) note.delete()
      if (fill.color.toUpperCase() === colour) restoreFill(fill, original)
    }
    await context.sync()
  })
}

/** Excel reports a cell without a fill as white with the pattern `None`. */
function restoreFill(fill: Excel.RangeFill, { color, pattern, patternColor }: OriginalFill): void {
  if (pattern === 'None') fill.clear()
  else if (pattern === 'Solid') fill.color = color
  else fill.set({ pattern, color, patternColor })
}

function splitIntoBatches<T>(items: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / batchSize) }, (_, at) =>
    items.slice(at * batchSize, (at + 1) * batchSize),
  )
}
