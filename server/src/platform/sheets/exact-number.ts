/** Numbers as text, digit by digit: no sum of money goes through a double. */

/** Most numbers, which are let through as they are. */
const plainForm = /^(?:-?[1-9]\d{0,99}|0)(?:\.\d{1,99})?$/u
const numberForm = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/u
/** A double has no more. */
const exponentMax = 330

/** `1E-3` as `0.001`, `-0` as `0`; null where the text is no number. */
export function plainNumber(text: string): string | null {
  if (plainForm.test(text)) return text
  const found = numberForm.exec(text)
  if (found === null) return null
  const [, sign, whole = '', fraction = '', exponent = '0'] = found
  const digits = whole + fraction
  if (digits === '' || digits.length > exponentMax || Math.abs(Number(exponent)) > exponentMax) return null
  const plain = withPoint(digits, whole.length + Number(exponent))
  return sign === '-' && /[1-9]/u.test(plain) ? `-${plain}` : plain
}

/** @param point how many of the digits stand before it; negative where zeros follow it first. */
function withPoint(digits: string, point: number): string {
  const left =
    point <= 0
      ? '0'
      : digits
          .slice(0, point)
          .padEnd(point, '0')
          .replace(/^0+(?=\d)/u, '')
  const right = point < 0 ? '0'.repeat(-point) + digits : digits.slice(point)
  return right === '' ? left : `${left}.${right}`
}

/**
 * Excel writes its doubles with 17 digits: who typed 4.11 finds 4.1100000000000003 in the file. Where the digits are exactly those
 * of a double, the shortest ones that mean the same double are what was typed; digits that no double wrote are left alone.
 */
export function typedNumber(text: string): string | null {
  const plain = plainNumber(text)
  if (plain === null || plain.length <= 16) return plain
  const value = Number(plain)
  const ofDouble = plainNumber(value.toPrecision(17))
  return ofDouble !== null && withoutZeros(ofDouble) === withoutZeros(plain) ? plainNumber(String(value)) : plain
}

function withoutZeros(plain: string): string {
  return plain.includes('.') ? plain.replace(/\.?0+$/u, '') : plain
}
