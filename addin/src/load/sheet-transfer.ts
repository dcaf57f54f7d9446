/** The transfer of one sheet to the server, which can resume where it stopped. */
import { PaneError } from '../api/pane-error.ts'
import { watchSheet } from '../host/sheet.ts'
import { isUnchanged, type LoadPlan, rowsBelowHeadings } from './load-plan.ts'
import { noProgress, type RowTransfer, sendRows, type TransferProgress } from './send-rows.ts'

export interface SheetTransfer {
  /** Sends the remaining rows. Throws a SheetChangedError if the sheet has changed since the preview. */
  run(signal: AbortSignal, onProgress: (progress: TransferProgress) => void): Promise<void>
  /** Stops watching the sheet. */
  close(): Promise<void>
}

/** A row that moves during the transfer could arrive twice or not at all; a moved column would get another heading. */
export class SheetChangedError extends PaneError {
  constructor() {
    super('The sheet was changed meanwhile. Nothing was loaded. Read it again when everybody has finished.')
  }
}

export function createSheetTransfer(plan: LoadPlan, loadId: string, delay: RowTransfer['delay']): SheetTransfer {
  const range = rowsBelowHeadings(plan)
  let sent = noProgress
  let hasChanged = false
  let unwatch: Promise<() => Promise<void>> | undefined
  return {
    async run(signal, onProgress) {
      unwatch ??= watchSheet(range, () => (hasChanged = true))
      await unwatch.catch((error: unknown) => {
        // Excel may accept the next attempt.
        unwatch = undefined
        throw error
      })
      if (sent === noProgress && !(await isUnchanged(plan))) throw new SheetChangedError()
      const record = (progress: TransferProgress) => {
        if (hasChanged) throw new SheetChangedError()
        sent = progress
        onProgress(progress)
      }
      await sendRows({ range, loadId, from: sent, signal, onProgress: record, delay })
    },
    async close() {
      const stop = await unwatch?.catch(() => undefined)
      unwatch = undefined
      await stop?.().catch(() => undefined)
    },
  }
}
