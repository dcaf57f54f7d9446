/** How Cin7 Core writes a value. */

/** Cents as a number with two decimals: a double holds every such amount of a small company. */
export const amount = (cents: number): number => cents / 100

/** A day, which Cin7 writes as midnight without a zone. */
export const day = (at: number): string => `${new Date(at).toISOString().slice(0, 10)}T00:00:00`

/** A moment, with as many decimals as it needs. */
export const moment = (at: number): string => new Date(at).toISOString().replace(/0{1,2}Z$/, 'Z')

export type Row = Readonly<Record<string, unknown>>

/** `PriceTier1` to `PriceTier10`. */
export const ten = (name: string, first: unknown, rest: unknown): Row =>
  Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`${name}${index + 1}`, index === 0 ? first : rest]))
