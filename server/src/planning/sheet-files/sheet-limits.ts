/** Limits of a file, enforced while it is read: declared sizes are not trusted. */

const mib = 1_048_576

export const rowsMax = 1_048_576
/** Excel's limit; fewer columns can be loaded, see `sheetColumnsMax` of the contract. */
export const sheetWidthMax = 16_384
export const textMax = 32_767
export const sheetsMax = 200
export const sheetNameMax = 100
export const firstRowsMax = 20

export const archiveEntriesMax = 2_000
export const inflatedMaxBytes = 200 * mib
/** Compression ratio. Repetitive sheets reach 40; zip bombs start at 1,000. Small parts are exempt. */
export const inflationMax = 200
export const inflationFreeBytes = mib
export const sharedTextMaxBytes = 64 * mib
export const sharedTextsMax = 4_000_000
export const stylesMax = 65_536
export const nestingMax = 100

/** Stored size: a short file can reference one long text a million times. */
export const storedMaxChars = 200 * mib
export const chunkMaxChars = 32 * mib
export const csvRecordMaxChars = 4 * mib

export const readingMaxMs = 60_000
/** Heap of the process that reads a file. */
export const heapMaxMb = 160
