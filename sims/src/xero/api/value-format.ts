/** How Xero writes a value. */

export type Row = Readonly<Record<string, unknown>>

/** Keeps the zeros at the end, which a number of JavaScript would lose. */
export const raw = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON

/** Cents, with two decimals. */
export const amount = (cents: number): unknown => raw((cents / 100).toFixed(2))

/** Ten-thousandths, with four decimals; with two where nobody asks for four. */
export const fine = (units: number, decimals: 2 | 4 = 4): unknown => raw((units / 10_000).toFixed(decimals))

export const rate = (value: number): unknown => raw(value === 1 ? '1.0000000000' : value.toFixed(10))

export const percent = (value: number): unknown => raw(value.toFixed(2))

/** A moment or a day, in the form of old .NET. */
export const stamp = (at: number): string => `/Date(${at}+0000)/`

/** The same in the answers that leave the zone away. */
export const bareStamp = (at: number): string => `/Date(${at})/`

/** A day, without a zone. */
export const dayText = (at: number): string => `${new Date(at).toISOString().slice(0, 10)}T00:00:00`

export const momentText = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`

/** Nothing where there is no day. */
export const dated = (key: string, at: number | null): Row =>
  at === null ? {} : { [`${key}String`]: dayText(at), [key]: stamp(at) }

/** What a list looks like to whoever reads it: numbers are numbers. */
export const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T
