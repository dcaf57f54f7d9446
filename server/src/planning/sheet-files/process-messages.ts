/** What the process that reads a file says. Each chunk is answered with any message once it is taken. */
import type { SheetChunk, SheetSummary } from './sheet.ts'

export type FromProcess =
  | { readonly chunk: SheetChunk }
  | { readonly sheets: readonly SheetSummary[] }
  | { readonly unreadable: string }
  /** Our own mistake: where it happened, without the message, which may hold what stands in the file. */
  | { readonly broken: string }

/** The number by which the process finds the file; those below are its streams and its way to us. */
export const fileDescriptor = 4
