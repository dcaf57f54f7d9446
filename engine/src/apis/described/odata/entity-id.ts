/** The id of a row as an address: `https://api.example.com/odata/Orders(Company=1,Number='A''1')`. */
import type { JsonObject } from '../../http/exact-json.ts'
import type { EdmProperty } from './metadata/edmx.ts'

/** The values of the key; null if the id does not have them. */
export function keyOfEntityId(id: string, key: readonly EdmProperty[]): JsonObject | null {
  const text = decoded(id)
  const [begin, end] = [text.indexOf('('), text.lastIndexOf(')')]
  if (begin === -1 || end < begin) return null
  const predicate = text.slice(begin + 1, end)
  const parts = splitParts(predicate)
  const [only] = key
  if (key.length === 1 && only !== undefined && parts.length === 1) {
    const [part = ''] = parts
    const named = part.startsWith(`${only.name}=`) ? part.slice(only.name.length + 1) : part
    return { [only.name]: valueOf(named) }
  }
  const values = new Map(
    parts.map((part) => {
      const at = part.indexOf('=')
      return [part.slice(0, at).trim(), valueOf(part.slice(at + 1))] as const
    }),
  )
  return key.every(({ name }) => values.has(name))
    ? Object.fromEntries(key.map(({ name }) => [name, values.get(name)]))
    : null
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id)
  } catch {
    return id
  }
}

/** At commas outside quotes. */
function splitParts(predicate: string): readonly string[] {
  return [...predicate.matchAll(/(?:'(?:[^']|'')*'|[^,'])+/gu)].map(([part]) => part.trim())
}

/** `'A''1'`, `guid'…'`, `5L`. */
function valueOf(literal: string): string {
  const [, quoted] = /^(?:[a-z]+)?'(.*)'$/su.exec(literal) ?? []
  return quoted === undefined ? literal.replace(/^(-?[\d.]+)[LMlm]$/u, '$1') : quoted.replaceAll("''", "'")
}
