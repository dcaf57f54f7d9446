/** The id of a connector type in the API. */
import { createHash } from 'node:crypto'

/** A UUID derived from the type's name, so it is the same in every installation and release. */
export function connectorTypeId(type: string): string {
  const digits = createHash('sha256').update(`tributary connector type ${type}`).digest('hex')
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20, 32)}`
}
