/** Arithmetic on exact decimals in text. Amounts are never converted to floating-point numbers. */

const amountFormat = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 10 })

/** Formats '-1234.5' as '−1,234.50'. */
export function formatFigure(amount: string): string {
  return amountFormat.format(amount as Intl.StringNumericLiteral).replace('-', '−')
}

export function isZero(amount: string): boolean {
  return /^-?[0.]+$/.test(amount)
}

export function sumAmounts(amounts: readonly string[]): string {
  const scale = Math.max(0, ...amounts.map((amount) => (amount.split('.')[1] ?? '').length))
  const total = amounts.reduce((so, amount) => so + toUnits(amount, scale), 0n)
  const digits = String(total < 0n ? -total : total).padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  return `${total < 0n ? '-' : ''}${whole}${scale === 0 ? '' : `.${digits.slice(-scale)}`}`
}

/** The amount in units of the last decimal place. */
function toUnits(amount: string, scale: number): bigint {
  const [whole = '0', fraction = ''] = amount.split('.')
  return BigInt(`${whole}${fraction.padEnd(scale, '0')}`)
}
