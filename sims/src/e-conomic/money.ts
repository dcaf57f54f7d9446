/** Amounts of the simulated e-conomic: integers of hundredths, written as JSON numbers with two decimals. */

const mark = '@amount '

/** An amount that keeps its decimals in JSON: 12.50, not 12.5. */
export class Money {
  readonly cents: number

  constructor(cents: number) {
    this.cents = cents
  }

  get text(): string {
    const digits = String(Math.abs(this.cents)).padStart(3, '0')
    return `${this.cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
  }

  toJSON(): string {
    return mark + this.text
  }
}

export function money(cents: number): Money {
  return new Money(Math.round(cents))
}

export function toJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(/"@amount (-?\d+\.\d\d)"/gu, '$1')
}
