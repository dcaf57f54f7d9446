/** Reads a file by what it is, whatever it is called. */
import { readSync } from 'node:fs'
import { type CsvReading, readCsv } from './csv/csv-file.ts'
import type { SheetWriter } from './sheet-writer.ts'
import { Unreadable } from './unreadable-file.ts'
import { readXlsx } from './xlsx/xlsx.ts'

/** @param flush awaited again and again while reading; sends on what is ready. */
export async function readFile(reading: CsvReading, writer: SheetWriter, flush: () => Promise<void>): Promise<void> {
  const { fd } = reading
  const start = Buffer.alloc(8)
  const length = readSync(fd, start, 0, start.length, 0)
  if (length === 0) throw new Unreadable('The file is empty. Drop the one that holds the rows.')
  const kind = start.subarray(0, length).toString('latin1')
  if (kind.startsWith('PK')) return readXlsx(fd, writer, flush)
  for (const [beginning, sentence] of others) if (kind.startsWith(beginning)) throw new Unreadable(sentence)
  return readCsv(reading, writer, flush)
}

const others: readonly (readonly [string, string])[] = [
  [
    '\xd0\xcf\x11\xe0',
    'This is an old workbook (.xls), or one that is locked with a password. Remove the password, choose Save As, Excel Workbook (.xlsx), and drop that file.',
  ],
  ['%PDF', 'This is a PDF, which holds no rows. Drop the .xlsx or .csv that it was made from.'],
  ['{\\rtf', 'This is a text document. Save the rows as .xlsx or .csv and drop that file.'],
  ['<', 'This is a web page or XML, whatever it is called. Open it in Excel, save it as .xlsx and drop that file.'],
  [
    '\xef\xbb\xbf<',
    'This is a web page or XML, whatever it is called. Open it in Excel, save it as .xlsx and drop that file.',
  ],
]
