/** The sheet that is loaded: where its rows are, and what they hold. */
import type { Cell } from '@tributary/contract/cells'
import { Refusal } from '../api/call-error.ts'
import { cellsOf } from './cells.ts'

export type Source = 'sheet' | 'selection'

/** Rows and columns count from 0, as Excel's own calls do. */
export interface Place {
  readonly workbook: string
  readonly worksheetId: string
  readonly sheet: string
  readonly row: number
  readonly column: number
  readonly rows: number
  readonly columns: number
  /** Its days are counted since 1904. */
  readonly is1904: boolean
}

/** Of the sheet in front, or of the one that is named. Throws a Refusal that says what to select or to fill in. */
export function findPlace(source: Source, worksheetId?: string): Promise<Place> {
  return inExcel(async (context) => {
    const { workbook } = context
    const { worksheets } = workbook
    const worksheet = worksheetId === undefined ? worksheets.getActiveWorksheet() : worksheets.getItem(worksheetId)
    const used = worksheet.getUsedRangeOrNullObject(true)
    const range = source === 'sheet' ? used : workbook.getSelectedRange().getIntersectionOrNullObject(used)
    const day = workbook.functions.date(2000, 1, 1)
    workbook.load('name')
    worksheet.load('id,name')
    range.load('rowIndex,columnIndex,rowCount,columnCount')
    day.load('value')
    await context.sync()
    if (range.isNullObject) throw new Refusal(nothingThere(source, worksheet.name))
    return {
      workbook: workbook.name,
      worksheetId: worksheet.id,
      sheet: worksheet.name,
      row: range.rowIndex,
      column: range.columnIndex,
      rows: range.rowCount,
      columns: range.columnCount,
      is1904: day.value === firstOf2000In1904,
    }
  })
}

const firstOf2000In1904 = 35_064

function nothingThere(source: Source, sheet: string): string {
  return source === 'sheet'
    ? `The sheet ‘${sheet}’ is empty. Go to the sheet that holds your rows and read it again.`
    : 'There is nothing in the selected cells. Select the table with its headings and read it again.'
}

/** In one round trip to Excel. `from` counts from the first row of the place. */
export function readRows(
  { worksheetId, sheet, row, column, columns, is1904 }: Place,
  from: number,
  count: number,
): Promise<Cell[][]> {
  return inExcel(async (context) => {
    const range = context.workbook.worksheets.getItem(worksheetId).getRangeByIndexes(row + from, column, count, columns)
    range.load('values,valueTypes,numberFormat')
    await context.sync()
    return cellsOf(range, is1904)
  }, `The sheet ‘${sheet}’ is not there any more.`)
}

/** Calls `onChange` for every change of that sheet, until the answer is called. */
export async function watchSheet({ worksheetId }: Place, onChange: () => void): Promise<() => Promise<void>> {
  const watching = await inExcel(async (context) => {
    const handler = context.workbook.worksheets.getItem(worksheetId).onChanged.add(async () => onChange())
    await context.sync()
    return handler
  })
  return () =>
    inExcel(
      async (context) => {
        watching.remove()
        await context.sync()
      },
      undefined,
      watching.context,
    )
}

export function goTo(worksheetId: string, cell: string): Promise<void> {
  return inExcel(async (context) => {
    const worksheet = context.workbook.worksheets.getItem(worksheetId)
    worksheet.activate()
    worksheet.getRange(cell).select()
    await context.sync()
  })
}

type Work<T> = (context: Excel.RequestContext) => Promise<T>

/** Excel's own words are for developers; while a cell is being typed in it answers nothing else. */
export async function inExcel<T>(
  work: Work<T>,
  missing?: string,
  known?: OfficeExtension.ClientRequestContext,
): Promise<T> {
  try {
    return await (known === undefined ? Excel.run(work) : Excel.run(known, work))
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Refusal(sentenceOf((error as { code?: string }).code, missing))
  }
}

function sentenceOf(
  code: string | undefined,
  missing = 'What the pane looked for is not in the workbook any more.',
): string {
  if (code === 'InvalidOperationInCellEditMode')
    return 'Excel waits for a cell that is being typed in. Press Enter there and try again.'
  if (code === 'ItemNotFound') return `${missing} Choose again what to load.`
  if (code === 'AccessDenied') return 'The sheet is protected. Unprotect it and try again.'
  if (code === 'InvalidSelection' || code === 'InvalidArgument')
    return 'Select one block of cells, with its headings, and try again.'
  if (code === 'ResponsePayloadSizeLimitExceeded')
    return 'Excel cannot hand over so much text at once. Load fewer columns at a time.'
  return 'Excel could not do that just now. Finish what is open in the sheet and try again.'
}
