/** Exact numbers as text. Amounts pass through a double only if the file itself stores one. */

/** Fast path: most numbers are already in plain form. */
const plainForm = /^(?:-?[1-9]\d{0,99}|0)(?:\.\d{1,99})?$/u
const numberForm = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/u
/** Largest exponent of a double. */
const exponentMax = 330

/** `1E-3` as `0.001`, `-0` as `0`; null if the text is not a number. */
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

/** @param point number of digits before the point; negative for leading zeros after it */
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

/** Digits that every double preserves and that Excel shows. */
const shownDigits = 15

/**
 * The number that a cell of a workbook shows. Cells are IEEE doubles with up to 17 digits: 4.11 is stored as
 * 4.1100000000000003.
 * The shortest digits that round-trip to the same double are what the user typed. Python programs write 16 digits
 * (`%.16G`), which may be a neighbouring double: 622901.69 is stored as 622901.6899999999.
 * https://learn.microsoft.com/office/troubleshoot/excel/floating-point-arithmetic-inaccurate-result
 */
export function typedNumber(text: string): string | null {
  const plain = plainNumber(text)
  if (plain === null) return null
  const digits = digitsOf(plain)
  if (digits <= shownDigits) return plain
  const value = Number(plain)
  const isWrittenWith = (double: number, count: number) =>
    withoutZeros(plainNumber(double.toPrecision(count)) ?? '') === withoutZeros(plain)
  const shown = Number(value.toPrecision(shownDigits))
  if (digits === 16 && (shown === value || isWrittenWith(shown, 16))) return plainNumber(String(shown))
  // Digits that do not come from a double stay unchanged.
  return isWrittenWith(value, 17) || isWrittenWith(value, 16) ? plainNumber(String(value)) : plain
}

function withoutZeros(plain: string): string {
  return plain.includes('.') ? plain.replace(/\.?0+$/u, '') : plain
}

/** Significant digits, without leading zeros. */
function digitsOf(plain: string): number {
  return plain.replaceAll(/[-.]/gu, '').replace(/^0+/u, '').length
}
