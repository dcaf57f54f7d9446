/** Checks the import rules and the linter's rules, and that each of them rejects a planted violation. */
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { findForbiddenImports, importRules } from './import-rules.ts'
import { plantedImports } from './planted-imports.ts'

const root = dirname(import.meta.dirname)
const folder = mkdtempSync(join(tmpdir(), 'tributary-rules-'))
afterAll(() => rmSync(folder, { recursive: true }))

const folders = [
  'contract/src',
  'client/src',
  'engine/src',
  'server/src',
  'web/src',
  'addin/src',
  'sims/src',
  'testing',
]
const sources = folders.flatMap((name) =>
  readdirSync(join(root, name), { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.parentPath.includes('node_modules'))
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1)),
)

describe('imports', () => {
  test('every file of the product imports only what its folder may import', () => {
    expect(sources.length).toBeGreaterThan(1_000)
    expect(sources.flatMap((file) => findForbiddenImports(file, readFileSync(join(root, file), 'utf8')))).toEqual([])
  })

  test('the table names folders and files that exist', () => {
    const named = importRules.flatMap(({ folder, mayImport }) => [folder.replace(/\/\*$/, ''), ...mayImport])
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })

  test.each(plantedImports)('%s may not import %s', (file, specifier, rule) => {
    expect(findForbiddenImports(file, `import { thing } from '${specifier}'\n`).join()).toMatch(rule)
    expect(findForbiddenImports(file, `import type { Thing } from '${specifier}'\n`).join()).toMatch(rule)
    expect(findForbiddenImports(file, `const { thing } = await import('${specifier}')\n`).join()).toMatch(rule)
  })

  test('files below an allowed folder may be imported', () => {
    const text = `import { thing } from '../../ports/model.ts'\nimport { other } from './other.ts'\nimport pg from 'pg'\n`
    expect(findForbiddenImports('engine/src/databases/one/planted.ts', text)).toEqual([])
  })
})

describe('a planted violation fails', () => {
  test.each([
    ['contract/src/planted.ts', 'node:fs', /no I\/O/],
    ['client/src/planted.ts', '@tributary/contract/routes', /out of the bundle/],
    ['client/src/planted.ts', 'react', /no React/],
    ['client/src/planted.ts', '@tanstack/react-query', /no React/],
    ['web/src/app/planted.ts', '@tributary/contract/routes', /out of the bundle/],
    ['addin/src/app/planted.ts', '@tributary/contract/loads', /out of the bundle/],
  ])('%s may not import %s', (file, specifier, rule) => {
    expect(lint(file, `import { thing } from '${specifier}'\nexport const planted = thing\n`)).toMatch(rule)
  })

  test.each(['web/src/app/planted.ts', 'addin/src/app/planted.ts'])(
    '%s may not import the bare useMutation',
    (file) => {
      expect(
        lint(file, `import { useMutation } from '@tanstack/react-query'\nexport const planted = useMutation\n`),
      ).toMatch(/a second click starts nothing twice/)
    },
  )

  test('an import cycle, also of types only', () => {
    writePlanted('engine/src/round.ts', `import type { B } from './about.ts'\nexport interface A { b: B }\n`)
    expect(lint('engine/src/about.ts', `import type { A } from './round.ts'\nexport interface B { a: A }\n`)).toContain(
      'no-cycle',
    )
  })

  test.each([
    ['a file of more than 300 lines', 'engine/src/long.ts', 'export {}\n'.repeat(301), 'max-lines'],
    ['any', 'engine/src/loose.ts', 'export const loose: any = 1\n', 'no-explicit-any'],
    ['a default export', 'engine/src/standard.ts', 'export default 1\n', 'no-default-export'],
    ['a barrel', 'engine/src/all.ts', `export * from './one.ts'\nexport * from './two.ts'\n`, 'no-barrel-file'],
  ])('%s', (_, file, text, rule) => {
    expect(lint(file, text)).toContain(rule)
  })

  test.each([
    ['engine/src/fine.ts', `export const fine = 'fine'\n`],
    [
      'web/src/app/fine.ts',
      `import type { AnyRoute } from '@tributary/contract/routes'\nexport type Fine = AnyRoute\n`,
    ],
    ['web/src/app/light.ts', `import { pollMs } from '@tributary/contract/limits'\nexport const fine = pollMs\n`],
  ])('code that breaks no rule passes: %s', (file, text) => {
    expect(lint(file, text)).toBe('')
  })
})

