import { sheetColumnsMax } from '@tributary/contract/limits'
import { sheetsMax } from './sheet-limits.ts'

/** The file itself prevents reading. The message is for the user who uploaded it: what is wrong and what to do. */
export class UnreadableFile extends Error {
  override readonly name = 'Unreadable'
}

/** @param address of the cell, with its sheet */
export function tooManyColumns(address: string): UnreadableFile {
  const what = `${address} holds a value, but at most ${sheetColumnsMax} columns can be loaded.`
  return new UnreadableFile(`${what} Delete the columns that are not needed.`)
}

export function tooManySheets(): UnreadableFile {
  return new UnreadableFile(
    `The workbook has more than ${sheetsMax} sheets. Copy those that you want to load into a new one.`,
  )
}

export function damagedFile(what: string, cause?: unknown): UnreadableFile {
  return new UnreadableFile(
    `The file is damaged (${what}). Open it in Excel, save it again as .xlsx and upload that file.`,
    {
      cause,
    },
  )
}
