/** Rules of safety over every source, read as the compiler reads it, and the proof that each of them bites. */
import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { analyse } from 'scslre'
import { describe, expect, test } from 'vitest'
import { parseAst } from 'vitest/node'

const root = dirname(import.meta.dirname)
const packages = ['contract', 'client', 'engine', 'server', 'web', 'addin', 'sims']
const sources = packages
  .flatMap((name) =>
    readdirSync(join(root, name, 'src'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1)),
  )
  .filter((file) => !/\.test\.tsx?$/.test(file))

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [part: string]: unknown
}

type Rule = (file: string, text: string) => string[]

/** Each place in the text that breaks the rule, as it is written there. */
function find(file: string, text: string, isWrong: (node: Node) => boolean): string[] {
  const found: string[] = []
  const visit = (part: unknown) => {
    if (Array.isArray(part)) for (const one of part) visit(one)
    if (!isNode(part)) return
    if (isWrong(part)) found.push(wordsOf(part, text))
    for (const inner of Object.values(part)) visit(inner)
  }
  visit(treeOf(file, text))
  return found
}

const trees = new Map<string, unknown>()
function treeOf(file: string, text: string): unknown {
  const tree = trees.get(text) ?? parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' })
  trees.set(text, tree)
  return tree
}

function isNode(part: unknown): part is Node {
  return typeof part === 'object' && part !== null && 'type' in part
}
function wordsOf({ start, end }: Node, text: string): string {
  return text.slice(start, end).replaceAll(/\s+/g, ' ')
}
function nameOf(part: unknown): string {
  if (!isNode(part)) return ''
  if (part.type === 'Identifier') return String(part['name'])
  return part.type === 'MemberExpression' ? nameOf(part['property']) : ''
}

/** Of a file, what it may: each line stands for one place, so that what is no longer there is taken out. */
type Allowed = Readonly<Record<string, readonly string[]>>

function expectOnly(rule: Rule, among: (file: string) => boolean, allowed: Allowed): void {
  const files = sources.filter((file) => among(file))
  expect(files.length).toBeGreaterThan(20)
  const found = files.map((file) => [file, [...new Set(rule(file, readFileSync(join(root, file), 'utf8')))]] as const)
  expect(Object.fromEntries(found.filter(([, places]) => places.length > 0))).toEqual(allowed)
}

const statement =
  /^\s*begin;|^\s*(?:ALTER|BEGIN|CALL|COMMENT|COPY|CREATE|DECLARE|DELETE|DO|DROP|EXEC|FETCH|GRANT|INSERT|LOCK|MERGE|REVOKE|SELECT|SET|TRUNCATE|UPDATE|VALUES|WITH)\s/
const quoting = new Set(['quote', 'q', 'columnList', 'table', 'view', 'of', 'literal', 'escapeLiteral'])

/** What stands in a statement and was not quoted. Kysely's own templates make parameters of what is in them. */
const builtSql: Rule = (file, text) => {
  const tagged = new Set<unknown>()
  const wrong: string[] = []
  find(file, text, (node) => {
    if (node.type === 'TaggedTemplateExpression') tagged.add(node['quasi'])
    if (node.type === 'CallExpression' && isNode(node['callee']) && wordsOf(node['callee'], text) === 'sql.raw')
      wrong.push(wordsOf(node, text))
    if (node.type !== 'TemplateLiteral' || tagged.has(node)) return false
    const [first] = node['quasis'] as [{ readonly value: { readonly raw: string } }]
    if (!statement.test(first.value.raw)) return false
    for (const inner of node['expressions'] as Node[]) {
      const isQuoted = inner.type === 'CallExpression' && quoting.has(nameOf(inner['callee']))
      if (!isQuoted) wrong.push(wordsOf(inner, text))
    }
    return false
  })
  return wrong
}

