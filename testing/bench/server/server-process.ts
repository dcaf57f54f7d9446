/** One process with two servers on one database: Tributary's API, and a minimal server that returns the same list. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { buildApp } from '../../../server/src/app.ts'
import { readConfig } from '../../../server/src/kernel/config/config.ts'
import { runChannel } from '../../../server/src/connections/connectors/start-run.ts'
import { assembleServices } from '../../../server/src/assemble.ts'
import { systemClock } from '../../../server/src/kernel/clock.ts'
import { startEmbedded } from '../../../server/src/kernel/embedded/supervisor.ts'
import { openLog } from '../../../server/src/kernel/log/log.ts'
import { migrate } from '../../../server/src/kernel/migrations/migrate.ts'
import { openQueue } from '../../../server/src/kernel/queue/queue.ts'
import { seedPeople, trialOrganisations } from '../../../server/src/trial/people.ts'

const [home = '', level = 'info'] = process.argv.slice(2)
const rows = 200
const organisationId = trialOrganisations[0].id
const guest = '00000000-0000-4000-8000-000000000014'

const embedded = await startEmbedded(home)
await migrate(embedded.store)
const queue = await openQueue({
  connection: embedded.store,
  channels: [runChannel],
  onError: (error) => console.error(error),
})
const keys = { current: randomBytes(32), old: [] }
const { config } = readConfig({ TRIBUTARY_LOG_LEVEL: level, TRIBUTARY_TRUSTED_PROXIES: '127.0.0.1' })
const services = assembleServices({
  config,
  queue,
  keys,
  log: openLog(config.logLevel),
  clock: systemClock,
  connection: embedded.store,
  warehouse: { admin: embedded.superuser, ...embedded.warehouse },
  demo: {},
  allowHosts: [],
  deny: () => [],
})
await services.serverKeys.prepare()
await seedPeople(services.store, services.passwords)
await services.store.across(async (db) => {
  const { count } = await db
    .selectFrom('membership')
    .select(db.fn.countAll<number>().as('count'))
    .where('organisationId', '=', organisationId)
    .executeTakeFirstOrThrow()
  // Every user has the trial's password, so that all of them can sign in.
  const { passwordHash } = await db.selectFrom('portalUser').select('passwordHash').limit(1).executeTakeFirstOrThrow()
  for (let number = count; number < rows; number += 1) {
    const person = {
      firstName: `First ${number}`,
      lastName: `Last ${number}`,
      emailAddress: `person${number}@demo.example`,
      passwordHash,
    }
    const { id: userId } = await db.insertInto('portalUser').values(person).returning('id').executeTakeFirstOrThrow()
    await db.insertInto('membership').values({ organisationId, userId, roleId: guest }).execute()
  }
})

/** A large planning structure in this organisation, a small one in the other. Every area has ten subareas. */
const planner = new pg.Client({ ...embedded.store, options: '-c tributary.organisation=*' })
await planner.connect()
for (const [at, { id }] of trialOrganisations.entries()) {
  const count = [20_000, 50][at] ?? 0
  const made = async (kind: 'area' | 'subarea') => {
    const text = `INSERT INTO ${kind} (organisation_id, name) SELECT $1, '${kind} ' || n FROM generate_series(1, $2::int) AS n RETURNING id`
    return (await planner.query<{ id: string }>(text, [id, count])).rows.map((one) => one.id)
  }
  const [areas, subareas] = [await made('area'), await made('subarea')]
  const linked = areas.flatMap((area, place) =>
    Array.from({ length: 10 }, (_, step) => [area, subareas[(place + step) % count]] as const),
  )
  await planner.query(
    `INSERT INTO area_subarea (organisation_id, area_id, subarea_id)
      SELECT $1, area, subarea FROM unnest($2::uuid[], $3::uuid[]) AS pair (area, subarea)`,
    [id, linked.map(([area]) => area), linked.map(([, subarea]) => subarea)],
  )
}
await planner.query('ANALYZE area, subarea, area_subarea')
await planner.end()

const http = await buildApp(services)
await http.listen({ host: '127.0.0.1', port: 0 })

