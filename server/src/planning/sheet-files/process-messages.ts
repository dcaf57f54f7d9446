/** Messages of the process that reads a file. The parent acknowledges each chunk with any message once it is stored. */
import type { SheetChunk, SheetSummary } from './sheet.ts'

export type SheetProcessMessage =
  | { readonly chunk: SheetChunk }
  | { readonly sheets: readonly SheetSummary[] }
  | { readonly unreadable: string }
  /** A bug: the stack without the message, which may contain data of the file. */
  | { readonly broken: string }

/** The file descriptor in the child process; lower numbers are its standard streams and the IPC channel. */
export const fileDescriptor = 4
