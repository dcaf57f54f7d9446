/** A refused or failed call, identified by its code in the contract's catalogue of faults. */
import { type FaultCode, faults } from '@tributary/contract/faults'

export interface ApiFaultDetail {
  /** Values for the placeholders of the catalogue's sentence: `{ name: 'Shop' }` for `{name}`. Never a secret. */
  readonly values?: Readonly<Record<string, string | number>>
  /** Field errors by field name, in words. */
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

  constructor(code: FaultCode, detail: ApiFaultDetail = {}) {
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
 * Invalid input, reported in the message and per field.
 *
 * @param fields each with the end of a sentence that starts with its name, in lower case, without a full stop: `is missing`
 */
export function badFields(fields: Readonly<Record<string, string>>): ApiFault {
  const reported = Object.entries(fields).slice(0, fieldsInMessageMax)
  return new ApiFault('badInput', {
    values: { detail: `${reported.map(([name, what]) => `${name} ${what}`).join('; ')}.` },
    fields,
  })
}
const fieldsInMessageMax = 5

export function badField(field: string, what: string): ApiFault {
  return badFields({ [field]: what })
}

function fill(sentence: string, values: Readonly<Record<string, string | number>>): string {
  return sentence.replaceAll(/\{(\w+)\}/gu, (hole, name: string) => String(values[name] ?? hole))
}
