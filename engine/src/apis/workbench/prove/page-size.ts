/** The size of a stream's pages, and the same description with another size. */
import type { SourceDescription } from '../../described/description/source-description.ts'

/** Null if the description does not choose it. */
export function pageRowsOf(description: SourceDescription, stream: string): number | null {
  if (description.engine === 'odata') return 'rows' in description.paging ? description.paging.rows : null
  const paging = description.streams[stream]?.paging ?? description.paging
  return paging !== undefined && 'size' in paging && paging.size !== undefined ? paging.size.rows : null
}

export function withPageRows(description: SourceDescription, stream: string, rows: number): SourceDescription {
  if (description.engine === 'odata') {
    const { paging } = description
    return 'rows' in paging ? { ...description, paging: { ...paging, rows } } : description
  }
  const described = description.streams[stream]
  const paging = described?.paging ?? description.paging
  if (described === undefined || paging === undefined || !('size' in paging) || paging.size === undefined)
    return description
  const sized = { ...paging, size: { ...paging.size, rows } }
  return { ...description, streams: { ...description.streams, [stream]: { ...described, paging: sized } } }
}
