/** How Uniconta's rows look inside the simulator, and how they are written. */

export type Cell = string | number | boolean | null | Exact | readonly Row[]
export type Row = Record<string, Cell>

/** A number that is written digit for digit, whatever a double would make of it. */
export class Exact {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toJSON(): string {
    return `\u0001${this.text}\u0001`
  }
}

/** JSON text, exact numbers as bare numbers. */
export function writeJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(/"\\u0001(-?[\d.]+)\\u0001"/g, '$1')
}

/** Cents with two decimals. */
export function money(cents: number): Exact {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return new Exact(`${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`)
}

export const dayMs = 86_400_000

/** A day, which Uniconta writes as midnight without a zone. */
export const day = (at: number): string => `${new Date(at).toISOString().slice(0, 10)}T00:00:00`

/** A moment, without a zone, too. */
export const moment = (at: number): string => new Date(at).toISOString().slice(0, -1)

/** What stands for no date. */
export const noDate = '0001-01-01T00:00:00'
