/** Exact decimals as text, of any size and scale. */

interface Scaled {
  readonly digits: bigint
  readonly scale: number
}

const written = /^(-?)(\d+)(?:\.(\d+))?$/u

export function addAmounts(one: string, other: string): string {
  const [left, right] = [parse(one), parse(other)]
  const scale = Math.max(left.scale, right.scale)
  return format({ digits: rescale(left, scale) + rescale(right, scale), scale })
}

export function subtractAmounts(one: string, other: string): string {
  const { digits, scale } = parse(other)
  return addAmounts(one, format({ digits: -digits, scale }))
}

export function isZero(amount: string): boolean {
  return parse(amount).digits === 0n
}

function parse(text: string): Scaled {
  const [, sign, whole, part = ''] = written.exec(text) ?? []
  if (whole === undefined) throw new Error(`This is not an exact decimal: ${text}`)
  const digits = BigInt(whole + part)
  return { digits: sign === '-' ? -digits : digits, scale: part.length }
}

function rescale({ digits, scale }: Scaled, to: number): bigint {
  return digits * 10n ** BigInt(to - scale)
}

function format({ digits, scale }: Scaled): string {
  const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0')
  const whole = text.slice(0, text.length - scale)
  return `${digits < 0n ? '-' : ''}${whole}${scale === 0 ? '' : `.${text.slice(-scale)}`}`
}
