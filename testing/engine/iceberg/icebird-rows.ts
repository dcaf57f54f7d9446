/** Reads tables with icebird, an independent reader. It fetches by HTTP only, so files of a local catalog are served to its `fetch`. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { icebergRead } from 'icebird'
import type { TableMetadata } from '@tributary/engine/databases/iceberg/catalog/metadata'

export type ForeignRow = { readonly [column: string]: unknown }

/** Its numbers for decimals and its dates are less precise than the table. */
export async function readWithIcebird(metadata: TableMetadata): Promise<readonly ForeignRow[]> {
  const original = globalThis.fetch
  globalThis.fetch = fetchFile
  try {
    return await icebergRead({ tableUrl: metadata.location, metadata: plainNumbers(metadata) })
  } finally {
    globalThis.fetch = original
  }
}

type ForeignMetadata = NonNullable<Parameters<typeof icebergRead>[0]['metadata']>

/** It takes ids of snapshots as JavaScript numbers. */
function plainNumbers(metadata: TableMetadata): ForeignMetadata {
  const text = JSON.stringify(metadata, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value))
  return JSON.parse(text) as ForeignMetadata
}

async function fetchFile(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const url = input instanceof Request ? input.url : input.toString()
  const bytes = new Uint8Array(await readFile(fileURLToPath(url)))
  const [, start, end] = /^bytes=(\d+)-(\d*)$/u.exec(new Headers(init?.headers).get('range') ?? '') ?? []
  if (start === undefined) return new Response(bytes, { headers: { 'content-length': String(bytes.length) } })
  const part = bytes.slice(Number(start), end === undefined || end === '' ? undefined : Number(end) + 1)
  return new Response(part, { status: 206, headers: { 'content-length': String(part.length) } })
}
