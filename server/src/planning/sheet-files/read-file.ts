/** Detects the format of a file from its content, not its name, and reads it. */
import { readSync } from 'node:fs'
import { type CsvSource, readCsv } from './csv/csv-file.ts'
import type { SheetWriter } from './sheet-writer.ts'
import { UnreadableFile } from './unreadable-file.ts'
import { readXlsx } from './xlsx/xlsx.ts'

/** @param flush awaited repeatedly while reading (backpressure); sends the chunks that are ready */
export async function readFile(source: CsvSource, writer: SheetWriter, flush: () => Promise<void>): Promise<void> {
  const { fd } = source
  const start = Buffer.alloc(8)
  const length = readSync(fd, start, 0, start.length, 0)
  if (length === 0) throw new UnreadableFile('The file is empty. Upload the file with the rows.')
  const kind = start.subarray(0, length).toString('latin1')
  if (kind.startsWith('PK')) return readXlsx(fd, writer, flush)
  for (const [signature, message] of unsupportedFormats)
    if (kind.startsWith(signature)) throw new UnreadableFile(message)
  return readCsv(source, writer, flush)
}

const unsupportedFormats: readonly (readonly [string, string])[] = [
  [
    '\xd0\xcf\x11\xe0',
    'This is an old workbook (.xls), or one that is protected with a password. Remove the password, choose Save As, Excel Workbook (.xlsx), and upload that file.',
  ],
  ['%PDF', 'This is a PDF, which has no rows. Upload the .xlsx or .csv file that it was created from.'],
  ['{\\rtf', 'This is a text document. Save the rows as .xlsx or .csv and upload that file.'],
  ['<', 'This is a web page or XML file. Open it in Excel, save it as .xlsx and upload that file.'],
  ['\xef\xbb\xbf<', 'This is a web page or XML file. Open it in Excel, save it as .xlsx and upload that file.'],
]
