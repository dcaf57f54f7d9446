/** The server's clock: what is stalled, and how long ago something was, must not depend on how this computer's clock is set. */

let aheadMs = 0
/** The header tells whole seconds and the answer was on its way; smaller differences mean nothing. */
const toleranceMs = 2_000

export function now(): number {
  return Date.now() + aheadMs
}

export function learnTime(response: Response): void {
  const told = Date.parse(response.headers.get('date') ?? '')
  if (Number.isNaN(told)) return
  const differenceMs = told - Date.now()
  aheadMs = Math.abs(differenceMs) > toleranceMs ? differenceMs : 0
}
