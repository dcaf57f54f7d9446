/** The package brings no types; these are the two calls in use. */
declare module 'pg-copy-streams' {
  import type { Submittable } from 'pg'
  import type { Readable, ReadableOptions, Writable, WritableOptions } from 'node:stream'

  export function to(sql: string, options?: ReadableOptions): Readable & Submittable & { readonly rowCount: number }
  export function from(sql: string, options?: WritableOptions): Writable & Submittable & { readonly rowCount: number }
}
