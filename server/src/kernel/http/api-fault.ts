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

/** A fault whose message in the catalogue is only the detail. */
export function detailedFault(
  code: FaultCode,
  detail: string,
  further?: Pick<ApiFaultDetail, 'fields' | 'cause'>,
): ApiFault {
  return new ApiFault(code, { values: { detail }, ...further })
}

/** @param field the field with the name */
export function nameTakenFault(name: string, field = 'name'): ApiFault {
  return new ApiFault('nameTaken', { values: { name }, fields: { [field]: 'is taken' } })
}

/** For `executeTakeFirstOrThrow`. */
export function notFound(): ApiFault {
  return new ApiFault('notFound')
}

/** Returns what was found. Throws `notFound` if nothing was. */
export function requireFound<T>(found: T | undefined): T {
  if (found === undefined) throw notFound()
  return found
}

function fill(sentence: string, values: Readonly<Record<string, string | number>>): string {
  return sentence.replaceAll(/\{(\w+)\}/gu, (hole, name: string) => String(values[name] ?? hole))
}
