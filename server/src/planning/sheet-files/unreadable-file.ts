/** The file itself prevents reading. The message is for the user who uploaded it: what is wrong and what to do. */
export class UnreadableFile extends Error {
  override readonly name = 'Unreadable'
}

export function damagedFile(what: string, cause?: unknown): UnreadableFile {
  return new UnreadableFile(
    `The file is damaged (${what}). Open it in Excel, save it again as .xlsx and upload that file.`,
    {
      cause,
    },
  )
}
