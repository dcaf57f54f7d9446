/** Formats values like Xero. */

export type XeroRow = Readonly<Record<string, unknown>>

/** Keeps trailing zeros, which a JavaScript number would lose. */
export const raw = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON

/** Cents, with two decimals. */
export const amount = (cents: number): unknown => raw((cents / 100).toFixed(2))

/** Ten-thousandths, with four decimals, or with two. */
export const tenThousandths = (units: number, decimals: 2 | 4 = 4): unknown => raw((units / 10_000).toFixed(decimals))

export const rate = (value: number): unknown => raw(value === 1 ? '1.0000000000' : value.toFixed(10))

export const percent = (value: number): unknown => raw(value.toFixed(2))

/** A timestamp or a day, in the old .NET format. */
export const stamp = (at: number): string => `/Date(${at}+0000)/`

/** The same without a zone, as some responses have it. */
export const bareStamp = (at: number): string => `/Date(${at})/`

/** A day, without a zone. */
export const dayText = (at: number): string => `${new Date(at).toISOString().slice(0, 10)}T00:00:00`

export const momentText = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`

/** Empty without a day. */
export const dated = (key: string, at: number | null): XeroRow =>
  at === null ? {} : { [`${key}String`]: dayText(at), [key]: stamp(at) }

/** What a client parses: raw numbers become numbers. */
export const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T
