/** JSON Pointers (RFC 6901) into the records of an API. */
import type { ExactJson } from '../http/exact-json.ts'

/** Finds the value at a pointer; undefined if it does not exist. */
export type PointerReader = (node: ExactJson) => ExactJson | undefined

export function pointerReader(pointer: string): PointerReader {
  const parts = partsOf(pointer)
  return (node) => {
    let value: ExactJson | undefined = node
    for (const part of parts) value = memberOf(value, part)
    return value
  }
}

/** `/lines/0` becomes `lines` and `0`. */
export function partsOf(pointer: string): readonly string[] {
  return pointer === ''
    ? []
    : pointer
        .slice(1)
        .split('/')
        .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The pointer to a member of the record. */
export function pointerTo(member: string): string {
  return `/${member.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

function memberOf(node: ExactJson | undefined, part: string): ExactJson | undefined {
  if (node === null || typeof node !== 'object') return undefined
  if (Array.isArray(node))
    return /^(?:0|[1-9]\d*)$/u.test(part) ? (node as readonly ExactJson[])[Number(part)] : undefined
  return Object.hasOwn(node, part) ? (node as { readonly [key: string]: ExactJson | undefined })[part] : undefined
}
