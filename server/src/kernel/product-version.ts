import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** The version of this server, such as `1.4.2`. */
export function productVersion(): string {
  const text = readFileSync(resolve(import.meta.dirname, '../../package.json'), 'utf8')
  return (JSON.parse(text) as { readonly version: string }).version
}
