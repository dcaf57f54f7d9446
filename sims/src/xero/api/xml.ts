/** XML responses, for requests without `Accept: application/json`. */
import type { XeroResponse } from './responses.ts'
import { plain } from './value-format.ts'

export function xmlOf(envelope: unknown): XeroResponse {
  return {
    status: 200,
    body: `<?xml version="1.0" encoding="utf-8"?><Response>${inner(plain(envelope))}</Response>`,
    headers: { 'content-type': 'text/xml; charset=utf-8' },
  }
}

function inner(value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => `<Item>${inner(item)}</Item>`).join('')
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([name, child]) => `<${name}>${inner(child)}</${name}>`)
      .join('')
  return String(value).replaceAll(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
