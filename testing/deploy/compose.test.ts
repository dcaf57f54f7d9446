/** The Compose file for one machine: what Docker Compose would start, compared with what the server requires. */
import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { parse } from 'yaml'
import { readConfig } from '../../server/src/kernel/config/config.ts'
import { findStoreProblems } from '../../server/src/kernel/store/production-checks.ts'
import { root } from './installed.ts'
import { connectionsOfProcess, listBare, listUnknown, stopSeconds } from './settings.ts'

interface Service {
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly secrets?: readonly string[]
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly networks?: readonly string[]
  readonly ports?: readonly string[]
  readonly stop_grace_period?: string
  readonly deploy?: { readonly replicas: number }
}
interface Composition {
  readonly services: Readonly<Record<string, Service>>
  readonly secrets: Readonly<Record<string, { readonly file: string }>>
  readonly networks: Readonly<
    Record<string, { readonly ipam?: { readonly config: readonly { readonly subnet: string }[] } } | null>
  >
}

const folder = join(root, 'deploy/compose')
const composition = parse(readFileSync(join(folder, 'compose.yaml'), 'utf8'), { merge: true }) as Composition
const service = (name: string): Service => composition.services[name] ?? {}
const own = ['migrate', 'web', 'worker']

let copy: string
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'tributary-compose-'))
  cpSync(folder, copy, {
    recursive: true,
    filter: (path) => !path.includes('/secrets/') || path.endsWith('.gitignore'),
  })
})
afterAll(() => rmSync(copy, { recursive: true }))

/**
 * Runs the script and changes the owner of the files, because the image's account does not own them either: root does.
 */
function makeSecrets(): ReadonlyMap<string, string> {
  execFileSync('sh', [join(copy, 'make-secrets.sh')])
  const files = readdirSync(join(copy, 'secrets')).filter((name) => !name.startsWith('.'))
  if (process.getuid?.() === 0)
    for (const name of files) {
      expect(statSync(join(copy, 'secrets', name))).toMatchObject({ uid: 0, gid: 65_532 })
      chownSync(join(copy, 'secrets', name), 65_533, 65_532)
    }
  return new Map(files.map((name) => [name, readFileSync(join(copy, 'secrets', name), 'utf8').trim()]))
}

/** The environment of a service with the example's settings, and with the secrets that the script created. */
function environmentOf(name: string): Readonly<Record<string, string>> {
  const example = Object.fromEntries(
    [...readFileSync(join(copy, 'env.example'), 'utf8').matchAll(/^([A-Z_]+)=(.*)$/gmu)].map(
      ([, variable = '', value = '']) => [variable, value],
    ),
  )
  const entries = Object.entries(service(name).environment ?? {}).map(([variable, value]) => {
    const filled = value.replaceAll(/\$\{(\w+)(?::[?-]([^}]*))?\}/gu, (_, given: string) => example[given] ?? '')
    return [variable, filled.replace('/run/secrets', join(copy, 'secrets'))]
  })
  return Object.fromEntries(entries) as Record<string, string>
}

