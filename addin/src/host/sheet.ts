/** The sheet to load: the range of its rows, and their cells. */
import type { SheetCell } from '@tributary/contract/cells'
import { PaneError } from '../api/pane-error.ts'
import { convertCells } from './cells.ts'

export type SheetSource = 'sheet' | 'selection'

/** Rows and columns count from 0, as in Excel's API. */
export interface SheetRange {
  readonly workbook: string
  readonly worksheetId: string
  readonly sheet: string
  readonly row: number
  readonly column: number
  readonly rows: number
  readonly columns: number
  /** The workbook counts its days from 1904. */
  readonly is1904: boolean
}

/** Searches the given sheet, or the active one. Throws a PaneError that says what to select or to fill in. */
export function findRange(source: SheetSource, worksheetId?: string): Promise<SheetRange> {
  return runInExcel(async (context) => {
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
    if (range.isNullObject) throw new PaneError(describeEmptyRange(source, worksheet.name))
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

function describeEmptyRange(source: SheetSource, sheet: string): string {
  return source === 'sheet'
    ? `The sheet ‘${sheet}’ is empty. Go to the sheet that holds your rows and read it again.`
    : 'There is nothing in the selected cells. Select the table with its headings and read it again.'
}

/** Reads in one round trip to Excel. `from` counts from the first row of the range. */
export function readRows(
  { worksheetId, sheet, row, column, columns, is1904 }: SheetRange,
  from: number,
  count: number,
): Promise<SheetCell[][]> {
  return runInExcel(async (context) => {
    const range = context.workbook.worksheets.getItem(worksheetId).getRangeByIndexes(row + from, column, count, columns)
    range.load('values,valueTypes,numberFormat')
    await context.sync()
    return convertCells(range, is1904)
  }, `The sheet ‘${sheet}’ is not in the workbook any more.`)
}

/** Calls `onChange` for every change of that sheet. Returns a function that stops watching. */
export async function watchSheet({ worksheetId }: SheetRange, onChange: () => void): Promise<() => Promise<void>> {
  const subscription = await runInExcel(async (context) => {
    const handler = context.workbook.worksheets.getItem(worksheetId).onChanged.add(async () => onChange())
    await context.sync()
    return handler
  })
  return () =>
    runInExcel(
      async (context) => {
        subscription.remove()
        await context.sync()
      },
      undefined,
      subscription.context,
    )
}

export function selectCell(worksheetId: string, cell: string): Promise<void> {
  return runInExcel(async (context) => {
    const worksheet = context.workbook.worksheets.getItem(worksheetId)
    worksheet.activate()
    worksheet.getRange(cell).select()
    await context.sync()
  })
}

type ExcelWork<T> = (context: Excel.RequestContext) => Promise<T>

/** Throws a PaneError with a message for users, because Excel's messages are for developers. */
export async function runInExcel<T>(
  work: ExcelWork<T>,
  missing?: string,
  existing?: OfficeExtension.ClientRequestContext,
): Promise<T> {
  try {
    return await (existing === undefined ? Excel.run(work) : Excel.run(existing, work))
  } catch (error) {
    if (error instanceof PaneError) throw error
    throw new PaneError(describeExcelError((error as { code?: string }).code, missing))
  }
}

function describeExcelError(
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
    return 'Excel cannot return so much text at once. Load fewer columns at a time.'
  return 'Excel could not do that just now. Finish what is open in the sheet and try again.'
}
