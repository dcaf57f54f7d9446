/** Parses DATABASE_URL into separate connection settings, so that callers can connect to another database of the same server. */
import { readFileSync } from 'node:fs'
import type { ClientConfig } from 'pg'
import { StartRefused } from '../start-error.ts'

export interface DatabaseAddress extends ClientConfig {
  readonly host: string
  readonly port: number
}

/** Supports `sslmode` (disable, require, verify-ca, verify-full, no-verify) and `sslrootcert`. */
export function parseDatabaseUrl(text: string): DatabaseAddress {
  const url = URL.parse(text)
  if (url === null)
    throw new StartRefused('DATABASE_URL is no address of the form postgres://user:password@host:5432/database.')
  const address = {
    host: url.hostname.replace(/^\[|\]$/gu, '') || 'localhost',
    port: url.port === '' ? 5432 : Number(url.port),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)),
  }
  const mode = url.searchParams.get('sslmode')
  if (mode === null || mode === 'disable') return address
  const certificate = url.searchParams.get('sslrootcert')
  return {
    ...address,
    ssl: {
      rejectUnauthorized: mode !== 'no-verify',
      ...(certificate !== null && { ca: readFileSync(certificate, 'utf8') }),
    },
  }
}
