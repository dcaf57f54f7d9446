/** The way of one sheet to the server, which can be taken up again where it stopped. */
import { Refusal } from '../api/call-error.ts'
import { watchSheet } from '../host/sheet.ts'
import { isAsPlanned, type Plan, rowsPlace } from './load-plan.ts'
import { nothingSent, type Sending, type Sent, sendRows } from './send-rows.ts'

export interface Way {
  /** Sends what has not been sent. Throws a SheetChanged where the rows may no longer belong together. */
  go(signal: AbortSignal, onProgress: (sent: Sent) => void): Promise<void>
  /** Lets go of the sheet. */
  end(): Promise<void>
}

/** A row that moved while the sheet was read would be there twice, or not at all; a column that moved since the preview, under another heading. */
export class SheetChanged extends Refusal {
  constructor() {
    super('The sheet was changed meanwhile. Nothing was loaded. Read it again when everybody has finished.')
  }
}

export function wayOf(plan: Plan, loadId: string, wait: Sending['wait']): Way {
  const place = rowsPlace(plan)
  let sent = nothingSent
  let hasChanged = false
  let unwatch: Promise<() => Promise<void>> | undefined
  return {
    async go(signal, onProgress) {
      unwatch ??= watchSheet(place, () => (hasChanged = true))
      await unwatch.catch((error: unknown) => {
        // Excel may be able to do so when it is asked again.
        unwatch = undefined
        throw error
      })
      if (sent === nothingSent && !(await isAsPlanned(plan))) throw new SheetChanged()
      const keep = (now: Sent) => {
        if (hasChanged) throw new SheetChanged()
        sent = now
        onProgress(now)
      }
      await sendRows({ place, loadId, from: sent, signal, onProgress: keep, wait })
    },
    async end() {
      const stop = await unwatch?.catch(() => undefined)
      unwatch = undefined
      await stop?.().catch(() => undefined)
    },
  }
}
