/** Lets tests connect to an embedded PostgreSQL like to a customer's database: by TCP and password. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'

/** Returns the password of the superuser. @param home the data folder of the server */
export async function openTcp(home: string, superuser: pg.ClientConfig): Promise<string> {
  const rules = join(home, 'postgres', 'pg_hba.conf')
  const rulesBefore = readFileSync(rules, 'utf8')
  writeFileSync(rules, 'host all postgres 127.0.0.1/32 scram-sha-256\n')
  appendFileSync(rules, rulesBefore.replace('host all all all reject', 'host all all 127.0.0.1/32 scram-sha-256'))
  const client = new pg.Client(superuser)
  await client.connect()
  await client.query(`ALTER ROLE postgres PASSWORD 'canary-superuser-password'`)
  await client.query('SELECT pg_reload_conf()')
  await client.end()
  return 'canary-superuser-password'
}
