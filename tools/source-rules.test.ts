/** Rules over the syntax tree of every source, and a check that each of them finds a planted violation. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { analyse } from 'scslre'
import { describe, expect, test } from 'vitest'
import { knownSql } from './known-sql.ts'
import {
  expectOnly,
  findNodes,
  isNode,
  readName,
  root,
  sourceOf,
  type AllowedPlaces,
  type SourceRule,
  type SyntaxNode,
} from './source-rule.ts'

const sqlStatement =
  /^\s*begin;|^\s*(?:ALTER|BEGIN|CALL|COMMENT|COPY|CREATE|DECLARE|DELETE|DO|DROP|EXEC|FETCH|GRANT|INSERT|LOCK|MERGE|REVOKE|SELECT|SET|TRUNCATE|UPDATE|VALUES|WITH)\s/
const quotingFunctions = new Set([
  'quote',
  'q',
  'columnList',
  'table',
  'view',
  'of',
  'literal',
  'escapeLiteral',
  'withLiterals',
])

/**
 * Unquoted parts of SQL statements. Kysely's `sql` templates are exempt, because they turn their parts into parameters.
 */
const builtSql: SourceRule = (file, text) => {
  const tagged = new Set<unknown>()
  const wrong: string[] = []
  findNodes(file, text, (node) => {
    if (node.type === 'TaggedTemplateExpression') tagged.add(node['quasi'])
    if (node.type === 'CallExpression' && isNode(node['callee']) && sourceOf(node['callee'], text) === 'sql.raw')
      wrong.push(sourceOf(node, text))
    if (node.type !== 'TemplateLiteral' || tagged.has(node)) return false
    const [first] = node['quasis'] as [{ readonly value: { readonly raw: string } }]
    if (!sqlStatement.test(first.value.raw)) return false
    for (const inner of node['expressions'] as SyntaxNode[]) {
      const isQuoted = inner.type === 'CallExpression' && quotingFunctions.has(readName(inner['callee']))
      if (!isQuoted) wrong.push(sourceOf(inner, text))
    }
    return false
  })
  return wrong
}

