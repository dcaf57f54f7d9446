/** Numbers as text, digit by digit. Money goes through a double only where the file itself holds one. */

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

/** As many digits as every double keeps, and as Excel shows. */
const shownDigits = 15

/**
 * The number that a cell of a workbook shows. Cells are IEEE doubles, written with up to 17 digits: 4.11 stands in the file as
 * 4.1100000000000003. The shortest digits that mean the same double are what was typed. Programs in Python write 16 digits
 * (`%.16G`), which may mean a neighbouring double: 622901.69 stands there as 622901.6899999999.
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
  // Digits that no double wrote are left alone.
  return isWrittenWith(value, 17) || isWrittenWith(value, 16) ? plainNumber(String(value)) : plain
}

function withoutZeros(plain: string): string {
  return plain.includes('.') ? plain.replace(/\.?0+$/u, '') : plain
}

/** Without zeros in front. */
function digitsOf(plain: string): number {
  return plain.replaceAll(/[-.]/gu, '').replace(/^0+/u, '').length
}
