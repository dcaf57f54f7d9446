/** Numbers as text, exact: what a decimal column of every target holds. Pure. */

/** `decimal(38,20)`: SQL Server holds no more than 38 digits; twenty after the point keep what a sheet reckons with. */
export const decimalSize = { precision: 38, scale: 20 } as const
const wholeMax = decimalSize.precision - decimalSize.scale

/** Without exponent and without a zero too many, so that equal numbers are equal texts; undefined where the column cannot hold it. */
export function plainNumber(written: string): string | undefined {
  const [mantissa = '', exponent = '0'] = written.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const digits = `${whole}${fraction}`
  if (/^0*$/u.test(digits)) return '0'
  const shift = Number(exponent)
  // Longer ones could not fit, and the zeros of a huge exponent are not to be written out first.
  if (Math.abs(shift) > digits.length + decimalSize.precision) return undefined
  const { left, right } = withPoint(digits, whole.length + shift)
  if (left.length > wholeMax || right.length > decimalSize.scale) return undefined
  const plain = right === '' ? left : `${left || '0'}.${right}`
  return mantissa.startsWith('-') ? `-${plain}` : plain
}

/** The digits before and after a point that may stand outside of them. */
function withPoint(digits: string, point: number): { readonly left: string; readonly right: string } {
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
