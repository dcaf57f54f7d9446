/**
 * The server's clock: elapsed times on screen and the expiry of tokens must not depend on the clock of this computer.
 */

let offsetMs = 0
/** The `Date` header has whole seconds and ages in transit, so smaller differences mean nothing. */
const toleranceMs = 2_000

/** The server's time in milliseconds since 1970. */
export function now(): number {
  return Date.now() + offsetMs
}

export function synchroniseClock(response: Response): void {
  const serverTime = Date.parse(response.headers.get('date') ?? '')
  if (Number.isNaN(serverTime)) return
  const differenceMs = serverTime - Date.now()
  offsetMs = Math.abs(differenceMs) > toleranceMs ? differenceMs : 0
}