const code: Rule = (file, text) =>
  find(file, text, (node) => {
    if (node.type === 'CallExpression' || node.type === 'NewExpression')
      return ['eval', 'Function'].includes(nameOf(node['callee']))
    if (node.type === 'Property') return nameOf(node['key']) === 'shell'
    if (node.type === 'ImportDeclaration')
      return /^(?:node:)?(?:vm|child_process)$/.test((node['source'] as { value: string }).value)
    return (
      node.type === 'ImportExpression' &&
      /^['"](?:node:)?(?:vm|child_process)['"]$/.test(wordsOf(node['source'] as Node, text))
    )
  }).filter((place) => !place.startsWith('import type'))

const secretName = /(?:token|secret|password|hash|signature|digest|hmac|seal|mac)$/i

/** A comparison that stops at the first difference tells by its time how much was right. */
const plainComparison: Rule = (file, text) =>
  find(file, text, (node) => {
    if (node.type !== 'BinaryExpression' || !/^[!=]==?$/.test(String(node['operator']))) return false
    const sides = [node['left'], node['right']] as Node[]
    const isKnown = sides.some(({ type, ...side }) => /Literal|Unary/.test(type) || side['name'] === 'undefined')
    return (
      !isKnown &&
      sides.some((side) => secretName.test(isNode(side['expression']) ? nameOf(side['expression']) : nameOf(side)))
    )
  })

/** Expressions that take longer than their input is long. */
const slowExpression: Rule = (file, text) =>
  find(file, text, ({ regex }) => {
    if (typeof regex !== 'object' || regex === null) return false
    const { pattern: source, flags } = regex as { pattern: string; flags: string }
    return analyse({ source, flags }).reports.length > 0
  })

const migrations = join(root, 'server/migrations')
const withoutQuotes = (sql: string) => sql.replaceAll(/--.*$|'[^']*'|"[^"]*"/gmu, ' ')
/** Names of the store with more than one word that are not PostgreSQL's, as the database has them. */
const storedNames = new Set(
  readdirSync(migrations)
    .flatMap(
      (file) => withoutQuotes(readFileSync(join(migrations, file), 'utf8')).match(/\b[a-z\d]+(?:_[a-z\d]+)+\b/gu) ?? [],
    )
    .filter((name) => !['current_setting', 'gen_random_uuid', 'row_number'].includes(name)),
)

/** Raw SQL of the store uses camelCase, as the query builder does: one casing in a query. */
const oneCasing: Rule = (file, text) => {
  const wrong: string[] = []
  find(file, text, (node) => {
    if (node.type !== 'TaggedTemplateExpression' || nameOf(node['tag']) !== 'sql') return false
    const { quasis } = node['quasi'] as { quasis: { readonly value: { readonly raw: string } }[] }
    for (const { value } of quasis)
      wrong.push(
        ...withoutQuotes(value.raw)
          .split(/\W+/u)
          .filter((name) => storedNames.has(name)),
      )
    return false
  })
  return wrong
}

const onServer = (file: string) => file.startsWith('server/')
const moving = (file: string) => /^(?:server|engine)\//.test(file)

/** Words of ours, never of a caller: constants, one of two literals, or parts whose names were quoted where they were made. */
const knownSql: Allowed = {
  'server/src/features/groups/queries.ts': ['sql.raw(sort)'],
  'server/src/features/loads/load-table-rows.ts': ["wanted.join(', ')", "among.join(', ')"],
  'server/src/features/privacy/keyset-pagination.ts': ['sql.raw(type)'],
  'server/src/features/planning-structure/queries.ts': ['sql.raw(sort)'],
  'server/src/features/table-sync/queries.ts': ['sql.raw(String(batchSize))'],
  'server/src/access/warehouse/warehouse-database.ts': [
    'connectionsMax',
    "isByTcp ? `; GRANT ${tcpReaders} TO ${q(readerName)}` : ''",
    'limit',
  ],
  'server/src/kernel/embedded/supervisor.ts': ['storeRole', 'warehouseReaders', 'storeDatabase'],
  // Signatures of functions as PostgreSQL itself quotes them.
  'server/src/kernel/store/revoke-large-objects.ts': ['signature'],
  'server/src/kernel/store/locks.ts': ['lock'],
  'server/src/planning/tables/planned-tables.ts': ['pair', 'milestone', 'entity'],
  // An id whose form was checked: it is set before each statement, where a parameter would cost a turn.
  'server/src/kernel/store/store.ts': ['organisation'],
  'server/src/trial/shop.ts': ['database', 'reader.user', 'tcpReaders', 'reader.password'],
}

/** The programs are PostgreSQL, node and this server itself. */
const knownCode: Allowed = {
  'server/src/cli/commands/demo.ts': ["import { spawn } from 'node:child_process'"],
  'server/src/kernel/embedded/binaries.ts': ["import { execFileSync } from 'node:child_process'"],
  'server/src/kernel/embedded/cluster.ts': ["import { execFile } from 'node:child_process'"],
  'server/src/kernel/embedded/orphan-guard.ts': ["import { spawn } from 'node:child_process'"],
  'server/src/kernel/embedded/postmaster.ts': ["import { execFileSync, type ChildProcess } from 'node:child_process'"],
  'server/src/kernel/embedded/supervisor.ts': ["import { spawn } from 'node:child_process'"],
  'server/src/planning/sheet-files/read-sheets.ts': ["import { type ChildProcess, fork } from 'node:child_process'"],
}

/** Both sides are ours, or both come from the one person who knows them. */
const knownComparisons: Allowed = {
  'server/src/features/profile/sign-in-methods.ts': ['password === currentPassword'],
  'server/src/features/sign-in/password-sign-in.ts': ['current?.passwordHash !== account.passwordHash'],
  'server/src/security/backup/archive.ts': ['name === names.seal'],
  'server/src/connections/databases/credentials-form.ts': ['input.password !== secretMask'],
  'server/src/connections/oauth/access-tokens.ts': [
    'cached.token !== refused',
    'obtained.token !== reason.refused',
    'current.token !== reason.refused',
    'current.token === reason.refused',
  ],
}

/** What they read is short by its limit, is ours, or stays in the browser of whoever typed it. None is worse than quadratic. */
const knownSlow: Allowed = {
  'contract/src/common-passwords.ts': [String.raw`/[^\p{L}]+$/u`],
  'contract/src/excel-number-formats.ts': [String.raw`/\[[^\]]*\]|general|e[+-]/giu`],
  'engine/src/apis/uniconta/edmx.ts': [String.raw`/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g`],
  'engine/src/databases/sqlserver/settings.ts': [
    String.raw`/^(?:tcp:)?\s*([^\\,:]+?|\[[0-9a-f:]+\])\s*(?:[,:]\s*(\d{1,5}))?$/i`,
  ],
  'engine/src/databases/mysql/dialect/merge.ts': [String.raw`/\d+\D+(\d+)/`],
  'server/src/cli/commands/support-bundle.ts': [String.raw`/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/gu`],
  'server/src/features/loads/sheet/column-values.ts': [String.raw`/T(.+)$/u`, String.raw`/\.?0+$/u`],
  'server/src/features/loads/sheet/exact-decimals.ts': [String.raw`/0+$/u`],
  'server/src/security/egress/ip-ranges.ts': [String.raw`/(\d+)\.(\d+)\.(\d+)\.(\d+)$/u`],
  'server/src/security/backup/tar.ts': [String.raw`/\0.*$/su`],
  'server/src/connections/databases/database-credentials.ts': [
    String.raw`/^(?:\[([^\]]+)\]|([^,:]*))\s*(?:[,:]\s*(\d{1,5}))?$/u`,
  ],
  'server/src/identity/factors/recovery-codes.ts': [String.raw`/(?<=.)(?=(?:.{4})+$)/gu`],
  'server/src/kernel/config/master-keys.ts': [String.raw`/=+$/u`],
  'server/src/planning/sheet-files/exact-number.ts': [String.raw`/\.?0+$/u`],
  'server/src/kernel/text/slug.ts': [String.raw`/^-+|-+$/g`],
  'web/src/features/connectors/connection-string/connection-string.ts': [
    String.raw`/([\w][\w .]*?)\s*=\s*(?:"((?:[^"]|"")*)"|'((?:[^']|''|\\')*)'|([^;]*?))\s*(?:;|$)/g`,
    String.raw`/(\w+)\s*=\s*(?:'((?:[^'\\]|\\.)*)'|(\S*))/g`,
  ],
  'web/src/features/connectors/form/settings-form.ts': [String.raw`/^[_0-9]+|_+$/g`],
  'web/src/features/sign-in/setup-page.tsx': [String.raw`/^\S+@\S+\.\S+$/`],
  'web/src/domain/sign-in/new-password-fields.tsx': [String.raw`/^(.+?)\1+$/u`],
}

describe('every source', { timeout: 120_000 }, () => {
  test('a statement holds what was quoted, and nothing else that is not known', () =>
    expectOnly(builtSql, onServer, knownSql))
  test('no text becomes code, and programs are started without a shell', () => expectOnly(code, () => true, knownCode))
  test('nothing secret is compared in a way that tells how much of it was right', () =>
    expectOnly(plainComparison, moving, knownComparisons))
  test('no regular expression can be made to hang: what takes longer than its input is long gets few characters', () =>
    expectOnly(slowExpression, () => true, knownSlow))
  test('raw SQL of the store names tables and columns in camelCase, as the query builder does', () =>
    expectOnly(oneCasing, onServer, {}))
})

describe('a planted violation is found', () => {
  test.each([
    ['a name that nobody quoted', builtSql, 'await client.query(`DELETE FROM ${name}`)'],
    ['a value', builtSql, `await client.query(\`SELECT * FROM shop WHERE name = '\${typed}'\`)`],
    ['raw text in a template of Kysely', builtSql, 'sql`SELECT * FROM shop ORDER BY ${sql.raw(typed)}`'],
    ['a second casing in a query', oneCasing, "db.selectFrom('run').where(sql`run.queued_at < now()`)"],
    ['eval', code, 'eval(typed)'],
    ['a function made of text', code, `new Function('value', typed)`],
    ['a virtual machine', code, `import { runInNewContext } from 'node:vm'`],
    ['a shell', code, `import { exec } from 'node:child_process'`],
    ['a shell asked for', code, 'spawn(typed, { shell: true })'],
    ['a late import', code, `await import('child_process')`],
    ['a plain comparison', plainComparison, 'if (given === row.tokenHash) open()'],
    ['a plain comparison with an assertion', plainComparison, 'if (given !== (row.secret as string)) refuse()'],
    ['exponential backtracking', slowExpression, 'const slow = /^(?:a+)+$/'],
    ['quadratic backtracking', slowExpression, String.raw`const slow = /^\s*\w*\s*\w*$/u`],
    ['beginning anew at each character', slowExpression, String.raw`const slow = /\s+$/u`],
  ] as const)('%s', (_, rule, text) => {
    expect(rule('server/src/planted.ts', `${text}\n`)).not.toEqual([])
  })

  test.each([
    [builtSql, 'await client.query(`DELETE FROM ${quote(name)} WHERE id = $1`, [id])'],
    [builtSql, 'await sql`SELECT * FROM shop WHERE name = ${typed}`.execute(db)'],
    [oneCasing, "sql`SELECT json_agg(queuedAt) AS 'queued_at' FROM run WHERE ${sql.ref('queuedAt')} < now()`"],
    [code, `import type { ChildProcess } from 'node:child_process'`],
    [plainComparison, `if (token === undefined || token === '') refuse()`],
    [plainComparison, 'timingSafeEqual(given, row.tokenHash)'],
    [slowExpression, String.raw`const quick = /^\w+$/u`],
  ] as const)('what breaks no rule passes: %#', (rule, text) => {
    expect(rule('server/src/planted.ts', `${text}\n`)).toEqual([])
  })
})