const codeFromText: SourceRule = (file, text) =>
  findNodes(file, text, (node) => {
    if (node.type === 'CallExpression' || node.type === 'NewExpression')
      return ['eval', 'Function'].includes(readName(node['callee']))
    if (node.type === 'Property') return readName(node['key']) === 'shell'
    if (node.type === 'ImportDeclaration')
      return /^(?:node:)?(?:vm|child_process)$/.test((node['source'] as { value: string }).value)
    return (
      node.type === 'ImportExpression' &&
      /^['"](?:node:)?(?:vm|child_process)['"]$/.test(sourceOf(node['source'] as SyntaxNode, text))
    )
  }).filter((place) => !place.startsWith('import type'))

const secretName = /(?:token|secret|password|hash|signature|digest|hmac|seal|mac)$/i

/** Comparisons of secrets that are not constant-time: their duration reveals how much of a guess is correct. */
const plainComparison: SourceRule = (file, text) =>
  findNodes(file, text, (node) => {
    if (node.type !== 'BinaryExpression' || !/^[!=]==?$/.test(String(node['operator']))) return false
    const sides = [node['left'], node['right']] as SyntaxNode[]
    const isKnown = sides.some(({ type, ...side }) => /Literal|Unary/.test(type) || side['name'] === 'undefined')
    return (
      !isKnown &&
      sides.some((side) => secretName.test(isNode(side['expression']) ? readName(side['expression']) : readName(side)))
    )
  })

/** Regular expressions that do not run in linear time. */
const slowExpression: SourceRule = (file, text) =>
  findNodes(file, text, ({ regex }) => {
    if (typeof regex !== 'object' || regex === null) return false
    const { pattern: source, flags } = regex as { pattern: string; flags: string }
    return analyse({ source, flags }).reports.length > 0
  })

const migrations = join(root, 'server/migrations')
const withoutQuotes = (sql: string) => sql.replaceAll(/--.*$|'[^']*'|"[^"]*"/gmu, ' ')
/** Tables and columns of the store in snake_case, without functions of PostgreSQL. */
const storedNames = new Set(
  readdirSync(migrations)
    .flatMap(
      (file) => withoutQuotes(readFileSync(join(migrations, file), 'utf8')).match(/\b[a-z\d]+(?:_[a-z\d]+)+\b/gu) ?? [],
    )
    .filter(
      (name) =>
        ![
          'array_agg',
          'current_setting',
          'gen_random_uuid',
          'pg_try_advisory_xact_lock',
          'row_number',
          'set_config',
        ].includes(name),
    ),
)

/** Raw SQL of the store must use camelCase as the query builder does, so that a query has one casing. */
const oneCasing: SourceRule = (file, text) => {
  const wrong: string[] = []
  findNodes(file, text, (node) => {
    if (node.type !== 'TaggedTemplateExpression' || readName(node['tag']) !== 'sql') return false
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

/** Only PostgreSQL, Node and the server itself are started. */
const knownCode: AllowedPlaces = {
  'engine/src/apis/workbench/prove/killed-process.ts': ["import { type ChildProcess, fork } from 'node:child_process'"],
  'server/src/cli/commands/demo.ts': ["import { spawn } from 'node:child_process'"],
  'server/src/features/data/exports/write-file.ts': [
    "import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'",
  ],
  'server/src/kernel/embedded/binaries.ts': ["import { execFileSync } from 'node:child_process'"],
  'server/src/kernel/embedded/cluster.ts': ["import { execFile } from 'node:child_process'"],
  'server/src/kernel/embedded/orphan-guard.ts': ["import { spawn } from 'node:child_process'"],
  'server/src/kernel/embedded/postmaster.ts': ["import { execFileSync, type ChildProcess } from 'node:child_process'"],
  'server/src/kernel/embedded/supervisor.ts': ["import { spawn } from 'node:child_process'"],
  'server/src/planning/sheet-files/read-sheets.ts': ["import { type ChildProcess, fork } from 'node:child_process'"],
}

/** Both sides come from the server, or both from the one person who knows them. */
const knownComparisons: AllowedPlaces = {
  // The client names a token that the server has refused.
  'engine/src/apis/http/token-request.ts': ['known.token !== refused'],
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

/**
 * Their input is limited in length, comes from the repository, or stays in the user's browser. None is worse than
 * quadratic.
 */
const knownSlow: AllowedPlaces = {
  'contract/src/common-passwords.ts': [String.raw`/[^\p{L}]+$/u`],
  'contract/src/excel-number-formats.ts': [String.raw`/\[[^\]]*\]|general|e[+-]/giu`],
  'engine/src/apis/described/odata/metadata/edmx.ts': [String.raw`/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g`],
  'engine/src/apis/workbench/draft/draft-model.ts': [String.raw`/^_+|_+$/gu`, String.raw`/_+$/u`],
  'engine/src/apis/workbench/draft/from-openapi.ts': [String.raw`/\{([^}]+)\}/gu`, String.raw`/\(.*\)$/u`],
  'engine/src/apis/workbench/draft/openapi-columns.ts': [String.raw`/<[^>]*>/gu`],
  'engine/src/apis/workbench/draft/openapi-service.ts': [String.raw`/\{([^}]+)\}/gu`, String.raw`/\{[^}]+\}/gu`],
  'engine/src/apis/workbench/draft/write-yaml.ts': [String.raw`/^[^.]*\{[^}]+\}[^.]*/u`],
  'engine/src/apis/workbench/odata/simulated-filter.ts': [String.raw`/[a-z]*'(?:[^']|'')*'|[()]|[^\s()]+/gu`],
  'engine/src/apis/workbench/odata/simulated-set.ts': [String.raw`/\B(?=(?:\d{3})+\.)/gu`],
  'engine/src/apis/workbench/try/value-fit.ts': [
    String.raw`/^(?:-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|NaN|-?Infinity)$/u`,
    String.raw`/0+$/u`,
  ],
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
  'server/src/features/report-marks/routes.ts': [String.raw`/^_+|_+$/gu`, String.raw`/_+$/u`],
  'web/src/features/verifications/differences-list.tsx': [String.raw`/ +$/u`],
  'web/src/features/connectors/form/settings-form.ts': [String.raw`/^[_0-9]+|_+$/g`],
  'web/src/features/sign-in/setup-page.tsx': [String.raw`/^\S+@\S+\.\S+$/`],
  'web/src/domain/sign-in/new-password-fields.tsx': [String.raw`/^(.+?)\1+$/u`],
}

const nativeDates = new Set(['date', 'datetime-local', 'month', 'time', 'week'])

/**
 * Formats that ignore the person's locale and time zone: those of the platform outside the portal's one module, and native date
 * fields, which follow the language of the browser.
 */
const ownFormat: SourceRule = (file, text) =>
  findNodes(file, text, (node) => {
    if (node.type === 'JSXAttribute')
      return (
        /^type=["'](.*)["']$/
          .exec(sourceOf(node, text))
          ?.slice(1)
          .some((type) => nativeDates.has(type)) ?? false
      )
    if (node.type !== 'MemberExpression') return false
    return readName(node['object']) === 'Intl' || /^(?:toLocale|localeCompare$)/.test(readName(node['property']))
  })
/** The time zone of the browser, for a new organisation. */
const knownFormats = { 'web/src/features/sign-up/sign-up-form.tsx': ['Intl.DateTimeFormat'] }
const inPortal = (file: string) => file.startsWith('web/src/') && file !== 'web/src/ui/formats.ts'

describe('every source', { timeout: 120_000 }, () => {
  test('an SQL statement contains only quoted parts and known constants', () =>
    expectOnly(builtSql, onServer, knownSql))
  test('no text becomes code, and programs are started without a shell', () =>
    expectOnly(codeFromText, () => true, knownCode))
  test('secrets are compared only in constant time', () => expectOnly(plainComparison, moving, knownComparisons))
  test('no regular expression allows denial of service: those without linear time get short input', () =>
    expectOnly(slowExpression, () => true, knownSlow))
  test('raw SQL of the store names tables and columns in camelCase, as the query builder does', () =>
    expectOnly(oneCasing, onServer, {}))
  test('[UX-PREF-3] the portal formats dates, numbers and names in one module, which knows the person’s locale', () =>
    expectOnly(ownFormat, inPortal, knownFormats))
})

describe('a planted violation is found', () => {
  test.each([
    ['an unquoted name', builtSql, 'await client.query(`DELETE FROM ${name}`)'],
    ['a value', builtSql, `await client.query(\`SELECT * FROM shop WHERE name = '\${typed}'\`)`],
    ['raw text in a template of Kysely', builtSql, 'sql`SELECT * FROM shop ORDER BY ${sql.raw(typed)}`'],
    ['a second casing in a query', oneCasing, "db.selectFrom('run').where(sql`run.queued_at < now()`)"],
    ['eval', codeFromText, 'eval(typed)'],
    ['a function made of text', codeFromText, `new Function('value', typed)`],
    ['a virtual machine', codeFromText, `import { runInNewContext } from 'node:vm'`],
    ['a shell', codeFromText, `import { exec } from 'node:child_process'`],
    ['the shell option', codeFromText, 'spawn(typed, { shell: true })'],
    ['a dynamic import', codeFromText, `await import('child_process')`],
    ['a plain comparison', plainComparison, 'if (given === row.tokenHash) open()'],
    ['a plain comparison with an assertion', plainComparison, 'if (given !== (row.secret as string)) refuse()'],
    ['exponential backtracking', slowExpression, 'const slow = /^(?:a+)+$/'],
    ['quadratic backtracking', slowExpression, String.raw`const slow = /^\s*\w*\s*\w*$/u`],
    ['a formatter outside the module of formats', ownFormat, `new Intl.NumberFormat('en-GB').format(count)`],
    ['a number in the browser’s format', ownFormat, 'rows.toLocaleString()'],
    ['names sorted by the browser’s language', ownFormat, 'one.name.localeCompare(other.name)'],
    ['a native date field', ownFormat, 'const field = <TextInput type="date" label="From" />'],
    ['a restart at each character', slowExpression, String.raw`const slow = /\s+$/u`],
  ] as const)('%s', (_, rule, text) => {
    expect(rule('server/src/planted.tsx', `${text}\n`)).not.toEqual([])
  })

  test.each([
    [builtSql, 'await client.query(`DELETE FROM ${quote(name)} WHERE id = $1`, [id])'],
    [builtSql, 'await sql`SELECT * FROM shop WHERE name = ${typed}`.execute(db)'],
    [oneCasing, "sql`SELECT json_agg(queuedAt) AS 'queued_at' FROM run WHERE ${sql.ref('queuedAt')} < now()`"],
    [codeFromText, `import type { ChildProcess } from 'node:child_process'`],
    [plainComparison, `if (token === undefined || token === '') refuse()`],
    [plainComparison, 'timingSafeEqual(given, row.tokenHash)'],
    [slowExpression, String.raw`const quick = /^\w+$/u`],
    [ownFormat, 'const options: Intl.DateTimeFormatOptions = {}'],
    [ownFormat, 'const field = <TextInput type="email" label="Email" />'],
  ] as const)('code that breaks no rule passes: %#', (rule, text) => {
    expect(rule('server/src/planted.tsx', `${text}\n`)).toEqual([])
  })
})
