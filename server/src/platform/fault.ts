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

/** Bad input in one field; the sentence is told both in the message and beside the field. */
export function badField(field: string, sentence: string): ApiFault {
  return new ApiFault('badInput', { values: { detail: `${field}: ${sentence}` }, fields: { [field]: sentence } })
}

function fill(sentence: string, values: Readonly<Record<string, string | number>>): string {
  return sentence.replaceAll(/\{(\w+)\}/gu, (hole, name: string) => String(values[name] ?? hole))
}
