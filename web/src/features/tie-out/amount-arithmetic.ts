/** Arithmetic on exact decimals in text. Amounts are never converted to floating-point numbers. */

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