const pool = new pg.Pool({ ...embedded.store, max: 20, options: '-c timezone=UTC' })
pool.on('error', (error) => console.error(error.message))
const statement = `select portal_user.id, first_name, last_name, email_address, status_id, role.id as role_id, role.name as role_name, status.name as status_name,
    requires_mfa, last_sign_in_at::text as last_sign_in_at, ms_oid,
    ${assigned('permission_group', 'group_user', 'group_id', 'link.user_id is not null')} as groups,
    ${assigned('helper_table', 'helper_table_user', 'helper_table_id', 'membership.all_helper_tables or record.all_users or link.user_id is not null')} as tables,
    ${assigned('entity', 'entity_user', 'entity_id', 'membership.all_entities or record.all_users or link.user_id is not null')} as entities
  from membership inner join portal_user on portal_user.id = membership.user_id
  inner join role on role.id = coalesce(portal_user.provider_role_id, membership.role_id)
  inner join status on status.id = portal_user.status_id
  where membership.organisation_id = $1 order by first_name asc, last_name asc, portal_user.id`

function assigned(table: string, links: string, id: string, which: string): string {
  return `(select coalesce(json_agg(json_build_object('Id', record.id, 'Name', record.name) order by record.name collate natural_order, record.id), '[]')
    from ${table} record left join ${links} link on link.${id} = record.id and link.user_id = membership.user_id
    where record.organisation_id = membership.organisation_id and (${which})
      and record.status_id <> (select id from status where name = 'archived'))`
}

interface ListedUserRow {
  readonly id: string
  readonly first_name: string
  readonly last_name: string
  readonly email_address: string
  readonly status_id: string
  readonly role_id: string
  readonly role_name: string
  readonly status_name: string
  readonly requires_mfa: boolean
  readonly last_sign_in_at: string | null
  readonly ms_oid: string | null
  readonly groups: unknown
  readonly tables: unknown
  readonly entities: unknown
}

async function list(authorization: string): Promise<string> {
  await services.sessions.read(authorization.slice('Bearer '.length), 'active')
  const client = await pool.connect()
  try {
    await client.query(`begin; set local tributary.organisation = '${organisationId}'`)
    const result = await client.query<ListedUserRow>(statement, [organisationId])
    await client.query('commit')
    return JSON.stringify(
      result.rows.map((row) => ({
        Id: row.id,
        FirstName: row.first_name,
        LastName: row.last_name,
        EmailAddress: row.email_address,
        Role: { Id: row.role_id, Name: row.role_name },
        Status: { Name: row.status_name },
        StatusId: row.status_id,
        RequireMultiFactorAuthentication: row.requires_mfa,
        LastSignInAtUtc:
          row.last_sign_in_at === null ? null : row.last_sign_in_at.replace(' ', 'T').replace(/\+00$/u, 'Z'),
        MS_Oid: null,
        Groups: row.groups,
        HelperTables: row.tables,
        B2SEntities: row.entities,
        Xero2SqlProducts: [],
      })),
    )
  } finally {
    client.release()
  }
}

const bare = createServer((request, response: ServerResponse) => {
  list(request.headers.authorization ?? '').then(
    (text) =>
      response
        .writeHead(200, {
          'content-type': 'application/json; charset=utf-8',
          'content-length': Buffer.byteLength(text),
        })
        .end(text),
    (error: unknown) => response.writeHead(500).end(String(error)),
  )
})
bare.listen(0, '127.0.0.1', () => {
  process.send?.({ api: http.server.address(), bare: bare.address() } satisfies { api: unknown; bare: unknown })
})

export interface Ports {
  readonly api: AddressInfo
  readonly bare: AddressInfo
}

process.on('message', (command) => {
  if (command === 'cpu') process.send?.(process.cpuUsage())
  else if (command === 'stop') void stop()
})

async function stop(): Promise<void> {
  await http.close()
  bare.close()
  bare.closeAllConnections()
  await pool.end()
  await queue.close()
  await services.store.close()
  await embedded.stop()
  process.exit(0)
}
