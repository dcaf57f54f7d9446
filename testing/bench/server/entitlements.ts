/**
 * Entitlements of 500 users to 10,000 pairs by 200 groups, for the whole organisation at once. Compares the store's
 * `usable_pairs`, which resolves every 'current and future' flag, with a plain join of rows that were resolved in
 * advance.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbedded } from '../../../server/src/kernel/embedded/supervisor.ts'
import { migrate } from '../../../server/src/kernel/migrations/migrate.ts'
import { compare, type Measured } from '../measure.ts'

const organisationId = '00000000-0000-4000-8000-000000000101'
const home = mkdtempSync(join(tmpdir(), 'tributary-bench-'))
const embedded = await startEmbedded(home)
await migrate(embedded.store)
const client = new pg.Client(embedded.store)
await client.connect()
await client.query(`SET tributary.organisation = '${organisationId}'`)
await fill()

const ours = `SELECT user_id, area_id, subarea_id FROM usable_pairs('${organisationId}')`
const plain = 'SELECT DISTINCT user_id, area_id, subarea_id FROM group_user JOIN resolved USING (group_id)'
const rows = await count(ours)
const differing = (await count(`(${ours}) EXCEPT (${plain})`)) + (await count(`(${plain}) EXCEPT (${ours})`))
if (differing > 0 || rows !== (await count(plain))) throw new Error(`The two results differ in ${differing} rows.`)

await compare({
  title: 'What 500 people may use of 10,000 pairs through 200 groups',
  rows,
  cases: [
    { name: 'plain join of resolved rows', run: () => timed(plain) },
    { name: 'Tributary: `usable_pairs`', run: () => timed(ours) },
  ],
})
await client.end()
await embedded.stop()
rmSync(home, { recursive: true, force: true })

/** Links every pair: a fifth of the areas and a tenth of the subareas by their flags, the rest one by one. */
async function fill(): Promise<void> {
  await client.query(`
    INSERT INTO organisation (id, company_name, key) VALUES ('${organisationId}', 'Bench', 'bench');
    INSERT INTO portal_user (first_name, last_name, email_address) SELECT 'First', 'Last ' || n, n || '@demo.example' FROM generate_series(1, 500) n;
    INSERT INTO membership (organisation_id, user_id, role_id) SELECT '${organisationId}', portal_user.id, role.id FROM portal_user, role WHERE role.name = 'user';
    INSERT INTO area (organisation_id, name, all_subareas) SELECT '${organisationId}', 'Area ' || n, n <= 20 FROM generate_series(1, 100) n;
    INSERT INTO subarea (organisation_id, name, all_areas) SELECT '${organisationId}', 'Subarea ' || n, n <= 10 FROM generate_series(1, 100) n;
    INSERT INTO area_subarea SELECT '${organisationId}', area.id, subarea.id FROM area, subarea WHERE NOT all_subareas AND NOT all_areas;
    INSERT INTO permission_group (organisation_id, name) SELECT '${organisationId}', 'Group ' || n FROM generate_series(1, 200) n;
    CREATE TEMP TABLE numbered AS SELECT id, row_number() OVER (ORDER BY name) AS n FROM permission_group;
    CREATE TEMP TABLE areas AS SELECT id, row_number() OVER (ORDER BY name) - 1 AS n FROM area;
    CREATE TEMP TABLE subareas AS SELECT id, row_number() OVER (ORDER BY name) - 1 AS n FROM subarea;`)
  // Of fifty groups one grants everything, the others two whole areas, two whole subareas and fifty single pairs.
  // Each person is in four.
  await client.query(`
    INSERT INTO group_pair SELECT '${organisationId}', id, NULL, NULL FROM numbered WHERE n % 50 = 0;
    INSERT INTO group_pair SELECT '${organisationId}', g.id, areas.id, NULL FROM numbered g JOIN areas ON areas.n IN (g.n * 3 % 100, (g.n * 3 + 1) % 100) WHERE g.n % 50 <> 0;
    INSERT INTO group_pair SELECT '${organisationId}', g.id, NULL, subareas.id FROM numbered g JOIN subareas ON subareas.n IN (g.n * 7 % 100, (g.n * 7 + 1) % 100) WHERE g.n % 50 <> 0;
    INSERT INTO group_pair SELECT DISTINCT '${organisationId}'::uuid, g.id, areas.id, subareas.id
    FROM numbered g, generate_series(0, 49) k JOIN areas ON true JOIN subareas ON true
    WHERE g.n % 50 <> 0 AND areas.n = (g.n * 11 + k * 13) % 100 AND subareas.n = (g.n * 17 + k * 29) % 100;
    INSERT INTO group_user SELECT DISTINCT '${organisationId}'::uuid, g.id, u.id
    FROM (SELECT id, row_number() OVER (ORDER BY email_address) AS n FROM portal_user) u, generate_series(0, 3) k, numbered g
    WHERE g.n = (u.n * 13 + k * 31) % 200 + 1;
    CREATE TABLE resolved (group_id uuid, area_id uuid, subarea_id uuid, PRIMARY KEY (group_id, area_id, subarea_id));
    INSERT INTO resolved SELECT DISTINCT g.group_id, area.id, subarea.id FROM group_pair g, area, subarea
    WHERE (g.area_id IS NULL OR g.area_id = area.id) AND (g.subarea_id IS NULL OR g.subarea_id = subarea.id);
    ANALYZE;`)
}

async function count(statement: string): Promise<number> {
  const { rows: counted } = await client.query<{ count: string }>(`SELECT count(*) FROM (${statement}) AS found`)
  return Number(counted[0]?.count)
}

async function timed(statement: string): Promise<Measured> {
  const since = performance.now()
  await count(statement)
  return { seconds: (performance.now() - since) / 1_000 }
}