/** Files that may open connections. All other code uses the guarded network that it receives. */
const allowedToConnect = new Set([
  'engine/src/apis/http/exchange.ts',
  'engine/src/databases/mysql/connection.ts',
  'engine/src/databases/postgres/session-pool.ts',
  'engine/src/databases/sqlserver/connection.ts',
  // They import the drivers for the protocol of a query on a connection that is open.
  'engine/src/databases/mysql/queries/run-query.ts',
  'engine/src/databases/postgres/queries/run-query.ts',
  // It reaches one port of this computer: that of an API that the workbench simulates.
  'engine/src/apis/workbench/prove/loopback-network.ts',
  'server/src/security/egress/egress.ts',
  'server/src/security/egress/fetch-over-network.ts',
  'server/src/access/warehouse/warehouse.ts',
  // `tributary doctor` checks whether the operator's addresses are reachable.
  'server/src/cli/doctor/check-machine.ts',
  'server/src/cli/doctor/check-public-address.ts',
])
/** Exports of networking modules that open no connection. */
const harmlessNames = new Set([
  'BlockList',
  'createServer',
  'isIP',
  'isIPv4',
  'isIPv6',
  'SocketAddress',
  'STATUS_CODES',
  'Request',
  'TYPES',
])

/**
 * Finds code that opens connections without the egress guard. `pg` is allowed in the server, which uses it for its own
 * store.
 */
function findUnguardedConnections(file: string, text: string): string[] {
  const modules = `(?:node:)?(?:net|tls|https?|http2|dgram|dns)(?:/promises)?|undici|mysql2(?:/promise)?|tedious${file.startsWith('engine') ? '|pg' : ''}`
  const imports = text
    .matchAll(new RegExp(`^import (?!type )([^;'"]+?) from ['"](?:${modules})['"]`, 'gm'))
    .flatMap(([, what = '']) => {
      const names = what.replace(/[{}]/g, '').split(',')
      return names
        .map((name) => name.trim())
        .filter((name) => name !== '' && !name.startsWith('type ') && !harmlessNames.has(name))
    })
  const others = text.matchAll(
    new RegExp(
      `(?:import|require|getBuiltinModule)\\(\\s*['"\`](?:${modules})['"\`]|globalThis\\.fetch|new (?:WebSocket|EventSource)\\b`,
      'g',
    ),
  )
  const ownFetch = /\b(?:function|const|let) fetch\b|[(,{]\s*fetch\b\s*[:,}]/.test(text)
  const fetches = ownFetch ? [] : text.matchAll(/(?<![.\w#])fetch\(/g)
  return [...imports, ...[...others].map(([found]) => found), ...[...fetches].map(([found]) => found)]
}

describe('egress guard', () => {
  test('code of the engine and the server opens connections only through the egress guard', () => {
    const moving = sources.filter((file) => /^(?:engine|server)\//.test(file) && !/\.test\.ts$|\/trial\//.test(file))
    expect(moving.length).toBeGreaterThan(100)
    const found = moving.flatMap((file) =>
      findUnguardedConnections(file, readFileSync(join(root, file), 'utf8')).map((way) => `${file}: ${way}`),
    )
    expect(found.filter((line) => !allowedToConnect.has(line.split(':')[0] ?? ''))).toEqual([])
    for (const file of allowedToConnect)
      expect(
        found.some((line) => line.startsWith(file)),
        `${file} need not be in the list`,
      ).toBe(true)
  })

  test.each([
    `import { connect } from 'node:net'`,
    `import { isIP, connect } from 'node:net'`,
    `import net from 'node:net'`,
    `import * as tls from 'tls'`,
    `import { request } from 'node:https'`,
    `import { lookup } from 'node:dns/promises'`,
    `import { createSocket } from 'node:dgram'`,
    `import pg from 'pg'`,
    `import { createConnection } from 'mysql2/promise'`,
    `import { type BulkLoad, Connection } from 'tedious'`,
    `const net = await import('node:net')`,
    `const net = process.getBuiltinModule('net')`,
    `const answer = await fetch('https://elsewhere.example')`,
    `const answer = await globalThis.fetch('https://elsewhere.example')`,
    `const socket = new WebSocket('wss://elsewhere.example')`,
  ])('a planted connection without the guard is found: %s', (line) => {
    expect(findUnguardedConnections('engine/src/apis/one/planted.ts', `${line}\n`)).not.toEqual([])
  })

  test.each([
    `import type { Socket } from 'node:net'`,
    `import { isIP, type Socket } from 'node:net'`,
    `import { Request } from 'tedious'`,
    `const next = pages.fetch(2)`,
  ])('code that opens no connection is allowed: %s', (line) => {
    expect(findUnguardedConnections('engine/src/apis/one/planted.ts', `${line}\n`)).toEqual([])
  })
})

describe('the source tree', () => {
  test('has no barrels and no files or folders for miscellaneous code', () => {
    const miscellaneous = sources.filter((file) =>
      /(^|\/)(index\.tsx?$|utils|helpers|common|shared|misc)(\/|\.|$)/.test(file),
    )
    expect(miscellaneous).toEqual([])
  })
})

function lint(file: string, text: string): string {
  if (!readdirSync(folder).includes('.oxlintrc.json')) {
    cpSync(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'))
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  }
  writePlanted(file, text)
  try {
    execFileSync(join(root, 'node_modules/.bin/oxlint'), ['-f', 'json', file], { cwd: folder, encoding: 'utf8' })
    return ''
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}

function writePlanted(file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), text)
}
