/** The least time between two synchronisations of a product by hand, told before the server has to. */
import type { Product } from '@tributary/contract/accounting'
import { accountingSyncEveryMs } from '@tributary/contract/limits'

type Times = Pick<Product, 'CompanyName' | 'LastIncrementalTriggerDate' | 'NextTriggerAtUtc'>

const minuteMs = 60_000

/** How long it is until the product may be synchronised again; 0: at once. */
export function waitMs({ NextTriggerAtUtc }: Times, now: number): number {
  return NextTriggerAtUtc === null ? 0 : Math.max(0, Date.parse(NextTriggerAtUtc) - now)
}

export function tooSoonWords({ CompanyName, LastIncrementalTriggerDate }: Times, now: number): string {
  const sinceMs = LastIncrementalTriggerDate === null ? 0 : Math.max(0, now - Date.parse(LastIncrementalTriggerDate))
  const minutes = Math.floor(sinceMs / minuteMs)
  return `Please wait ${accountingSyncEveryMs / minuteMs} minutes from last refresh. It has been ${minutes} minutes since ${CompanyName} was last refreshed.`
}

/** `14:05` */
export function countdown(leftMs: number): string {
  const seconds = Math.ceil(leftMs / 1_000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
