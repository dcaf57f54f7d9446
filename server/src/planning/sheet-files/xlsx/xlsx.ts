/** Reads the sheets of a workbook (.xlsx, .xlsm) sequentially. */
import { openArchive } from '../zip-archive.ts'
import type { SheetWriter } from '../sheet-writer.ts'
import { readWorkbook } from './workbook-parts.ts'
import { Worksheet } from './worksheet.ts'
import { readXml } from './xml.ts'

/** @param flush awaited repeatedly (backpressure); sends the chunks that are ready */
export async function readXlsx(fd: number, writer: SheetWriter, flush: () => Promise<void>): Promise<void> {
  const archive = await openArchive(fd)
  const workbook = await readWorkbook(archive)
  for (const { name, path, isHidden } of workbook.sheets) {
    writer.begin(name)
    const sheet = new Worksheet(workbook, writer)
    await readXml(archive.read(path), sheet, flush)
    writer.end([...(isHidden ? ['It is hidden in the workbook.'] : []), ...sheet.notices()], { isHidden })
    await flush()
  }
}
