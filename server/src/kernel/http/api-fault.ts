/** A refused or failed call, by its code in the contract's catalogue. */
import { type FaultCode, faults } from '@tributary/contract/faults'

export interface FaultDetail {
  /** What the catalogue's sentence leaves open: `{ name: 'Shop' }` for `{name}`. Never a secret. */
  readonly values?: Readonly<Record<string, string | number>>
  /** What is wrong with which field of the request, in words. */
  readonly fields?: Readonly<Record<string, string>>
  /** For the log only. */
  readonly cause?: unknown
}

export class ApiFault extends Error {
  override readonly name = 'ApiFault'
  readonly code: FaultCode
  readonly statusCode: number
  readonly fields: Readonly<Record<string, string>> | undefined
  readonly values: Readonly<Record<string, string | number>>

  constructor(code: FaultCode, detail: FaultDetail = {}) {
    const [statusCode, sentence] = faults[code]
    const values = detail.values ?? {}
    super(fill(sentence, values), { cause: detail.cause })
    this.code = code
    this.statusCode = statusCode
    this.fields = detail.fields
    this.values = values
  }
}

/**
 * Bad input, field by field, told both in the message and beside the fields. @param fields each with the end of a sentence that begins
 * with its name, in small letters and without a full stop: `password is missing`.
 */
export function badFields(fields: Readonly<Record<string, string>>): ApiFault {
  const told = Object.entries(fields).slice(0, fieldsToldMax)
  return new ApiFault('badInput', {
    values: { detail: `${told.map(([name, what]) => `${name} ${what}`).join('; ')}.` },
    fields,
  })
}
const fieldsToldMax = 5

export function badField(field: string, what: string): ApiFault {
  return badFields({ [field]: what })
}

function fill(sentence: string, values: Readonly<Record<string, string | number>>): string {
  return sentence.replaceAll(/\{(\w+)\}/gu, (hole, name: string) => String(values[name] ?? hole))
}
