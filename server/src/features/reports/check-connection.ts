/**
 * Tests what a tool of the caller needs: rights, a database login, and an address that answers. It cannot test the way
 * from the caller's computer, nor their password, which only they know.
 */
import type { CheckResult } from '@tributary/contract/connectors'
import type { Camel } from '@tributary/contract/wire'
import { Client, type ClientConfig } from 'pg'
import type { ReaderAddress } from '../../access/warehouse/servers/reader-address.ts'
import type { listReadingTokens, OwnLogin } from './queries.ts'
import type { ReportTable } from './report-model.ts'

type Check = Omit<Camel<CheckResult>, 'side'>

interface ConnectionFacts {
  readonly address: Pick<ReaderAddress, 'host' | 'port'>
  readonly tables: readonly ReportTable[]
  readonly login: OwnLogin
  readonly tokens: Awaited<ReturnType<typeof listReadingTokens>>
}

export async function checkConnection({ address, tables, login, tokens }: ConnectionFacts): Promise<readonly Check[]> {
  return [checkTables(tables), checkTokens(tokens), checkLogin(login), await checkAddress(address, login)]
}

function check(name: string, outcome: Check['outcome'], notice: string): Check {
  return { name, outcome, notice, remedy: null }
}

function checkTables(tables: readonly ReportTable[]): Check {
  const count = tables.filter(({ purpose }) => purpose !== 'rights').length
  if (count === 0)
    return check(
      'Tables',
      'failed',
      'There is no table that you may read yet. Run a connector that loads the warehouse.',
    )
  return check('Tables', 'passed', `Your rights read ${count} ${count === 1 ? 'table' : 'tables'}.`)
}

/** For the feed. */
function checkTokens([token, ...others]: ConnectionFacts['tokens']): Check {
  const name = 'Access token'
  if (token === undefined)
    return check(
      name,
      'failed',
      'You have no access token that may read data. Make one in your profile, with data.read.',
    )
  const { name: first, lastUsedAt, expiresAt } = token
  const used = lastUsedAt === null ? 'has not been used yet' : `was last used at ${lastUsedAt}`
  const more = others.length === 0 ? '' : ` You have ${others.length} more.`
  return check(name, 'passed', `“${first}” ${used}, and expires at ${expiresAt}.${more}`)
}

function checkLogin({ user, seen }: OwnLogin): Check {
  if (user === null)
    return check('Database login', 'failed', 'You have no database login yet. Create one on this page.')
  if (seen === null) return check('Database login', 'passed', `${user} exists. No program has used it yet.`)
  const program = seen.program === null ? '' : ` by ${seen.program}`
  return check('Database login', 'passed', `${user} was last used at ${seen.at}${program}.`)
}

const timeoutMs = 5_000
/** SQLSTATEs of a server that answers and refuses the sign-in, as it must with a wrong password. */
const refusals = new Set(['28P01', '28000'])

/** Connects to the address that tools use. The server refuses a wrong password, which proves that it answers. */
async function checkAddress({ host, port }: ConnectionFacts['address'], { database, user }: OwnLogin): Promise<Check> {
  const place = `${host}:${port}`
  const connection = {
    host,
    port,
    database,
    user: user ?? database,
    password: 'unknown',
    connectionTimeoutMillis: timeoutMs,
  }
  // The certificate is for the person's tool to check.
  const encrypted = await connect({ ...connection, ssl: { rejectUnauthorized: false } })
  const from = 'This is as Tributary’s server reaches it: a firewall may still be between it and your computer.'
  if (encrypted === 'answers') return check('Address', 'passed', `${place} answers, with TLS. ${from}`)
  if ((await connect(connection)) === 'answers')
    return check(
      'Address',
      'passed',
      `${place} answers, without TLS: passwords and rows cross the network in the clear. ${from}`,
    )
  return check(
    'Address',
    'failed',
    `Nothing answers at ${place}. Ask the operator of Tributary whether the address is right.`,
  )
}

async function connect(connection: ClientConfig): Promise<'answers' | 'silent'> {
  const client = new Client({ ...connection, application_name: 'tributary connection test' })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return 'answers'
  } catch (error) {
    return refusals.has(String((error as { readonly code?: unknown }).code)) ? 'answers' : 'silent'
  } finally {
    await client.end().catch(() => undefined)
  }
}