describe('docker compose', () => {
  test('starts with the output of the script and the example, and no secret is in the environment', () => {
    const made = makeSecrets()
    expect(makeSecrets()).toEqual(made)

    for (const { file } of Object.values(composition.secrets))
      expect([...made.keys()]).toContain(file.replace('./secrets/', ''))
    // Another key is appended below it.
    expect(readFileSync(join(copy, 'secrets/master-key'), 'utf8')).toMatch(/^\S+\n$/u)
    for (const name of own) {
      const variables = Object.keys(service(name).environment ?? {})
      expect([...listUnknown(variables), ...listBare(variables)]).toEqual([])
      const { config, problems } = readConfig(environmentOf(name))
      expect(problems).toEqual([])
      expect(config.role).toBe(name === 'migrate' ? 'all' : name)
      const password = made.get('database-password')
      expect(config.databaseUrl).toBe(
        `postgres://tributary:${String(password)}@postgres:5432/tributary?sslmode=disable`,
      )
    }
  })

  test('a secret that other users can read, and a missing one, are refused', () => {
    makeSecrets()
    chmodSync(join(copy, 'secrets/master-key'), 0o644)
    rmSync(join(copy, 'secrets/smtp-url'))
    const { problems } = readConfig(environmentOf('web'))
    expect(problems).toEqual([
      expect.stringMatching(/MASTER_KEY_FILE can be read by others/u),
      expect.stringMatching(/SMTP_URL_FILE cannot be read/u),
    ])
  })

  test('waits for the database and the migration, and gives each process the time that it needs to stop', () => {
    for (const name of ['web', 'worker'])
      expect(service(name).depends_on).toMatchObject({
        postgres: { condition: 'service_healthy' },
        migrate: { condition: 'service_completed_successfully' },
      })
    expect(service('migrate').command).toEqual(['tributary', 'migrate', 'run'])
    for (const name of own)
      expect(Number.parseInt(service(name).stop_grace_period ?? '', 10)).toBeGreaterThan(stopSeconds())
  })

  test('no process can write to its image, gain a right, take all memory or be root, and only they reach the database', () => {
    for (const name of [...own, 'postgres']) {
      expect(service(name)).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      })
      expect(service(name)).toMatchObject({
        user: expect.stringMatching(/^[1-9]\d*:/u),
        mem_limit: expect.stringMatching(/^\d/u),
      })
    }
    for (const name of own) expect(service(name)).toMatchObject({ user: '65532:65532' })
    expect(service('postgres')).toMatchObject({ networks: ['store'] })
    expect(composition).toMatchObject({ networks: { store: { internal: true } } })
    expect(service('postgres').ports).toBeUndefined()
    for (const port of service('web').ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/u)
  })

  test('the operator’s own proxy reaches web at a local port that an upgrade does not change', () => {
    // From a range of ports, Docker would assign the next one to each new container.
    expect(service('web').ports).toEqual(['127.0.0.1:${TRIBUTARY_WEB_PORTS:-3000}:3000'])
  })

  test('the proxy reaches web only by the network whose addresses are trusted, and no other service is in it', () => {
    const shared = service('caddy').networks?.filter((name) => service('web').networks?.includes(name) === true)
    expect(shared).toEqual(['proxy'])
    const [subnet] = composition.networks['proxy']?.ipam?.config ?? []
    expect(service('web').environment?.['TRIBUTARY_TRUSTED_PROXIES']?.split(',')).toContain(subnet?.subnet)
    const inside = Object.keys(composition.services).filter(
      (name) => service(name).networks?.includes('proxy') === true,
    )
    expect(inside.toSorted()).toEqual(['caddy', 'web'])
  })

  test('the database has connections for twice the initial number of processes', () => {
    const most = Number(/max_connections=(\d+)/u.exec(service('postgres').command?.join(' ') ?? '')?.[1])
    const processes = own.reduce((sum, name) => sum + (service(name).deploy?.replicas ?? 1), 0)
    expect(most).toBeGreaterThanOrEqual(2 * processes * connectionsOfProcess)
  })

  test('the role that it creates in the database is accepted at the start, may create databases and roles, and keeps other roles out of the store', async () => {
    const server = inject('postgres')
    const name = 'tributary_composed'
    const [admin, owner] = [
      new pg.Client({ ...server, database: 'postgres' }),
      new pg.Client({ ...server, user: name, password: 'composed', database: name }),
    ]
    await admin.connect()
    try {
      // Lines that begin with a backslash are psql commands: they read the password from its file.
      const script = readFileSync(join(folder, 'roles.sql'), 'utf8')
        .replaceAll(/^\\.*$/gmu, '')
        .replaceAll(/\btributary\b/gu, name)
      for (const statement of script
        .replaceAll(`:'password'`, `'composed'`)
        .replaceAll(/^--.*$/gmu, '')
        .split(';'))
        if (statement.trim() !== '') await admin.query(statement)
      expect(await findStoreProblems({ ...server, user: name, password: 'composed', database: name }, [])).toEqual([])
      await owner.connect()
      const { rows } = await owner.query<{ makes: boolean; admits: boolean }>(
        `SELECT rolcreatedb AND rolcreaterole AS makes, (SELECT bool_or(datacl IS NULL OR array_to_string(datacl, ' ') ~ '(^| )=') FROM pg_database WHERE datname IN (current_database(), 'postgres', 'template1')) AS admits FROM pg_roles WHERE rolname = current_user`,
      )
      expect(rows).toEqual([{ makes: true, admits: false }])
    } finally {
      await owner.end()
      await admin.query(`DROP DATABASE IF EXISTS ${name}`)
      await admin.query(`DROP ROLE IF EXISTS ${name}`)
      await admin.end()
    }
  })

  test('secrets are neither in git nor in an image', () => {
    expect(readFileSync(join(folder, 'secrets/.gitignore'), 'utf8').split('\n')).toContain('*')
    expect(readFileSync(join(root, '.dockerignore'), 'utf8').split('\n')).toContain('deploy/*')
  })
})
