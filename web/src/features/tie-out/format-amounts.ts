/** Amounts are exact decimals in text, and stay exact: none of them ever is a floating point number. */

const format = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 10 })

/** '-1234.5' as '−1,234.50'. */
export function figure(amount: string): string {
  return format.format(amount as Intl.StringNumericLiteral).replace('-', '−')
}

export function isZero(amount: string): boolean {
  return /^-?[0.]+$/.test(amount)
}

export function sum(amounts: readonly string[]): string {
  const scale = Math.max(0, ...amounts.map((amount) => (amount.split('.')[1] ?? '').length))
  const total = amounts.reduce((so, amount) => so + units(amount, scale), 0n)
  const digits = String(total < 0n ? -total : total).padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  return `${total < 0n ? '-' : ''}${whole}${scale === 0 ? '' : `.${digits.slice(-scale)}`}`
}

/** In units of the last decimal place. */
function units(amount: string, scale: number): bigint {
  const [whole = '0', fraction = ''] = amount.split('.')
  return BigInt(`${whole}${fraction.padEnd(scale, '0')}`)
}
