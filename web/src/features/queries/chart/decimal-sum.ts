/** Adds decimals without rounding. A double would lose digits of amounts. */

/** @param values decimals as text: '-12.50'. Others, such as NaN, count as nothing. */
export function sumDecimals(values: readonly string[]): string {
  const parsed = values.flatMap((value) => {
    const found = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/u.exec(value.trim())
    if (found === null || `${found[2] ?? ''}${found[3] ?? ''}` === '') return []
    return [toScaled(found)]
  })
  const scale = Math.max(0, ...parsed.map((one) => one.scale))
  const sum = parsed.reduce((total, one) => total + one.digits * 10n ** BigInt(scale - one.scale), 0n)
  return formatScaled(sum, scale)
}

interface ScaledDecimal {
  readonly digits: bigint
  readonly scale: number
}

function toScaled([, sign, whole = '', fraction = '', exponent = '0']: RegExpExecArray): ScaledDecimal {
  const digits = BigInt(`${whole}${fraction}`) * (sign === '-' ? -1n : 1n)
  const scale = fraction.length - Number(exponent)
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 }
}

function formatScaled(sum: bigint, scale: number): string {
  const text = String(sum < 0n ? -sum : sum).padStart(scale + 1, '0')
  const whole = text.slice(0, text.length - scale)
  const fraction = withoutTrailingZeros(text.slice(text.length - scale))
  return `${sum < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

function withoutTrailingZeros(digits: string): string {
  let end = digits.length
  while (digits[end - 1] === '0') end -= 1
  return digits.slice(0, end)
}
