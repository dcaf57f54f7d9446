/** Rows as JSON. */
import type { Value } from './company.ts'

/** Decimals are numbers without trailing zeros. */
export function toJson(value: Value | Readonly<Record<string, unknown>> | undefined): string {
  if (typeof value === 'bigint') return decimalText(value)
  if (Array.isArray(value)) return `[${value.map((each) => toJson(each as Value)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null)
  return `{${Object.entries(value)
    .map(([name, member]) => `${JSON.stringify(name)}:${toJson(member as Value)}`)
    .join(',')}}`
}

function decimalText(hundredths: bigint): string {
  const digits = String(hundredths < 0n ? -hundredths : hundredths).padStart(3, '0')
  const [tenths = '0', last = '0'] = digits.slice(-2)
  const fraction = last !== '0' ? `${tenths}${last}` : tenths !== '0' ? tenths : ''
  return `${hundredths < 0n ? '-' : ''}${digits.slice(0, -2)}${fraction === '' ? '' : `.${fraction}`}`
}
