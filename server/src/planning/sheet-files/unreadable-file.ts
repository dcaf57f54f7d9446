/** A file that cannot be read for a reason that lies in the file. The message is for whoever dropped it: what is wrong and what to do. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

export function damaged(what: string, cause?: unknown): Unreadable {
  return new Unreadable(`The file is damaged (${what}). Open it in Excel, save it anew as .xlsx and drop that file.`, {
    cause,
  })
}
