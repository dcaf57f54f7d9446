/** How a connector type is known outside. */
import { createHash } from 'node:crypto'

/** The same for a type everywhere and for ever: a UUID made of its name. */
export function typeId(type: string): string {
  const digits = createHash('sha256').update(`tributary connector type ${type}`).digest('hex')
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20, 32)}`
}
