/** The simulator's rows, and how they are serialised. */

export type UnicontaCell = string | number | boolean | null | ExactNumber | readonly UnicontaRow[]
export type UnicontaRow = Record<string, UnicontaCell>

/** A number that is serialised digit by digit, independent of double precision. */
export class ExactNumber {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toJSON(): string {
    return `\u0001${this.text}\u0001`
  }
}

/** Serialises to JSON, with exact numbers as numbers. */
export function writeJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(/"\\u0001(-?[\d.]+)\\u0001"/g, '$1')
}

/** Cents as a number with two decimals. */
export function money(cents: number): ExactNumber {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return new ExactNumber(`${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`)
}

export const dayMs = 86_400_000

/** A day, which Uniconta writes as midnight without a zone. */
export const day = (at: number): string => `${new Date(at).toISOString().slice(0, 10)}T00:00:00`

/** A timestamp, also without a zone. */
export const instant = (at: number): string => new Date(at).toISOString().slice(0, -1)

/** Uniconta's representation of a missing date. */
export const noDate = '0001-01-01T00:00:00'
