/** How many refreshes Power BI allows for a dataset in 24 hours. */

const windowMs = 24 * 3_600_000
/** So that a difference between two clocks does not make a refresh the ninth. */
const marginMs = 60_000

/** When the next refresh is possible. Null: now. @param starts of all refreshes that count, in any order */
export function findFreeTime(
  starts: readonly string[],
  { limit, now }: { readonly limit: number; readonly now: Date },
): Date | null {
  const recent = starts
    .map((start) => Date.parse(start))
    .filter((start) => start > now.getTime() - windowMs - marginMs)
    .toSorted((one, other) => other - one)
  const blocking = recent[limit - 1]
  return blocking === undefined ? null : new Date(blocking + windowMs + marginMs)
}
