/** The package brings no types; this is the call in use. */
declare module 'pg-copy-streams' {
  import type { Submittable } from 'pg'
  import type { Writable, WritableOptions } from 'node:stream'

  export function from(sql: string, options?: WritableOptions): Writable & Submittable & { readonly rowCount: number }
}
