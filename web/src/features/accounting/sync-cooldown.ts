/** Checks the minimum interval between two manual synchronisations in the browser, before the server refuses. */
import type { AccountingProduct } from '@tributary/contract/accounting'
import { accountingSyncEveryMs } from '@tributary/contract/limits'

type SynchronisationTimes = Pick<AccountingProduct, 'CompanyName' | 'LastIncrementalTriggerDate' | 'NextTriggerAtUtc'>

const minuteMs = 60_000

/** Milliseconds until the product may be synchronised again; 0 if now. */
export function cooldownMs({ NextTriggerAtUtc }: SynchronisationTimes, now: number): number {
  return NextTriggerAtUtc === null ? 0 : Math.max(0, Date.parse(NextTriggerAtUtc) - now)
}

export function cooldownMessage(
  { CompanyName, LastIncrementalTriggerDate }: SynchronisationTimes,
  now: number,
): string {
  const sinceMs = LastIncrementalTriggerDate === null ? 0 : Math.max(0, now - Date.parse(LastIncrementalTriggerDate))
  const minutes = Math.floor(sinceMs / minuteMs)
  return `Please wait ${accountingSyncEveryMs / minuteMs} minutes from last refresh. It has been ${minutes} minutes since ${CompanyName} was last refreshed.`
}

/** Formats milliseconds as `14:05`. */
export function formatCountdown(remainingMs: number): string {
  const seconds = Math.ceil(remainingMs / 1_000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
