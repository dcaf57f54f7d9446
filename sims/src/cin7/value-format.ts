/** Formats values like Cin7 Core. */

/** Cents as a number with two decimals. A double represents every amount of a small company. */
export const amount = (cents: number): number => cents / 100

/** A day, which Cin7 writes as midnight without a zone. */
export const day = (at: number): string => `${new Date(at).toISOString().slice(0, 10)}T00:00:00`

/** A timestamp, with as many decimals as needed. */
export const instant = (at: number): string => new Date(at).toISOString().replace(/0{1,2}Z$/, 'Z')

export type Cin7Row = Readonly<Record<string, unknown>>

/** `PriceTier1` to `PriceTier10`. */
export const numberedFields = (name: string, first: unknown, rest: unknown): Cin7Row =>
  Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`${name}${index + 1}`, index === 0 ? first : rest]))
