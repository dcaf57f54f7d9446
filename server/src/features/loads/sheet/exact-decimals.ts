/** Exact decimals as text, within the range that every target's decimal column holds. Pure. */

/** `decimal(38,20)`: SQL Server holds at most 38 digits; 20 fraction digits keep the precision of a spreadsheet. */
export const decimalSize = { precision: 38, scale: 20 } as const
const wholeMax = decimalSize.precision - decimalSize.scale

/**
 * Canonical form: no exponent and no redundant zeros, so that equal numbers are equal texts. Undefined if the column
 * cannot hold the
 * number. Rounds digits beyond the scale half away from zero, such as 2.7755575615628914E-17 from a calculation.
 */
export function plainNumber(written: string): string | undefined {
  const [mantissa = '', exponent = '0'] = written.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const digits = `${whole}${fraction}`
  if (/^0*$/u.test(digits)) return '0'
  const shift = Number(exponent)
  // Avoids writing out the zeros of a huge exponent.
  if (shift > digits.length + decimalSize.precision) return undefined
  if (-shift > digits.length + decimalSize.precision) return '0'
  const { left, right } = rounded(withPoint(digits, whole.length + shift))
  return left.length > wholeMax
    ? undefined
    : signed(mantissa.startsWith('-'), right === '' ? left : `${left || '0'}.${right}`)
}

function signed(isNegative: boolean, plain: string): string {
  if (plain === '') return '0'
  return isNegative ? `-${plain}` : plain
}

/** True if storing the number rounds it. */
export function isRounded(written: string): boolean {
  const [mantissa = '', exponent = '0'] = written.toLowerCase().split('e')
  const [, fraction = ''] = mantissa.split('.')
  const digits = mantissa.replace('.', '')
  const last = Math.max(...[...'123456789'].map((digit) => digits.lastIndexOf(digit)))
  return last !== -1 && fraction.length - (digits.length - 1 - last) - Number(exponent) > decimalSize.scale
}

function rounded({ left, right }: Halves): Halves {
  if (right.length <= decimalSize.scale) return { left, right }
  const scaledDown =
    BigInt(`${left}${right.slice(0, decimalSize.scale)}`) + (right.charAt(decimalSize.scale) >= '5' ? 1n : 0n)
  const digits = scaledDown.toString().padStart(decimalSize.scale + 1, '0')
  return {
    left: digits.slice(0, -decimalSize.scale).replace(/^0+/u, ''),
    right: digits.slice(-decimalSize.scale).replace(/0+$/u, ''),
  }
}

interface Halves {
  readonly left: string
  readonly right: string
}

/** Splits digits at a decimal point, which may be outside of them. */
function withPoint(digits: string, point: number): Halves {
  const wide = `${'0'.repeat(Math.max(0, -point))}${digits}`.padEnd(point, '0')
  const at = Math.max(0, point)
  return { left: wide.slice(0, at).replace(/^0+/u, ''), right: wide.slice(at).replace(/0+$/u, '') }
}

export function sumOf(numbers: Iterable<string | null>): string {
  let sum = 0n
  for (const number of numbers) if (number !== null) sum += scaled(number)
  return unscaled(sum)
}

function scaled(number: string): bigint {
  const [whole = '0', fraction = ''] = number.split('.')
  return BigInt(`${whole}${fraction.padEnd(decimalSize.scale, '0')}`)
}

function unscaled(value: bigint): string {
  const digits = (value < 0n ? -value : value).toString().padStart(decimalSize.scale + 1, '0')
  const fraction = digits.slice(-decimalSize.scale).replace(/0+$/u, '')
  return `${value < 0n ? '-' : ''}${digits.slice(0, -decimalSize.scale)}${fraction === '' ? '' : `.${fraction}`}`
}
