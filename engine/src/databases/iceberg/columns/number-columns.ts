/** Columns whose values have a fixed size: numbers and booleans. */
import type { SchemaElement } from 'hyparquet'
import { type EncodedValues, packBits, type Value } from '../format/encoded-column.ts'
import { bytesOf, ColumnBuffer, type Extremes, grown } from './column-buffer.ts'

/** Small, because each of many open partitions has its columns. */
const firstCapacity = 32
const twoTo32 = 4_294_967_296

/** Values of `int`, days, and decimals of few digits, which are bigint as cells. */
export class Int32Column extends ColumnBuffer {
  numbers = new Int32Array(firstCapacity)
  readonly #toValue: (number: number) => Value

  constructor(element: SchemaElement) {
    super(element)
    this.#toValue = element.converted_type === 'DECIMAL' ? BigInt : (number) => number
  }

  protected override reserveValues(count: number): void {
    this.numbers = grown(this.numbers, this.values, count)
  }

  override set(at: number, value: Value): void {
    this.numbers[at] = Number(value)
  }

  override get(at: number): Value {
    return this.#toValue(this.numbers[at] as number)
  }

  override compare(left: number, right: number): number {
    return (this.numbers[left] as number) - (this.numbers[right] as number)
  }

  protected override encodeValues(): EncodedValues {
    const { numbers, values } = this
    let least = numbers[0] as number
    let greatest = least
    for (let at = 1; at < values; at++) {
      const number = numbers[at] as number
      if (number < least) least = number
      else if (number > greatest) greatest = number
    }
    return {
      plain: bytesOf(numbers, values * 4),
      dictionary: null,
      least: values === 0 ? undefined : this.#toValue(least),
      greatest: values === 0 ? undefined : this.#toValue(greatest),
      nans: 0,
    }
  }
}

/** Values of `long`, microseconds, and decimals: bigint as cells. */
export class Int64Column extends ColumnBuffer {
  #numbers = new BigInt64Array(firstCapacity)
  /** The same memory: the lower half of each value before its upper half. */
  #halves = new Int32Array(this.#numbers.buffer)

  protected override reserveValues(count: number): void {
    if (count <= this.#numbers.length) return
    this.#numbers = grown(this.#numbers, this.values, count)
    this.#halves = new Int32Array(this.#numbers.buffer)
  }

  override set(at: number, value: Value): void {
    this.#numbers[at] = value as bigint
  }

  /** Without a bigint, which is an object. @param number a safe integer */
  setNumber(at: number, number: number): void {
    this.#halves[at * 2] = number
    this.#halves[at * 2 + 1] = Math.floor(number / twoTo32)
  }

  override get(at: number): Value {
    return this.#numbers[at] as bigint
  }

  override compare(left: number, right: number): number {
    const halves = this.#halves
    const upper = (halves[left * 2 + 1] as number) - (halves[right * 2 + 1] as number)
    return upper === 0 ? ((halves[left * 2] as number) >>> 0) - ((halves[right * 2] as number) >>> 0) : upper
  }

  protected override encodeValues(): EncodedValues {
    return this.withBounds(bytesOf(this.#numbers, this.values * 8), this.#extremes())
  }

  #extremes(): Extremes {
    let least = 0
    let greatest = 0
    for (let at = 1; at < this.values; at++) {
      if (this.compare(at, least) < 0) least = at
      else if (this.compare(at, greatest) > 0) greatest = at
    }
    return { least, greatest }
  }
}

export class DoubleColumn extends ColumnBuffer {
  #numbers = new Float64Array(firstCapacity)

  protected override reserveValues(count: number): void {
    this.#numbers = grown(this.#numbers, this.values, count)
  }

  override set(at: number, value: Value): void {
    this.#numbers[at] = value as number
  }

  override get(at: number): Value {
    return this.#numbers[at] as number
  }

  override compare(left: number, right: number): number {
    const [first, second] = [this.#numbers[left] as number, this.#numbers[right] as number]
    return first < second ? -1 : first > second ? 1 : 0
  }

  /** NaN has no order. Zero is written as a bound with the sign that includes both zeros. */
  protected override encodeValues(): EncodedValues {
    const numbers = this.#numbers.subarray(0, this.values)
    let least = Number.POSITIVE_INFINITY
    let greatest = Number.NEGATIVE_INFINITY
    let nans = 0
    for (const number of numbers) {
      if (Number.isNaN(number)) nans++
      if (number < least) least = number
      if (number > greatest) greatest = number
    }
    const isEmpty = nans === numbers.length
    return {
      plain: bytesOf(numbers, numbers.length * 8),
      dictionary: null,
      least: isEmpty ? undefined : least === 0 ? -0 : least,
      greatest: isEmpty ? undefined : greatest === 0 ? 0 : greatest,
      nans,
    }
  }
}

export class BooleanColumn extends ColumnBuffer {
  /** 0 or 1. */
  bits = new Uint8Array(firstCapacity)

  protected override reserveValues(count: number): void {
    this.bits = grown(this.bits, this.values, count)
  }

  override set(at: number, value: Value): void {
    this.bits[at] = value === true ? 1 : 0
  }

  override get(at: number): Value {
    return this.bits[at] === 1
  }

  override compare(left: number, right: number): number {
    return (this.bits[left] as number) - (this.bits[right] as number)
  }

  protected override encodeValues(): EncodedValues {
    const bits = this.bits.subarray(0, this.values)
    const isEmpty = bits.length === 0
    return {
      plain: packBits(bits),
      dictionary: null,
      least: isEmpty ? undefined : !bits.includes(0),
      greatest: isEmpty ? undefined : bits.includes(1),
      nans: 0,
    }
  }
}
