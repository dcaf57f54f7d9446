/** Cells that stand in the way, coloured and annotated in the sheet; and everything as it was when they are cleared. */
import { hasNotes, keep, readKept } from './office.ts'
import { inExcel } from './sheet.ts'

export interface Marked {
  readonly cell: string
  readonly message: string
}

interface Fill {
  readonly color: string
  readonly pattern: Excel.RangeFill['pattern']
  readonly patternColor: string
}

/** Kept with the workbook, so that a pane that is opened later can clear what an earlier one has marked. */
interface Kept {
  readonly worksheetId: string
  readonly cells: readonly { readonly cell: string; readonly fill: Fill; readonly hasOurNote: boolean }[]
}

const name = 'tributary.marks'
/** Dark text on it has a contrast of 12 to 1. */
const colour = '#FFC7CE'
/** In one round trip to Excel. */
const atOnce = 200

export function hasMarks(): boolean {
  return readMarks() !== undefined
}

/** A workbook comes from anywhere; what we have not written is left alone. */
function readMarks(): Kept | undefined {
  const kept = readKept(name) as Partial<Kept> | undefined
  return typeof kept?.worksheetId === 'string' && Array.isArray(kept.cells) ? (kept as Kept) : undefined
}

/** Clears former marks first. Several errors of one cell become one note. */
export async function markCells(worksheetId: string, marks: readonly Marked[]): Promise<void> {
  await clearMarks()
  const notes = new Map<string, string>()
  for (const { cell, message } of marks) notes.set(cell, [notes.get(cell), message].filter(Boolean).join('\n'))
  const cells: Kept['cells'][number][] = []
  for (const some of parts([...notes])) {
    cells.push(...(await markSome(worksheetId, some)))
    await keep(name, { worksheetId, cells } satisfies Kept)
  }
}

function markSome(
  worksheetId: string,
  some: readonly (readonly [cell: string, message: string])[],
): Promise<Kept['cells']> {
  return inExcel(async (context) => {
    const worksheet = context.workbook.worksheets.getItem(worksheetId)
    const found = some.map(([cell, message]) => {
      const { fill } = worksheet.getRange(cell).format
      fill.load('color,pattern,patternColor')
      const note = hasNotes() ? worksheet.notes.getItemOrNullObject(cell) : undefined
      note?.load('content')
      return { cell, message, fill, note }
    })
    await context.sync()
    const former = found.map(({ cell, message, fill, note }) => {
      const { color, pattern, patternColor } = fill
      // Somebody's own note stays as it is; the pane tells the message all the same.
      const hasOurNote = note?.isNullObject === true
      if (hasOurNote) worksheet.notes.add(cell, `Tributary: ${message}`)
      fill.color = colour
      return { cell, fill: { color, pattern, patternColor }, hasOurNote }
    })
    await context.sync()
    return former
  })
}

/** A cell that somebody has coloured differently meanwhile keeps that colour. */
export async function clearMarks(): Promise<void> {
  const kept = readMarks()
  if (kept === undefined) return
  for (const some of parts(kept.cells)) await clearSome(kept.worksheetId, some)
  await keep(name, undefined)
}

function clearSome(worksheetId: string, some: Kept['cells']): Promise<void> {
  return inExcel(async (context) => {
    const worksheet = context.workbook.worksheets.getItemOrNullObject(worksheetId)
    worksheet.load('id')
    await context.sync()
    if (worksheet.isNullObject) return
    const found = some.map(({ cell, fill: former, hasOurNote }) => {
      const { fill } = worksheet.getRange(cell).format
      fill.load('color')
      const note = hasOurNote ? worksheet.notes.getItemOrNullObject(cell) : undefined
      note?.load('content')
      return { fill, former, note }
    })
    await context.sync()
    for (const { fill, former, note } of found) {
      if (note?.isNullObject === false) note.delete()
      if (fill.color.toUpperCase() === colour) restore(fill, former)
    }
    await context.sync()
  })
}

/** A cell without a fill is told as white. */
function restore(fill: Excel.RangeFill, { color, pattern, patternColor }: Fill): void {
  if (pattern === 'None') fill.clear()
  else if (pattern === 'Solid') fill.color = color
  else fill.set({ pattern, color, patternColor })
}

function parts<T>(all: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / atOnce) }, (_, at) => all.slice(at * atOnce, (at + 1) * atOnce))
}
